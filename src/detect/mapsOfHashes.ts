// Tells what the values of a map such as `DEPLOY_TXS = { mainnet: '0x…' }` are.
import { findChainIdByWord } from '../api/chainNames.ts';
import { hasPurpose } from './hashNames.ts';
import { findHashHint, type HashHint, isHashName, isNeutral } from './hintWords.ts';
import type { Label } from './labels.ts';
import { isAccountName } from './secretWords.ts';
import { wordSet } from './splitWords.ts';

export const isPlural = ({ words }: Label): boolean => words.at(-1)?.endsWith('s') === true;

/** `DEPLOY_TXS = { mainnet: '0x…' }`: the map's plural tells what its values are, unless the key may be an account's name. */
export function findMapHint([key, map]: readonly Label[]): HashHint | null {
  if (key === undefined || !mayBeKeyOfMap(key) || map?.role !== 'around') return null;
  return isPlural(map) ? findHashHint(map.words) : null;
}

/** `mainnet`, `deposit`, unlike `deposit_by`. */
export const mayBeKeyOfMap = ({ role, words }: Label): boolean =>
  role === 'name' &&
  words.every(isKeyOfMap) &&
  !/^(?:by|for|of|to|with)$/.test(words.at(-1) ?? '') &&
  !isAccountName(words);

/** `deployTxs`, `tx_hashes`; `transactions` where the key tells their kind: `{ legacy: '0x…', eip1559: '0x…' }`. */
export const isMapOfHashes = (key: Label, map: Label): boolean =>
  isHashName(map.words) ||
  hasPurpose(map.words, false) ||
  (/\b(?:txs|transactions|receipts)$/.test(map.words.join(' ')) && key.words.every(isKind));

const isKind = (word: string): boolean =>
  hasPurpose([word], false) || /^(?:eip|type|legacy|blob|dynamic|create|creation|success|simple)$/.test(word);

/** A chain, a number, a contract or what happened: any other name in a map of hashes may be that of another thing. */
const isKeyOfMap = (word: string): boolean =>
  /^(?:\d+|v\d+|l\d?)$/.test(word) ||
  CONTRACTS.has(word) ||
  hasPurpose([word], false) ||
  isNeutral([word]) ||
  (word.length > 2 && findChainIdByWord(word) !== null);

/** Keys of maps of hashes: contracts, kinds and states of transactions, networks. */
const CONTRACTS = wordSet(
  'token tokens erc nft vault factory router proxy implementation impl pool pair oracle registry bridge gateway contract library facet diamond timelock governor staking lending market ' +
    'deploy deploying execute execution init initialize initialized setup create created propose proposal vote queue cancel stake unstake borrow repay redeem supply harvest wrap unwrap bridging funding payment refund set call ' +
    'tx txn transaction block second third previous next example sample valid invalid good bad normal simple legacy type blob dynamic fee success eip ' +
    'mainnet testnet devnet local localnet goerli ropsten rinkeby kovan sepolia holesky hoodi fork live production staging eth ethereum',
);
