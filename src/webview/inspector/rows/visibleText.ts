// Text that nobody vouches for, shown whole: what hides or reorders text becomes visible, line breaks stay.

const HIDDEN = /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]|(?![\n\t])\p{Cc}/gu;
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** `·` for each character that cannot be seen. */
export function toVisibleText(text: string, limit = Number.POSITIVE_INFINITY): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(LONE, '·')
    .replace(HIDDEN, '·');
}
