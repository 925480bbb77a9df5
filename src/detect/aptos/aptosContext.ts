// Whether a file or the text around a literal is about Aptos.
import type { TextSource } from '../literalContext.ts';
import { wordSet } from '../splitWords.ts';

const getBaseName = (fileName: string | undefined): string => fileName?.split(/[\\/]/).at(-1) ?? '';

export function isMoveSource({ fileName, languageId }: TextSource): boolean {
  return languageId === 'move' || getBaseName(fileName).endsWith('.move');
}

export function isMoveToml({ fileName }: TextSource): boolean {
  return getBaseName(fileName) === 'Move.toml';
}

/** Languages that never contain Aptos addresses. */
export function isEvmSource({ fileName, languageId }: TextSource): boolean {
  return languageId === 'solidity' || languageId === 'vyper' || /\.(?:sol|vy|yul|huff)$/i.test(fileName ?? '');
}

/** Tables of a Move.toml whose values are addresses. */
const ADDRESS_TABLES = new Set(['addresses', 'dev-addresses']);
/** Characters before a value in which its table begins. */
const MAX_TABLE_LENGTH = 6_000;

/** Whether the value at `start` is one of `[addresses]` or of a dependency's `addr_subst`. */
export function isInAddressTable(text: string, start: number): boolean {
  const from = Math.max(0, start - MAX_TABLE_LENGTH);
  const before = text.slice(from, start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (/#/.test(line.replace(/"[^"]*"/g, ''))) return false;
  if (/\baddr_subst\s*=\s*\{[^{}]*=\s*["']$/.test(line)) return true;
  if (!/^\s*["']?[\w-]+["']?\s*=\s*["']$/.test(line)) return false;
  const table = [...before.matchAll(/^[ \t]*\[([^[\]\n]+)\][ \t]*(?:#.*)?$/gm)].at(-1)?.[1]?.trim();
  return table !== undefined && ADDRESS_TABLES.has(table);
}

/** Characters around a literal that are its context. */
const LENGTH_BEFORE = 1_500;
const LENGTH_AFTER = 300;
/** `AptosCoin`, `@aptos-labs/ts-sdk`, `api.mainnet.aptoslabs.com`, `0x1::coin`; nothing of it in an EVM project. */
const NEAR = /aptos|AccountAddress\./i;
const NEAR_PATH = /0x[0-9a-fA-F]{1,64}::[A-Za-z_]/i;
const SUI = /\bsui\b|mysten/i;

/** Whether the text around the literal mentions Aptos. */
export function isAptosContext(text: string, start: number, end: number, source: TextSource): boolean {
  if (isMoveSource(source) || isMoveToml(source)) return true;
  if (isEvmSource(source)) return false;
  const around = text.slice(Math.max(0, start - LENGTH_BEFORE), end + LENGTH_AFTER);
  if (NEAR.test(around) || (around.includes('::') && NEAR_PATH.test(around)))
    return !SUI.test(around) || /aptos/i.test(around);
  return source.isAptos === true;
}

/** Whether the start of a file, where imports are, mentions Aptos. */
export function mentionsAptos(head: string): boolean {
  return /aptos/i.test(head);
}

/** Words that name an Aptos address in a text about Aptos. `to` and `from` are too general. */
const ADDRESS = wordSet(
  'address addresses addr addrs recipient recipients receiver receivers object objects collection metadata module modules package payee ' +
    'beneficiary',
);
/** These name keys as often as they name addresses. */
const WEAK = wordSet(
  'account accounts wallet wallets signer owner owners sender creator creators treasury admin publisher deployer',
);
/** Names of other chains: an address there is not one of Aptos. */
const ELSEWHERE = wordSet(
  'eth ethereum evm erc sui solana starknet btc bitcoin l chain chainid polygon arbitrum optimism',
);
/** Words that change what a name refers to: `addressHash`, `objectCount`. */
const OTHER = wordSet('hash hashes count length size index digest type version key keys topic block tx txn id_hash');

export interface AptosAddressWord {
  readonly word: string;
  /** The name may also refer to a private key. */
  readonly isWeak: boolean;
}

/** The word in a name that makes its value an address; `null` when there is none. */
export function findAptosAddressWord(name: readonly string[]): AptosAddressWord | null {
  if (name.some(word => ELSEWHERE.has(word))) return null;
  const at = name.findLastIndex(word => ADDRESS.has(word) || WEAK.has(word));
  const word = name[at];
  if (word === undefined || name.slice(at + 1).some(next => OTHER.has(next))) return null;
  return { word, isWeak: WEAK.has(word) || /^(?:wallet|signer|keypair)$/.test(name[at - 1] ?? '') };
}
