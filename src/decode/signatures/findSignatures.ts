// Finds the well-known events, functions and errors behind a topic0 or a selector. All candidates, never a guess.
import { ERRORS } from './errorSignatures.ts';
import { EVENTS } from './eventSignatures.ts';
import { FUNCTIONS } from './functionSignatures.ts';
import { parseSignature, type Signature } from './signature.ts';

const LIMIT = 2_000;

/** Lines are found by two bytes of text search, so nothing is parsed or hashed at start. */
function createTable(table: string): (hash: string) => readonly Signature[] {
  const answers = new Map<string, readonly Signature[]>();
  return hash => {
    const wanted = hash.toLowerCase();
    const known = answers.get(wanted);
    if (known !== undefined) return known;
    const found: Signature[] = [];
    const index = `\n${wanted.slice(2, 6)} `;
    for (let at = table.indexOf(index); at >= 0; at = table.indexOf(index, at + 1)) {
      const heading = table.lastIndexOf('\n#', at) + 2;
      const line = table.slice(at + index.length, table.indexOf('\n', at + 1));
      const signature = parseSignature(line, table.slice(heading, table.indexOf('\n', heading)));
      if (signature.hash.startsWith(wanted)) found.push(signature);
    }
    if (answers.size >= LIMIT) answers.clear();
    answers.set(wanted, found);
    return found;
  };
}

const events = createTable(EVENTS);
const functions = createTable(FUNCTIONS);
const errors = createTable(ERRORS);
const NONE: readonly Signature[] = [];

/** Events with this topic0 (`0x` and 64 digits, any case); they differ in what is indexed (ERC-20 and ERC-721 `Transfer`). */
export function eventByTopic(topic0: string): readonly Signature[] {
  return topic0.length === 66 ? events(topic0) : NONE;
}

/** Functions with this selector (`0x` and 8 digits, any case). */
export function functionBySelector(selector: string): readonly Signature[] {
  return selector.length === 10 ? functions(selector) : NONE;
}

/** Custom errors, `Error(string)` and `Panic(uint256)` with this selector (`0x` and 8 digits, any case). */
export function errorBySelector(selector: string): readonly Signature[] {
  return selector.length === 10 ? errors(selector) : NONE;
}
