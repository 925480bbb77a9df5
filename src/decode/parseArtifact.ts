// Finds the ABI in a compiler's artifact (Foundry, Hardhat, hardhat-deploy) without parsing the megabytes of bytecode behind it.
import { type AbiItem, readAbi } from './abiItem.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = [0x7b, 0x5b]; // { [
const CLOSE = [0x7d, 0x5d]; // } ]

/** The end of the string that starts at `at`; -1 when it does not end. */
function endOfString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i;
  }
  return -1;
}

/** The end of the array or object that starts at `at`; -1 when it does not end. */
function endOfValue(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i);
      if (i < 0) return -1;
    } else if (OPEN.includes(code)) depth++;
    else if (CLOSE.includes(code) && --depth === 0) return i + 1;
  }
  return -1;
}

/** The text of the array behind `"abi"` on the first level. `undefined`: cut off, read on; `null`: there is none. */
export function extractAbiText(text: string): string | null | undefined {
  const start = /^\ufeff?\s*/.exec(text)?.[0].length ?? 0;
  if (text[start] === '[') {
    const end = endOfValue(text, start); // a bare ABI
    return end < 0 ? undefined : text.slice(start, end);
  }
  if (text[start] !== '{') return null;
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (OPEN.includes(code)) {
      i = endOfValue(text, i) - 1;
      if (i < 0) return undefined;
    } else if (code === QUOTE) {
      const end = endOfString(text, i);
      if (end < 0) return undefined;
      const value = text.slice(i, end + 1) === '"abi"' ? /^\s*:\s*(?=\[)/.exec(text.slice(end + 1, end + 64)) : null;
      if (value !== null) {
        const from = end + 1 + value[0].length;
        const to = endOfValue(text, from);
        return to < 0 ? undefined : text.slice(from, to);
      }
      i = end;
    } else if (code === CLOSE[0]) return null;
  }
  return undefined;
}

/** `out/Token.sol/Token.json` and `artifacts/contracts/Token.sol/Token.json` are of the contract `Token`. */
export const getContractName = (path: string): string => /([^/\\]+?)(\.\d[\d.]*)?\.json$/.exec(path)?.[1] ?? path;

/** The items that an artifact declares; none when it is no artifact. `undefined`: the text was cut off before its ABI ended. */
export function parseArtifact(text: string, path: string): readonly AbiItem[] | undefined {
  const abi = extractAbiText(text);
  if (abi === undefined) return undefined;
  if (abi === null) return [];
  try {
    return readAbi(JSON.parse(abi), getContractName(path));
  } catch {
    return []; // not JSON after all: half-written, or no artifact
  }
}
