// The cursor of a page: the one that a request came with, and the one that leads to the next page.
import type { OperationId } from '../../api/operations/operations.ts';
import {
  type CursorContent,
  type CursorKey,
  decodeCursor,
  encodeCursor,
  parseCursorInteger,
  parseCursorShortHash,
} from '../../api/wire/cursor.ts';
import { createBadInputFault, HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import type { EvmNode } from '../evm/evmNode.ts';

/** Parameters that every list has, and those of block ranges. */
export interface ListInput {
  readonly chain?: string | undefined;
  readonly limit?: number | undefined;
  readonly disableTotal?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
  readonly fromDate?: Date | undefined;
  readonly toDate?: Date | undefined;
}

/** Both ends inclusive, fixed by the first page for all that follow; empty when `from` is above `to`. */
export interface BlockSpan {
  readonly from: number;
  readonly to: number;
}

/** Where a page ended, for the cursor of the next one. */
export interface PageEnd {
  /** The next page begins after it; `null` when this is the last page. */
  readonly key: CursorKey | null;
  readonly range: BlockSpan;
  readonly genesisHash: Hex;
  /** Of the block in which the page ended; absent where no record of it was shown. */
  readonly blockHash?: Hex | null | undefined;
  readonly total?: number | null;
  /** A further number that the pages keep. */
  readonly window?: number | null;
}

/** Parameters that only change how the list is shown: a cursor may be used with any values of them. */
const PRESENTATION_PARAMETERS = [
  'cursor',
  'limit',
  'disableTotal',
  'format',
  'normalizeMetadata',
  'mediaItems',
  'tokenCounts',
];

/** The value of a cursor that holds the hash of the block in which its page ended. */
const PINNED_HASH = 'hash';

/** Enough of a hash to notice that the chain was reset or reorganized between two pages. */
const shortenHash = (hash: Hex): string => hash.slice(0, 18).toLowerCase();

function rejectReversedRange({ fromBlock, toBlock, fromDate, toDate }: ListInput): void {
  if (fromBlock !== undefined && toBlock !== undefined && fromBlock > toBlock)
    throw createBadInputFault([
      { field: 'from_block', message: localizable('from_block {0} is greater than to_block {1}', fromBlock, toBlock) },
    ]);
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate)
    throw createBadInputFault([{ field: 'from_date', message: localizable('from_date is later than to_date') }]);
}

export class PageCursor {
  /** `null` on the first page. */
  readonly content: CursorContent | null;
  readonly page: number;
  /** The parameters that it belongs to. */
  readonly #filters: CursorContent['filters'];

  /** `firstPage` is the number of the first page. Throws `bad-input` for the cursor of another list. */
  constructor(operation: OperationId, node: EvmNode, input: ListInput, firstPage: number) {
    const parameters = Object.entries(input).filter(([name]) => !PRESENTATION_PARAMETERS.includes(name));
    const plain = parameters.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]);
    this.#filters = { ...Object.fromEntries(plain), operation, chain: node.selector };
    this.content = input.cursor === undefined ? null : decodeCursor(input.cursor, this.#filters);
    this.page = this.content?.page ?? firstPage;
    if (this.content === null) rejectReversedRange(input);
  }

  /** The block range that the first page fixed; `null` on the first page. */
  get range(): BlockSpan | null {
    if (this.content === null) return null;
    const { from, to } = this.content.pinned ?? {};
    return { from: parseCursorInteger(from), to: parseCursorInteger(to) };
  }

  /**
   * Rejects with `bad-input` when the chain was reset after the page before, and with `chain-changed` when the block in
   * which that page ended is another one now: rows could repeat or be missing. `readHash` returns `null` when that is not
   * known. A reorg above that block changes nothing of the pages below.
   */
  async rejectOtherChain(genesisHash: Hex, readHash: (block: number) => Promise<Hex | null>): Promise<void> {
    if (this.content === null) return;
    const { pinned, key } = this.content;
    if (pinned?.['genesis'] !== shortenHash(genesisHash)) {
      const message = 'cursor belongs to the chain as it was before it was reset: start without a cursor';
      throw createBadInputFault([{ field: 'cursor', message }]);
    }
    const field = pinned[PINNED_HASH];
    if (field === undefined) return;
    const pinnedHash = parseCursorShortHash(field);
    const hash = await readHash(parseCursorInteger(key[0]));
    if (hash === null || shortenHash(hash) === pinnedHash) return;
    throw new HexLensError(
      'chain-changed',
      localizable('The chain was reorganized after the page before: records could repeat or be missing.'),
      { fix: localizable('Start again without a cursor.') },
    );
  }

  /** The cursor of the next page; `null` when there is none. */
  encodeNext({ key, range, genesisHash, blockHash, total = null, window = null }: PageEnd): string | null {
    if (key === null) return null;
    const pinned = {
      ...range,
      ...(window !== null && { window }),
      genesis: shortenHash(genesisHash),
      ...(blockHash && { [PINNED_HASH]: shortenHash(blockHash) }),
    };
    return encodeCursor({ filters: this.#filters, key, pinned, page: this.page + 1, total });
  }
}
