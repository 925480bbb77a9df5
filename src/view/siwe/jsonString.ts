// Reads one JSON string out of a larger text, remembering where each of its characters is written.

export interface JsonString {
  readonly value: string;
  /** Of the content, without the quotes. */
  readonly start: number;
  readonly end: number;
  /** Where in the text an offset of the value is written. */
  toTextOffset(offset: number): number;
}

/** The string whose content starts at `start`; `null` when it does not end or is no JSON. */
export function readJsonString(text: string, start: number): JsonString | null {
  let end = start;
  for (; ; end++) {
    const char = text.charAt(end);
    if (char === '"') break;
    if (char === '' || char === '\n') return null;
    if (char === '\\') end++;
  }
  let value: unknown;
  try {
    value = JSON.parse(`"${text.slice(start, end)}"`);
  } catch {
    return null;
  }
  if (typeof value !== 'string') return null;
  return {
    value,
    start,
    end,
    toTextOffset(offset) {
      let at = start;
      for (let count = 0; count < offset && at < end; count++) {
        if (text.charAt(at) !== '\\') at++;
        else at += text.charAt(at + 1) === 'u' ? 6 : 2;
      }
      return at;
    },
  };
}
