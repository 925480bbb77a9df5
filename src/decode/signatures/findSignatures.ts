// Finds the well-known events, functions and errors with a topic0 or selector: all candidates.
import { ERROR_SIGNATURES } from './errorSignatures.ts';
import { EVENT_SIGNATURES } from './eventSignatures.ts';
import { FUNCTION_SIGNATURES } from './functionSignatures.ts';
import { parseSignatureLine, type Signature } from './signature.ts';

const MAX_CACHED = 2_000;

/** A text search for two bytes of the hash finds the lines, so that nothing is parsed or hashed at startup. */
function createTable(table: string): (hash: string) => readonly Signature[] {
  const cache = new Map<string, readonly Signature[]>();
  return hash => {
    const wanted = hash.toLowerCase();
    const cached = cache.get(wanted);
    if (cached !== undefined) return cached;
    const found: Signature[] = [];
    const index = `\n${wanted.slice(2, 6)} `;
    for (let at = table.indexOf(index); at >= 0; at = table.indexOf(index, at + 1)) {
      const heading = table.lastIndexOf('\n#', at) + 2;
      const line = table.slice(at + index.length, table.indexOf('\n', at + 1));
      const signature = parseSignatureLine(line, table.slice(heading, table.indexOf('\n', heading)));
      if (signature.hash.startsWith(wanted)) found.push(signature);
    }
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(wanted, found);
    return found;
  };
}

const events = createTable(EVENT_SIGNATURES);
const functions = createTable(FUNCTION_SIGNATURES);
const errors = createTable(ERROR_SIGNATURES);
const NONE: readonly Signature[] = [];

/** Events with this topic0 (`0x` and 64 digits, any case); they differ in indexed parameters (`Transfer` of ERC-20 and ERC-721). */
export function findEventSignatures(topic0: string): readonly Signature[] {
  return topic0.length === 66 ? events(topic0) : NONE;
}

/** Functions with this selector (`0x` and 8 digits, any case). */
export function findFunctionSignatures(selector: string): readonly Signature[] {
  return selector.length === 10 ? functions(selector) : NONE;
}

/** Custom errors, `Error(string)` and `Panic(uint256)` with this selector (`0x` and 8 digits, any case). */
export function findErrorSignatures(selector: string): readonly Signature[] {
  return selector.length === 10 ? errors(selector) : NONE;
}
