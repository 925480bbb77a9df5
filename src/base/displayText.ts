// Untrusted text for display: one line, without control and direction characters; short forms of hex and Move types.

/** Text of others in an error message: at most 48 characters, printable ASCII, one line, in quotes. */
export function quote(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?');
  return `"${printable.length > 48 ? `${printable.slice(0, 45)}...` : printable}"`;
}

/** Controls, direction marks and zero-width characters: they hide or reorder text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;
export const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Untrusted text with `·` for each character that cannot be shown; otherwise unchanged. */
export const replaceHidden = (text: string): string => text.replace(LONE_SURROGATE, '·').replace(HIDDEN, '·');

/** Readable single-line text of at most `limit` characters; characters that cannot be shown become `·`. */
export function sanitizeText(text: string, limit = 64): string {
  const head = text.slice(0, limit * 4); // bounds the work for a name of a megabyte
  const clean = replaceHidden(head.replace(/\s+/g, ' ')).replace(/·{2,}/g, '·').trim();
  const characters = [...clean];
  return characters.length > limit || text.length > head.length ? `${characters.slice(0, limit - 1).join('')}…` : clean;
}

/** Text for a notification, in which VS Code turns `[label](target)` into a link that runs even `command:`. */
export const toMessageText = (text: string): string => text.replaceAll('](', '] (');

/** `0x1234…abcd`. */
export function shortenHex(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}

/** Types up to this length are not shortened. */
const MAX_TYPE_LENGTH = 24;

/**
 * Shortens a Move type or function: `0x1::…::GasFeeEvent`, `0x1::aptos_ac…::transfer`. The end is the most specific part, so
 * the middle is shortened; of a function as little as possible, because many modules have one with the same name. Other text
 * is returned unchanged.
 */
export function shortenMoveType(text: string): string {
  if (text.length <= MAX_TYPE_LENGTH || !/^0x[0-9a-f]{1,64}::\w+::\w/i.test(text)) return text;
  const [, account = '', module = '', name] = /^(0x[0-9a-f]+)::(\w+)::([a-z]\w*)$/i.exec(text) ?? [];
  if (name !== undefined && /^[a-z]/.test(name)) {
    const room = MAX_TYPE_LENGTH - shortenHex(account).length - name.length - '::…::'.length;
    return `${shortenHex(account)}::${module.length > room ? `${module.slice(0, Math.max(0, room))}…` : module}::${name}`;
  }
  return text.replace(/(0x[0-9a-f]{1,64})::\w+::(?=\w)/gi, (_, address: string) => `${shortenHex(address)}::…::`);
}

/** Joins the parts that are not empty with ` · `. */
export const joinParts = (...parts: readonly (string | null | false)[]): string =>
  parts.filter(part => part).join(' · ');
