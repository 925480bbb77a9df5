// Parameters that several operations of group B share.
import { DATED_CHANGES_DAY, EVM_PAGE_SIZE, MINT_LIST_LENGTH } from '../decisions.ts';
import {
  blockNumber,
  chainSelector,
  choice,
  date,
  evmAddress,
  flag,
  indexedTopic,
  integer,
  list,
  opaque,
  tokenId,
} from './parameterKinds.ts';
import { type CreateRecordFilter, path, query, queryList } from './parameters.ts';

export const chain = query(chainSelector, 'The chain: a name (eth, sepolia, local) or a hex chain id.');
export const format = query(choice('decimal', 'hex'), 'How token ids are written; decimal when absent.');
export const limit = query(
  integer(EVM_PAGE_SIZE.min, EVM_PAGE_SIZE.max),
  `Records per page; ${EVM_PAGE_SIZE.default} when absent.`,
);
export const disableTotal = query(flag, 'Skip the total count; true when absent.', { isDeprecatedSoon: true });
export const cursor = query(opaque, 'The cursor of the previous page.');
export const paging = { limit, disableTotal, cursor };
export const fromBlock = query(blockNumber, 'First block, inclusive.');
export const toBlock = query(blockNumber, 'Last block, inclusive.');
export const fromDate = query(date, 'First moment; a block given for the same end is used instead.');
export const toDate = query(date, 'Last moment; a block given for the same end is used instead.');
export const range = { fromBlock, toBlock, fromDate, toDate };
export const order = query(
  choice('desc', 'asc'),
  'By block: newest first (desc) or oldest first (asc); desc when absent.',
);
/** Not in the description, but the official SDK sends it. */
export const sdkOrder = query(
  choice('desc', 'asc'),
  'By block: newest first (desc) or oldest first (asc); desc when absent (an addition to the description).',
);
export const wallet = path(evmAddress, 'The wallet.');
export const collection = path(evmAddress, 'The NFT contract.');
export const token = path(tokenId, 'The token id, decimal or hex.');
export const excludeSpam = query(flag, 'Leave out what is marked as possible spam.');
export const metadata = {
  normalizeMetadata: query(flag, 'Add the metadata in one common shape.', { wire: 'normalizeMetadata' }),
  mediaItems: query(flag, 'Add preview media.'),
};

export const filterByDirection: CreateRecordFilter = ({ address, direction }) =>
  direction === 'both' ? null : record => record[direction === 'from' ? 'fromAddress' : 'toAddress'] === address;
/** A topic that hosts do not filter by any more. */
export const removedTopic = (name: string, doc: string) =>
  query(indexedTopic, doc, {
    removedSince: DATED_CHANGES_DAY,
    createFilter: input => record => record[name] === input[name],
  });
export const addressList = (doc: string) => queryList(list(evmAddress, MINT_LIST_LENGTH), doc);
