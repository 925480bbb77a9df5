// The text of a Markdown link, for which the hover is that of what its URL names.

export interface LinkText {
  /** Offsets of the text within the line. */
  readonly start: number;
  readonly end: number;
  /** Offset within the line of what the URL names. */
  readonly target: number;
}

const LINK = /\[((?:[^[\]\n]|\[[^[\]\n]{0,200}\]){1,200})\]\(<?(https?:\/\/[^\s()<>]{1,2000})/g;
const TARGET = /0x(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-z])|(?<=\/block\/)\d/i;

/** `null` where the character is in no text of a link, or the URL names nothing. */
export function findLinkText(line: string, character: number): LinkText | null {
  for (const { index, 0: whole, 1: text = '', 2: url = '' } of line.matchAll(LINK)) {
    const start = index + 1;
    const end = start + text.length;
    if (character < start || character > end) continue;
    const target = url.search(TARGET);
    return target < 0 ? null : { start, end, target: index + whole.length - url.length + target };
  }
  return null;
}
