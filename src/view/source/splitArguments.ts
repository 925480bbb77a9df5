// Splits arguments of a call as programs print them.

/** At the commas that are in no brackets or quotes. */
export function splitArguments(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start, quote] = [0, 0, ''];
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  const last = text.slice(start);
  return [...parts, ...(parts.length > 0 || last.trim() !== '' ? [last] : [])].map(part => part.trim());
}
