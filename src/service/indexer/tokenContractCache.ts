// What token contracts say of themselves, asked once each: their standard where logs leave it open, name, symbol, decimals.
import { type Hex, hexToBytes, isHex, toQuantity } from '../../base/hex.ts';
import { decodeAddressAt, decodeUint32At, decodeUint256At, getByteLength } from '../evm/abiWords.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { RpcCall, RpcResponse } from '../evm/rpcMessage.ts';
import type { NftStandard, TokenRow } from '../store/rows.ts';
import { type TokenKind, UNKNOWN_TOKEN_KIND } from './decodeLogs.ts';

export interface TokenContractCache {
  /** The kinds of contracts, each given with an id that may be one of its tokens. */
  fetchKinds(samples: ReadonlyMap<Hex, bigint>, signal: AbortSignal): Promise<(address: Hex) => TokenKind>;
  /** One row per contract; `shapes` says what the first row of each looked like. */
  fetchRows(
    shapes: ReadonlyMap<Hex, NftStandard | 'ERC20'>,
    samples: ReadonlyMap<Hex, bigint>,
    signal: AbortSignal,
  ): Promise<readonly TokenRow[]>;
  /** After a reorg another contract may stand at an address. */
  clear(): void;
}

/** The kind of a contract that is not asked: only the original of CryptoPunks is known by its address. */
export const assumeTokenKind = (address: Hex): TokenKind => ({
  ...UNKNOWN_TOKEN_KIND,
  isPunks: address === CRYPTO_PUNKS,
});

interface Description {
  readonly kind: TokenKind;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

/** Characters of a name or symbol that are kept. */
export const MAX_TEXT_CHARACTERS = 256;
/** Contracts that are remembered; then all are forgotten, to be asked again when they are seen again. */
const MOST_CONTRACTS = 10_000;
/** Contracts that are asked at once: a hostile one may answer with a megabyte. */
const AT_ONCE = 25;
/** Enough for every honest answer; a contract that burns what it gets must not keep the node busy. */
const GAS = toQuantity(5_000_000);
/** The original, which knows no ERC-165. */
const CRYPTO_PUNKS: Hex = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb';

const word = (value: bigint) => value.toString(16).padStart(64, '0');
const supports = (id: string): Hex => `0x01ffc9a7${id}${'0'.repeat(56)}`;

/** In the order in which `descriptionOf` reads the answers. */
const questions = (sample: bigint): readonly Hex[] => [
  supports('01ffc9a7'), // ERC-165 itself
  supports('ffffffff'), // must be false: a contract that says yes to everything says nothing
  supports('80ac58cd'), // ERC-721
  supports('9a20483d'), // the draft of ERC-721 that CryptoKitties is of
  supports('d9b67a26'), // ERC-1155
  `0x6352211e${word(sample)}`, // ownerOf(uint256)
  `0x58178168${word(0n)}`, // punkIndexToAddress(uint256)
  '0x06fdde03', // name()
  '0x95d89b41', // symbol()
  '0x313ce567', // decimals()
];

export function createTokenContractCache(node: EvmNode): TokenContractCache {
  const known = new Map<Hex, Promise<Description>>();

  const ask = async (part: readonly (readonly [Hex, bigint])[], signal: AbortSignal): Promise<Description[]> => {
    const asked = part.map(([to, sample]) =>
      questions(sample).map((data): RpcCall => ({ method: 'eth_call', params: [{ to, data, gas: GAS }, 'latest'] })),
    );
    const answers = await node.rpc.sendAll(asked.flat(), signal);
    let at = 0;
    return part.map(([address], index) => {
      const count = asked[index]?.length ?? 0;
      at += count;
      return descriptionOf(address, answers.slice(at - count, at));
    });
  };

  const describe = async (samples: ReadonlyMap<Hex, bigint>, signal: AbortSignal) => {
    if (known.size > MOST_CONTRACTS) known.clear();
    const unknown = [...samples].filter(([address]) => !known.has(address));
    for (let from = 0; from < unknown.length; from += AT_ONCE) {
      const part = unknown.slice(from, from + AT_ONCE);
      const asked = ask(part, signal);
      for (const [index, [address]] of part.entries()) {
        const description = asked.then(list => list[index] as Description); // as many as were asked for
        description.catch(() => known.delete(address));
        known.set(address, description);
      }
      await asked; // one part after the other: their answers may be large
    }
    const found = new Map<Hex, Description>();
    for (const address of samples.keys()) {
      const description = known.get(address);
      if (description !== undefined) found.set(address, await description);
    }
    return found;
  };

  return {
    async fetchKinds(samples, signal) {
      const found = await describe(samples, signal);
      return address => found.get(address)?.kind ?? UNKNOWN_TOKEN_KIND;
    },
    async fetchRows(shapes, samples, signal) {
      const wanted = new Map([...shapes.keys()].map(address => [address, samples.get(address) ?? 0n]));
      const found = await describe(wanted, signal);
      return [...shapes].map(([token, shape]) => rowOf(token, shape, found.get(token)));
    },
    clear: () => known.clear(),
  };
}

function rowOf(token: Hex, shape: NftStandard | 'ERC20', said: Description | undefined): TokenRow {
  const claimed = said?.kind.standard ?? null;
  // What it logs weighs more than what it says, but for the two standards that have their own way of saying it.
  const standard = shape !== 'CRYPTOPUNKS' && (claimed === 'ERC721' || claimed === 'ERC1155') ? claimed : shape;
  const decimals = standard === 'ERC20' ? (said?.decimals ?? null) : null;
  return { token, standard, name: said?.name ?? null, symbol: said?.symbol ?? null, decimals };
}

function descriptionOf(address: Hex, answers: readonly RpcResponse[]): Description {
  const [erc165, nothing, erc721, draft721, erc1155, owner, punk, name, symbol, places] = answers.map(resultOf);
  const honest = isTrue(erc165) && !isTrue(nothing);
  const size = decodeUint32At(places ?? '0x', 0);
  const decimals = size !== null && size <= 255 ? size : null;
  const owned = decodeAddressAt(owner ?? '0x', 0) !== null && !isTrue(nothing);
  let standard: TokenKind['standard'] = null;
  if (honest && (isTrue(erc721) || isTrue(draft721))) standard = 'ERC721';
  else if (honest && isTrue(erc1155)) standard = 'ERC1155';
  else if (decimals !== null) standard = 'ERC20';
  else if (owned) standard = 'ERC721';
  const punks = address === CRYPTO_PUNKS || (!honest && decodeAddressAt(punk ?? '0x', 0) !== null && !isTrue(nothing));
  return { kind: { standard, isPunks: punks }, name: decodeTokenText(name), symbol: decodeTokenText(symbol), decimals };
}

/** The data a call gave; a call that reverted, or gave nonsense, gave nothing. */
const resultOf = (answer: RpcResponse): Hex => (isHex(answer.result) ? answer.result : '0x');

const isTrue = (data: Hex | undefined) => decodeUint256At(data ?? '0x', 0) === 1n;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** An ABI `string`, or the `bytes32` of tokens older than that convention, cut; `null` when it is neither or empty. */
export function decodeTokenText(data: Hex | undefined): string | null {
  if (data === undefined || getByteLength(data) < 32) return null;
  if (getByteLength(data) === 32) {
    const bytes = hexToBytes(data.slice(0, 66) as Hex);
    const end = bytes.indexOf(0);
    return cut(bytes.subarray(0, end < 0 ? 32 : end));
  }
  const offset = decodeUint32At(data, 0);
  const length = offset === null ? null : decodeUint32At(data, offset);
  if (offset === null || length === null || offset + 32 + length > getByteLength(data)) return null;
  const start = 2 + 2 * (offset + 32);
  const most = 4 * (MAX_TEXT_CHARACTERS + 1); // bytes of one character more than is kept, so that none is cut in two
  return cut(hexToBytes(`0x${data.slice(start, start + 2 * Math.min(length, most))}`));
}

/** Databases end a text at a zero character, or refuse it: it is the only one that is taken out. */
function cut(bytes: Uint8Array): string | null {
  const text = [...decoder.decode(bytes).replaceAll('\0', '')].slice(0, MAX_TEXT_CHARACTERS).join('');
  return text === '' ? null : text;
}
