// Reads the ABI from a compiler's artifact (Foundry, Hardhat, hardhat-deploy) without parsing the bytecode after it.
import { type AbiItem, readAbi } from './abiItem.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = [0x7b, 0x5b]; // { [
const CLOSE = [0x7d, 0x5d]; // } ]

/** The end of the string that starts at `at`; -1 when it does not end. */
function findStringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i;
  }
  return -1;
}

/** The end of the array or object that starts at `at`; -1 when it does not end. */
function findValueEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = findStringEnd(text, i);
      if (i < 0) return -1;
    } else if (OPEN.includes(code)) depth++;
    else if (CLOSE.includes(code) && --depth === 0) return i + 1;
  }
  return -1;
}

/** The text of the top-level `"abi"` array. `undefined`: incomplete, more text is needed; `null`: there is none. */
export function extractAbiText(text: string): string | null | undefined {
  const start = /^\ufeff?\s*/.exec(text)?.[0].length ?? 0;
  if (text[start] === '[') {
    const end = findValueEnd(text, start); // a bare ABI
    return end < 0 ? undefined : text.slice(start, end);
  }
  if (text[start] !== '{') return null;
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (OPEN.includes(code)) {
      i = findValueEnd(text, i) - 1;
      if (i < 0) return undefined;
    } else if (code === QUOTE) {
      const end = findStringEnd(text, i);
      if (end < 0) return undefined;
      const value = text.slice(i, end + 1) === '"abi"' ? /^\s*:\s*(?=\[)/.exec(text.slice(end + 1, end + 64)) : null;
      if (value !== null) {
        const from = end + 1 + value[0].length;
        const to = findValueEnd(text, from);
        return to < 0 ? undefined : text.slice(from, to);
      }
      i = end;
    } else if (code === CLOSE[0]) return null;
  }
  return undefined;
}

/** `out/Token.sol/Token.json`, `artifacts/contracts/Token.sol/Token.json` and Ignition's `Module#Token.json` are of `Token`. */
export const getContractName = (path: string): string =>
  /(?<![^/\\#])([^/\\#]+?)(\.\d[\d.]{0,40})?\.json$/.exec(path)?.[1] ?? path;

/** As Hardhat writes it before the ABI: Ignition's files are named after the id of a deployment. */
const readContractName = (text: string): string | undefined =>
  /^\ufeff?\s*\{(?:\s*"_format"\s*:\s*"[\w-]*"\s*,)?\s*"contractName"\s*:\s*"([\w$]{1,128})"/.exec(text)?.[1];

/** The items of an artifact; empty when the text is not an artifact. `undefined`: the text ends before the ABI does. */
export function parseArtifact(text: string, path: string): readonly AbiItem[] | undefined {
  const abi = extractAbiText(text);
  if (abi === undefined) return undefined;
  if (abi === null) return [];
  try {
    return readAbi(JSON.parse(abi), readContractName(text) ?? getContractName(path));
  } catch {
    return []; // incomplete, or not an artifact
  }
}
