// One line of text that says which of its parts are addresses, so that a page can link them.

/** Control characters: strings of a chain are escaped in such lines, and `removeMarks` takes them from all else. */
const [START, MIDDLE, END] = ['\u0001', '\u0002', '\u0003'] as const;

export interface TextPart {
  readonly text: string;
  /** `null` for text that is no address. */
  readonly address: string | null;
}

export const removeMarks = (text: string): string =>
  text.split(START).join('').split(MIDDLE).join('').split(END).join('');

/** The name of an address, or its digits, as a part of a line. */
export const linkAddress = (text: string, address: string): string =>
  `${START}${removeMarks(text)}${MIDDLE}${address}${END}`;

/** The parts of a line; what is not a whole address is text. */
export function parseLinkedText(line: string): readonly TextPart[] {
  const [first = '', ...rest] = line.split(START);
  const parts: TextPart[] = [{ text: first, address: null }];
  for (const piece of rest) {
    const middle = piece.indexOf(MIDDLE);
    const end = piece.indexOf(END, middle);
    const address = middle < 0 || end < 0 ? '' : piece.slice(middle + 1, end);
    if (!/^0x[0-9a-f]{40}$/i.test(address)) parts.push({ text: removeMarks(piece), address: null });
    else
      parts.push({ text: piece.slice(0, middle), address }, { text: removeMarks(piece.slice(end + 1)), address: null });
  }
  return parts.filter(({ text }) => text !== '');
}

export const toPlainText = (line: string): string =>
  parseLinkedText(line)
    .map(({ text }) => text)
    .join('');
