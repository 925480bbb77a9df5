// Random texts of any characters. The unit `binary` of fast-check has a table of a million characters per test worker.
import fc from 'fast-check';

const SURROGATES = { start: 0xd800, count: 0x800 };

/** Any code point that is a character of its own. */
const anyCharacter = fc.integer({ min: 0, max: 0x10_ffff - SURROGATES.count }).map(
  index => String.fromCodePoint(index < SURROGATES.start ? index : index + SURROGATES.count),
  text => {
    const code = typeof text === 'string' && [...text].length === 1 ? (text.codePointAt(0) ?? -1) : -1;
    return code < SURROGATES.start ? code : code - SURROGATES.count;
  },
);

export const anyText = (lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.string({ ...lengths, unit: anyCharacter });
