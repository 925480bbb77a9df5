// What token contracts say of themselves, fetched once each: standard (where logs do not tell it), name, symbol, decimals.

import { type Hex, toQuantity } from '../../base/hex.ts';
import { raceAbort } from '../../base/raceAbort.ts';
import { toBatches } from '../../base/toBatches.ts';
import { decodeAddressAt, decodeStringOrBytes32, decodeUint32At, encodeWord } from '../evm/abiWords.ts';
import { fetchCallResults } from '../evm/callResult.ts';
import { ERC165_CALLS, parseErc165 } from '../evm/erc165.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { RpcCall } from '../evm/rpcMessage.ts';
import type { NftStandard, TokenRow } from '../store/rows.ts';
import { type TokenKind, type TokenSample, UNKNOWN_TOKEN_KIND } from './parseTokenLogs.ts';

/** The kind of a contract that is not called: only the original CryptoPunks are known by address. */
export const assumeTokenKind = (address: Hex): TokenKind => ({
  ...UNKNOWN_TOKEN_KIND,
  isPunks: address === CRYPTO_PUNKS,
});

interface CachedDescription {
  readonly description: Promise<TokenDescription>;
  /** See {@link TokenSample}. */
  readonly isIndexed: boolean;
}

interface TokenDescription {
  readonly kind: TokenKind;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
}

/** Characters of a name or symbol that are stored. */
export const MAX_TEXT_CHARACTERS = 256;
/** When there are more contracts in the cache, it is emptied. */
const MAX_CONTRACTS = 10_000;
/** Contracts per batch: a hostile one may return a megabyte. */
const CONTRACTS_PER_BATCH = 25;
/** Enough for every honest contract; one that burns all gas must not keep the node busy. */
const GAS_LIMIT = toQuantity(5_000_000);
/** The original, which does not implement ERC-165. */
const CRYPTO_PUNKS: Hex = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb';

/** Call data, in the order in which `parseDescription` reads the responses. */
const createCalls = (sampleId: bigint): readonly Hex[] => [
  ...ERC165_CALLS,
  `0x6352211e${encodeWord(sampleId)}`, // ownerOf(uint256)
  `0x58178168${encodeWord(0n)}`, // punkIndexToAddress(uint256)
  '0x06fdde03', // name()
  '0x95d89b41', // symbol()
  '0x313ce567', // decimals()
];

export type TokenContractCache = ReturnType<typeof createTokenContractCache>;

export function createTokenContractCache(node: EvmNode) {
  const cache = new Map<Hex, CachedDescription>();

  /** Without a signal: requests of several clients share the responses, and each of them may be cancelled alone. */
  const fetchBatch = async (
    batch: readonly (readonly [Hex, TokenSample])[],
    minBlock: number,
  ): Promise<TokenDescription[]> => {
    const { isDevelopment, headNumber } = await node.getState();
    // At `latest`, a node that lags behind the one that sent the logs would execute the call without the new contract; the
    // head may be from such a node, too.
    const block = isDevelopment ? 'latest' : toQuantity(Math.max(headNumber, minBlock));
    const calls = batch.map(([to, { id }]) =>
      createCalls(id).map((data): RpcCall => ({ method: 'eth_call', params: [{ to, data, gas: GAS_LIMIT }, block] })),
    );
    const results = await fetchCallResults(node, calls.flat());
    let end = 0;
    return batch.map(([address], index) => {
      const count = calls[index]?.length ?? 0;
      end += count;
      return parseDescription(address, results.slice(end - count, end));
    });
  };

  const describe = async (samples: ReadonlyMap<Hex, TokenSample>, minBlock: number, signal: AbortSignal) => {
    if (cache.size > MAX_CONTRACTS) cache.clear();
    // What was found out with an amount does not tell whether the contract names owners.
    const missing = [...samples].filter(([address, { isIndexed }]) => {
      const cached = cache.get(address);
      return cached === undefined || (isIndexed && !cached.isIndexed);
    });
    for (const batch of toBatches(missing, CONTRACTS_PER_BATCH)) {
      const fetching = fetchBatch(batch, minBlock);
      for (const [index, [address, { isIndexed }]] of batch.entries()) {
        const description = fetching.then(list => list[index] as TokenDescription); // one per contract of the batch
        description.catch(() => {
          if (cache.get(address)?.description === description) cache.delete(address);
        });
        cache.set(address, { description, isIndexed });
      }
      await raceAbort(fetching, signal); // one batch after the other: the responses may be large
    }
    const descriptions = new Map<Hex, TokenDescription>();
    for (const address of samples.keys()) {
      const description = cache.get(address)?.description;
      if (description !== undefined) descriptions.set(address, await raceAbort(description, signal));
    }
    return descriptions;
  };

  return {
    /** The kinds of contracts. They are called at `minBlock` or above. */
    async fetchKinds(
      samples: ReadonlyMap<Hex, TokenSample>,
      minBlock: number,
      signal: AbortSignal,
    ): Promise<(address: Hex) => TokenKind> {
      const descriptions = await describe(samples, minBlock, signal);
      return address => descriptions.get(address)?.kind ?? UNKNOWN_TOKEN_KIND;
    },
    /** One row per contract; `standards` are those of the first decoded log of each. Calls as above. */
    async fetchRows(
      standards: ReadonlyMap<Hex, NftStandard | 'ERC20'>,
      sampleIds: ReadonlyMap<Hex, bigint>,
      minBlock: number,
      signal: AbortSignal,
    ): Promise<readonly TokenRow[]> {
      const wanted = new Map(
        [...standards.keys()].map(address => [address, { id: sampleIds.get(address) ?? 0n, isIndexed: false }]),
      );
      const descriptions = await describe(wanted, minBlock, signal);
      return [...standards].map(([token, standard]) => toTokenRow(token, standard, descriptions.get(token)));
    },
    /** After a reorg another contract may be at an address. */
    clear: () => cache.clear(),
  };
}

function toTokenRow(
  token: Hex,
  loggedStandard: NftStandard | 'ERC20',
  description: TokenDescription | undefined,
): TokenRow {
  const claimed = description?.kind.standard ?? null;
  // The logs of a contract count more than its claim, except for the two standards that are claimed by ERC-165.
  const isClaimedNft = loggedStandard !== 'CRYPTOPUNKS' && (claimed === 'ERC721' || claimed === 'ERC1155');
  const standard = isClaimedNft ? claimed : loggedStandard;
  const decimals = standard === 'ERC20' ? (description?.decimals ?? null) : null;
  return {
    tokenAddress: token,
    standard,
    name: description?.name ?? null,
    symbol: description?.symbol ?? null,
    decimals,
  };
}

function parseDescription(address: Hex, results: readonly Hex[]): TokenDescription {
  const erc165 = parseErc165(results.slice(0, ERC165_CALLS.length));
  const [owner = '0x', punkOwner = '0x', name = '0x', symbol = '0x', places = '0x'] = results.slice(
    ERC165_CALLS.length,
  );
  const size = decodeUint32At(places, 0);
  const decimals = size !== null && size <= 255 ? size : null;
  const hasOwner = decodeAddressAt(owner, 0) !== null && !erc165.acceptsEverything;
  const hasPunkOwner = decodeAddressAt(punkOwner, 0) !== null && !erc165.acceptsEverything;
  let standard: TokenKind['standard'] = erc165.standard;
  // What accepts everything says nothing: its logs decide.
  if (standard === null && decimals !== null && !erc165.acceptsEverything) standard = 'ERC20';
  else if (standard === null && hasOwner) standard = 'ERC721';
  return {
    kind: { standard, hasOwner, isPunks: address === CRYPTO_PUNKS || (!erc165.isSupported && hasPunkOwner) },
    name: decodeTokenText(name),
    symbol: decodeTokenText(symbol),
    decimals,
  };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A name or symbol that a call returned, cut to `MAX_TEXT_CHARACTERS`; `null` when there is none or it is empty. */
export function decodeTokenText(data: Hex | undefined): string | null {
  // The bytes of one character more than is stored, so that the last one is whole.
  const bytes = decodeStringOrBytes32(data ?? '0x', 4 * (MAX_TEXT_CHARACTERS + 1));
  if (bytes === null) return null;
  // Databases end a text at a zero character or reject it: it is the only character that is removed.
  const clean = decoder.decode(bytes).replaceAll('\0', '');
  const text = [...clean].slice(0, MAX_TEXT_CHARACTERS).join('');
  return text === '' ? null : text;
}
