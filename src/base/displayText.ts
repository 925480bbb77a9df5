// Text from the chain made harmless for Markdown: one line, no control or direction characters, always a code span.

/** Controls, direction marks and zero-width characters: they hide or reorder what a person reads. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Readable single-line text of at most `limit` characters; what cannot be shown becomes `·`. */
export function sanitizeText(text: string, limit = 64): string {
  const head = text.slice(0, limit * 4); // a name of a megabyte is not worth reading to its end
  const clean = head
    .replace(/\s+/g, ' ')
    .replace(LONE_SURROGATE, '·')
    .replace(HIDDEN, '·')
    .replace(/·{2,}/g, '·')
    .trim();
  const characters = [...clean];
  return characters.length > limit || text.length > head.length ? `${characters.slice(0, limit - 1).join('')}…` : clean;
}

/**
 * A code span around untrusted text. In a code span Markdown makes no link, no HTML and no emphasis
 * of it; the fence is longer than any run of backticks inside, and VS Code's `$(icon)` syntax is broken up.
 */
export function toCodeSpan(text: string, limit?: number): string {
  const clean = sanitizeText(text, limit).replaceAll('$(', '$ (');
  if (clean === '') return '';
  const longest = Math.max(0, ...(clean.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = clean.startsWith('`') || clean.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${clean}${pad}${fence}`;
}

/** Markdown for words of our own or of the settings: every character that Markdown reads is escaped. */
export function escapeMarkdown(text: string, limit = 600): string {
  return sanitizeText(text, limit).replace(/[\\`*_{}[\]()#+\-.!|<>~&$:/]/g, '\\$&');
}

/** Hex for people: `0x1234…abcd`. */
export function shortenHex(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}

/** What a name of Move fits into as it is. */
const SHORT_TYPE = 24;

/**
 * A Move type or function for people: `0x1::…::GasFeeEvent`, `0x1::aptos_ac…::transfer`. Its end tells what it is, so that
 * the middle is left out; of a function, as little as need be: many modules have one of its name. Other text, and what is
 * short, stays as it is.
 */
export function shortenMoveType(text: string): string {
  if (text.length <= SHORT_TYPE || !/^0x[0-9a-f]{1,64}::\w+::\w/i.test(text)) return text;
  const [, account = '', module = '', name] = /^(0x[0-9a-f]+)::(\w+)::([a-z]\w*)$/i.exec(text) ?? [];
  if (name !== undefined && /^[a-z]/.test(name)) {
    const room = SHORT_TYPE - shortenHex(account).length - name.length - '::…::'.length;
    return `${shortenHex(account)}::${module.length > room ? `${module.slice(0, Math.max(0, room))}…` : module}::${name}`;
  }
  return text.replace(/(0x[0-9a-f]{1,64})::\w+::(?=\w)/gi, (_, address: string) => `${shortenHex(address)}::…::`);
}
