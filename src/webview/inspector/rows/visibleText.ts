// Untrusted text: characters that hide or reorder text become visible, line breaks stay.

const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]|(?![\n\t])\p{Cc}/gu;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Replaces each invisible character by `·`, and shortens to `limit` characters. */
export function toVisibleText(text: string, limit = Number.POSITIVE_INFINITY): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(LONE_SURROGATE, '·')
    .replace(INVISIBLE, '·');
}
