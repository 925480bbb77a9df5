// Move paths: modules, struct types with arguments, and functions.

import { padAptosAddress, toShortAptosAddress } from '../../base/aptosAddress.ts';
import type { Hex } from '../../base/hex.ts';

export interface MovePath {
  readonly start: number;
  /** Behind the type arguments of a struct. */
  readonly end: number;
  /** `0x…` or a named address, as written. */
  readonly root: string;
  readonly rootEnd: number;
  readonly module: string;
  /** Struct or function; `null` for a module alone. */
  readonly item: string | null;
  /** `<…>` after a struct, as written; empty when there is none. */
  readonly typeArguments: string;
}

const PATH =
  /(0[xX][0-9a-fA-F]{1,64}|[A-Za-z_]\w{0,63})\s{0,2}::\s{0,2}([A-Za-z_]\w{0,127})(?:::([A-Za-z_]\w{0,127}))?/y;
const MAX_ARGUMENTS_LENGTH = 1_000;

/** The path that starts at `start`; `null` when there is none. */
export function parseMovePathAt(text: string, start: number): MovePath | null {
  if (/[\w$:]/.test(text.charAt(start - 1))) return null;
  PATH.lastIndex = start;
  const found = PATH.exec(text);
  if (found === null) return null;
  const [whole, root = '', module = '', item = null] = found;
  const end = start + whole.length;
  if (/^[\w$]/.test(text.charAt(end))) return null;
  const typeArguments = isStructName(item) ? readTypeArguments(text, end) : '';
  return { start, end: end + typeArguments.length, root, rootEnd: start + root.length, module, item, typeArguments };
}

/** The compiler requires an upper-case first letter for structs, and a lower-case one for functions. */
export function isStructName(item: string | null): boolean {
  return item !== null && /^[A-Z]/.test(item);
}

function readTypeArguments(text: string, at: number): string {
  if (text[at] !== '<') return '';
  let depth = 0;
  for (let end = at; end < text.length && end - at < MAX_ARGUMENTS_LENGTH; end++) {
    const char = text.charAt(end);
    if (char === '<') depth++;
    else if (char === '>') {
      depth--;
      if (depth === 0) return text.slice(at, end + 1);
    } else if (!/[\w:,\s@&]/.test(char)) return '';
  }
  return '';
}

/** Start of the path around `offset`. */
function findMovePathStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && offset - at < 400 && /[\w:]/.test(text.charAt(at - 1))) at--;
  return at;
}

/** The innermost path at `offset`; `null` when there is none. */
export function findMovePathAround(text: string, offset: number): MovePath | null {
  const path = parseMovePathAt(text, findMovePathStart(text, offset));
  return path !== null && offset <= path.end ? path : null;
}

/**
 * The type as nodes write it: short addresses, resolved names, arguments separated by comma and space. `null` when a name
 * is unknown.
 */
export function resolveMoveType(text: string, resolve: (name: string) => Hex | null): string | null {
  let isResolved = true;
  const normal = text
    .replace(/\s+/g, '')
    .replace(/(^|[<,&])(0x[0-9a-f]{1,64}|[a-z_]\w*)(?=::)/gi, (_whole, before: string, root: string) => {
      const address = /^0x/i.test(root) ? padAptosAddress(root) : resolve(root);
      if (address === null) isResolved = false;
      return `${before}${address === null ? root : toShortAptosAddress(address)}`;
    })
    .replaceAll(',', ', ');
  return isResolved ? normal : null;
}
