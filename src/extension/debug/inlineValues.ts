// Which names of the source have values behind their lines while a session is stopped. Without vscode.
import { parseOutline } from '../../decode/source/solidityOutline.ts';
import { type Token, tokenize } from '../../decode/source/solidityTokens.ts';

/** The request whose response has values by name: `frameId` as in `scopes`. */
export const INLINE_VALUES = 'inlineValues';

const NAME = /^[A-Za-z_$][\w$]*$/;

/** Names in the function around `stopped`, up to the end of that line, each once in a line; no members and no calls. */
export function listInlineNames(text: string, stopped: number): readonly Token[] {
  const around = parseOutline(text).functions.find(({ start, end }) => start <= stopped && stopped < end);
  if (around === undefined) return [];
  const { start } = around;
  const lineEnd = text.indexOf('\n', stopped);
  const tokens = tokenize(text.slice(start, lineEnd < 0 ? text.length : lineEnd));
  const seen = new Set<string>();
  let lineStart = start;
  return tokens.flatMap((token, i) => {
    const at = start + token.start;
    const newLine = text.lastIndexOf('\n', at);
    if (newLine >= lineStart) {
      lineStart = newLine + 1;
      seen.clear();
    }
    const isName = NAME.test(token.text) && tokens[i - 1]?.text !== '.' && tokens[i + 1]?.text !== '(';
    if (!isName || seen.has(token.text)) return [];
    seen.add(token.text);
    return [{ text: token.text, start: at, end: start + token.end }];
  });
}
