// Finds the element of a list of arguments or fields that a place in a text is in.

/** Behind the last comma or semicolon at the depth of a place, or behind `opener`, the bracket around it. */
export function findElementStart(text: string, at: number, opener: number): number {
  let depth = 0;
  for (let before = at - 1; before > opener; before--) {
    const char = text.charAt(before);
    if (')]}'.includes(char)) depth++;
    else if ('([{'.includes(char)) depth--;
    else if (depth === 0 && (char === ',' || char === ';')) return before + 1;
  }
  return opener + 1;
}

/** Behind the bracket that closes the one around a place; `limit` where none does before it. */
export function findCloser(text: string, at: number, limit = text.length): number {
  let depth = 0;
  for (let end = at; end < limit; end++) {
    const char = text.charAt(end);
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && --depth < 0) return end + 1;
  }
  return limit;
}
