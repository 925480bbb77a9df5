// JSON that a host sent: large texts one after the other, in slices, and within limits that no honest host reaches.
import { HexLensError } from './errors.ts';
import { type LocalizableText, localizable } from './localize.ts';
import { checkJson, type JsonLimit, JsonLimitError, type JsonLimits, parseLargeJson } from './parseLargeJson.ts';
import { SerialQueue } from './serialQueue.ts';

/** Characters; up to that, `JSON.parse` is done in some tens of milliseconds, whatever the text is, unless it is nested deep. */
const MIN_LARGE_LENGTH = 1.5 * 1024 * 1024;
/** Calls inside each other are at most 1,024, each in a list of an object. */
const MAX_DEPTH = 2_500;
/** In logs, blocks and traces a value takes 20 to 60 characters. */
const MIN_CHARACTERS_PER_VALUE = 12;

/** A dump of the state of a development chain has tens of thousands of accounts or slots in an object. */
const MAX_KEYS = 250_000;
/** The longest texts, what a call got or returned, have some megabytes; 16 are parsed in some tens of milliseconds. */
const MAX_STRING_LENGTH = 16 * 1024 * 1024;

/** Parsed JSON takes several times the memory of its text: one after the other. */
const largeTexts = new SerialQueue();

/** Without brackets for so many levels there are no such levels. */
function mayBeDeep(text: string): boolean {
  let brackets = 0;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++brackets > MAX_DEPTH) return true;
  return false;
}

/**
 * Rejects with `SyntaxError`, or with `too-large` when a limit is exceeded.
 *
 * @param parse Takes the place of `JSON.parse`, for parts of the text where it is large.
 */
export async function parseHostJson(
  text: string,
  parse: (json: string) => unknown = json => JSON.parse(json),
): Promise<unknown> {
  const isLarge = text.length > MIN_LARGE_LENGTH;
  if (!isLarge && !mayBeDeep(text)) return parse(text);
  const limits: JsonLimits = {
    maxDepth: MAX_DEPTH,
    maxValues: isLarge ? Math.ceil(text.length / MIN_CHARACTERS_PER_VALUE) : Number.POSITIVE_INFINITY,
    maxKeys: MAX_KEYS,
    maxStringLength: MAX_STRING_LENGTH,
  };
  try {
    if (isLarge) return await largeTexts.run(() => parseLargeJson(text, limits, parse));
    await checkJson(text, limits);
    return parse(text);
  } catch (error) {
    if (!(error instanceof JsonLimitError)) throw error;
    throw new HexLensError('too-large', toMessage(error.kind, limits), { cause: error });
  }
}

function toMessage(limit: JsonLimit, limits: JsonLimits): LocalizableText {
  switch (limit) {
    case 'depth':
      return localizable('It is nested more than {0} levels deep.', limits.maxDepth);
    case 'values':
      return localizable('It has more than {0} values.', limits.maxValues);
    case 'keys':
      return localizable('An object in it has more than {0} keys.', limits.maxKeys);
    case 'characters':
      return localizable('A text in it has more than {0} characters.', limits.maxStringLength);
  }
}
