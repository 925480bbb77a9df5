// Words that tell what a literal next to them is: a transaction, a block, a topic, some hash, a selector, an address.
import { findChainIdByWord } from '../api/chainNames.ts';
import { wordSet } from './splitWords.ts';

export type HashHintKind = 'transaction' | 'block' | 'topic' | 'hash';

/** What a name tells about 32 bytes. */
export interface HashHint {
  readonly kind: HashHintKind;
  /** A hash by which no node finds anything: a state root, a role, an order. */
  readonly isUnsearchable: boolean;
  /** The word that tells. */
  readonly word: string;
}

const TRANSACTION = wordSet(
  'fullhash tx txs txn txns txid txids txhash transaktion transaktions транзакции транзакция transacción transação transazione 交易 トランザクション 트랜잭션 transaction transactions receipt receipts mined xact',
);
const BLOCK = wordSet(
  '区块 區塊 ブロック 블록 bloco bloque bloc blocco bloku blok блок блока block blocks blockhash genesis uncle uncles ommer ommers',
);
/**
 * Words after one of these that do not change the meaning: `txHash`, `transactionReceipt`, "tx hash is". Any other word makes
 * it a part or a participant: `txData`, `txSigner`, "sign tx using".
 */
const NEUTRAL_AFTER = wordSet(
  '哈希 雜湊 ハッシュ 해시 hash hashes header id ids receipt receipts digest hex str string url link ref tag status async sent stuck mined confirmed included pending failed reverted success ok ' +
    'first last latest new old expected actual is was are by to be equal equals eql eq strict deep same match inline snapshot contain for of the in at on l a b',
);
/** Whether the words add nothing to a name before them: "tx: confirmed 0x…". */
export function isNeutral(words: readonly string[]): boolean {
  return words.every(isNeutralWord);
}
/** `block hash (mainnet): 0x…` */
const isNeutralWord = (word: string): boolean =>
  NEUTRAL_AFTER.has(word) || word === 'mainnet' || findChainIdByWord(word) !== null;
const ROOT = wordSet('root roots trie tree bloom proof proofs leaf leaves');
const TOPIC = wordSet('topic topics');
const EVENT_PART = wordSet('topic sig signature hash id selector');
const HASH = wordSet(
  'hash hashes hachage хеш хэш 哈希 雜湊 ハッシュ 해시 keccak keccak256 sha sha3 sha256 digest digests checksum fingerprint',
);
/** Words for hashes by which nodes find nothing. */
const UNSEARCHABLE = wordSet(
  'root roots merkle proof proofs leaf leaves commitment commitments role roles typehash namehash separator nullifier sibling siblings slot slots location prestate',
);
/** The same, if they precede `hash`. */
const UNSEARCHABLE_BEFORE_HASH = wordSet(
  'code key order struct type init message msg user op userop operation name data content ipfs commit file bytecode metadata domain state ' +
    'storage withdrawals requests blob versioned git password secret logs mix extra role label node source abi',
);

/** `hash: 0x…`, which does not tell what of. */
export const isPlainHash = ({ kind, isUnsearchable }: HashHint): boolean => kind === 'hash' && !isUnsearchable;

const NEGATION = wordSet(
  'not no isn aren wasn never without instead invalid missing like nicht kein keine pas non нет не',
);

/** Verbs whose transaction takes a key or raw bytes: `importTransaction` and `sendTx` name no hash, `sendTxHash` does. */
const ACTION_VERBS = wordSet('sign signing send sending import broadcast unlock');

function isTransactionAction(name: readonly string[]): boolean {
  const verb = name.findIndex(word => ACTION_VERBS.has(word));
  return verb >= 0 && name.slice(verb + 1).some(word => TRANSACTION.has(word)) && !HASH.has(name.at(-1) ?? '');
}

const NUMBER_TYPES = wordSet('uint int bigint biguint biginteger felt');
/** `uint256 tx = 0x…`, `tx: bigint = …`: keys are often numbers in code, hashes are bytes. */
export function isNumberType(words: readonly string[]): boolean {
  return words.some(word => NUMBER_TYPES.has(word));
}

/** `Transaction with hash "0x…" could not be found.` */
const isWithHash = (word: string, next: string | undefined): boolean => word === 'with' && next === 'hash';

/** `keccak256 0x…` hashes it. */
const HASH_FUNCTION = /^(?:sha|keccak)/;

/** What the words of a name tell, or of prose directly before the literal; the last ones count most. */
export function findHashHint(name: readonly string[], isProse = false): HashHint | null {
  // Topics are numbers too in code of log filters, and are never sent.
  const isNumber = isNumberType(name) && !TOPIC.has(name.at(-1) ?? '');
  if (isTransactionAction(name) || isNumber || name.some(word => NEGATION.has(word))) return null;
  for (let i = name.length - 1; i >= 0; i--) {
    const word = name[i] as string; // i is in range
    const tail = name.slice(i + 1);
    const isRoot = tail.some(next => ROOT.has(next));
    const kind = getKind(word, tail, name[i - 1]);
    if (kind === null) continue;
    if (isRoot) return { kind: 'hash', isUnsearchable: true, word: tail.at(-1) ?? word };
    if (kind !== 'topic' && !tail.every((next, at) => isNeutralWord(next) || isWithHash(next, tail[at + 1]))) continue;
    return { kind, isUnsearchable: false, word };
  }
  for (let i = name.length - 1; i >= 0; i--) {
    const word = name[i] as string; // i is in range
    if (UNSEARCHABLE.has(word) || (/^keys?$/.test(word) && name[i - 1] === 'storage'))
      return { kind: 'hash', isUnsearchable: true, word };
    if (!HASH.has(word) || (isProse && HASH_FUNCTION.test(word)) || !isNeutral(name.slice(i + 1))) continue;
    const before = name[i - 1];
    if (before === 'sign' || before === 'signing') return null; // what signs it
    if (before === 'parent') return { kind: 'block', isUnsearchable: false, word: 'parent hash' };
    // `"keccak256": "0x…"` of a source or of code.
    const isOther = before === undefined ? /^keccak/.test(word) : UNSEARCHABLE_BEFORE_HASH.has(before);
    return { kind: 'hash', isUnsearchable: isOther, word };
  }
  return null;
}

function getKind(word: string, tail: readonly string[], before: string | undefined): HashHintKind | null {
  if (TRANSACTION.has(word)) return 'transaction';
  if (BLOCK.has(word)) return 'block';
  if (TOPIC.has(word)) return 'topic';
  if (word === 'event' && tail[0] !== undefined && EVENT_PART.has(tail[0])) return 'topic';
  return word === 'sighash' && before !== 'tx' ? 'topic' : null;
}

/** Functions whose argument is the hash of what they return or compare, unlike `sendTx(`. */
const LOOKUP_VERBS = wordSet(
  'get wait fetch find trace by lookup load show read expect assert replay debug decode inspect view poll watch query retrieve check open list',
);

/** Those of tools that read a transaction or block, not what is to be hashed. */
const READ_VERBS = wordSet('parse summarize explain analyze describe index reindex');

/** Whether the words say themselves that they name a hash: `txHash`, `transaction_id`, unlike a bare `tx`. */
export function isHashName(words: readonly string[]): boolean {
  return words.some(
    (word, i) =>
      HASH.has(word) ||
      HASH_NAME.has(word) ||
      (/^(?:ids?|ref|tag)$/.test(word) && /^(?:tx|transaction|block)s?$/.test(words[i - 1] ?? '')),
  );
}
const HASH_NAME = wordSet('txid txids txhash blockhash fullhash');

/** Whether a function of that name looks up what its argument names. */
export function isLookupVerb(callee: readonly string[]): boolean {
  return callee.some(word => LOOKUP_VERBS.has(word));
}

/** `get transaction receipt`, also as the name of a remote method; unlike `DEBUG signer tx` of a log. */
export function isLookupName(words: readonly string[]): boolean {
  const name = words.join(' ');
  return (LOOKUP_METHOD.test(name) || LOOKUP_BY_HASH.test(name) || BY_HASH.test(name)) && findCallHint(words) !== null;
}
/** `debug_trace_transaction_call(`, `replace_transaction(`, `api.txs().statusExec(`: what they take first is the hash. */
const LOOKUP_BY_HASH =
  /\btrace (?:tx|transaction) call$|\beth replace (?:tx|transaction)$|\b(?:client|provider|node|rpc) receipt$|\bexplorer (?:tx|transaction|receipt)$|\beth transaction details$|^(?:debug|load|get|fetch|read) trace$|\b(?:txs|transactions|receipts) (?:(?:get|find|fetch) )?(?:status|receipt|info|details?)(?: (?:exec|receipt|by hash))?$|\bdebug (?:get raw (?:block|header|receipts)|storage range at)$|\bget raw (?:tx|transaction)$|\bots get (?:internal operations|transaction error)$|\berigon get logs by hash$|\b(?:bor|clique) get snapshot at hash$|\b(?:zks|eth|client|provider) get transaction details$|^(?:arb)?trace (?:get|transaction)$/;
/** `getHeaderByHash(`, `txsInternalByHash(`, `getTransactionByBlockHashAndIndex(`, whatever the object is that has the method. */
const BY_HASH = /\b(?:tx|transaction|block|receipt|header|uncle)s?(?: \w+)? by(?: block)? hash(?: and index)?$/;
const OF_BLOCK = /\b(?:block|header|uncle|snapshot|storage range)s?\b/;
const LOOKUP_METHOD =
  /^(?:parse|summarize|explain|analyze|describe|index|reindex|decode) (?:tx|transaction|receipt)s?$|\b(?:get|fetch|find|load|list|query) (?:\w+ ){1,2}(?:of|by|for|in) (?:tx|transaction|receipt)$|\bget internal (?:txs|transactions)$|\b(?:(?:get|fetch|replay|(?:wait|poll) for) (?:user (?:op|operation) )?(?:tx|transaction|block|receipt)|trace (?:tx|transaction|block)|by (?:(?:tx|transaction|block) )?hash(?: and index)?$|hash to (?:transaction|block)$)/;
/** `getTransactionsOf(` and `getTransactionBy(` take who sent them, `getTransactionHash(` what is to be hashed. */
const OTHER_LOOKUP =
  /\b(?:get|fetch|find|load|query|read|retrieve) (?:\w+ )?(?:tx|transaction|block|receipt)s? (?:hash|(?:\w+ )?(?:of|by|for|from|to|with))$/;
/** `fetchTransactions(` takes whose transactions, unlike `getBlockTransactions(`. */
const PLURAL_LOOKUP = /^(?!.*\b(?:block|receipt|hash) ).*\b(?:txs|transactions|blocks|receipts)$/;

/** `isConfirmed(`, `wasMined(` */
const CHECKS = /\b(?:is|was|has|wait) (?:(?:tx|transaction|been) )?(?:mined|confirmed|finalized|reverted)$/;

/** `isValidTxHash(`, `validateTransactionHash(`, `make_evm_tx_hash(` */
const VALIDATES = /^(?:is|validate|check|make)(?: valid| evm)? (?:tx|transaction|block) hash$/;

/** Functions that convert a hash. */
const CONVERSION_VERBS = wordSet('to from as parse new deserialize');

/** What the name of a called function tells about its argument: `getTransaction(` much, `keccak256(` nothing, `HexToHash(` a little. */
export function findCallHint(callee: readonly string[]): HashHint | null {
  const cheatcode = findCheatcodeHint(callee);
  if (cheatcode !== null) return cheatcode;
  // `traceTransactionForDebug(`
  const read = callee.at(-2) === 'for' && LOOKUP_VERBS.has(callee.at(-1) ?? '') ? callee.slice(0, -2) : callee;
  const isSent = callee.at(-1) === 'request' && callee.includes('send');
  const own = isSent
    ? callee.slice(0, callee.lastIndexOf('send'))
    : read.filter((word, at) => at === 0 || word !== 'query');
  const name = own.join(' ');
  if (LOOKUP_BY_HASH.test(name) || BY_HASH.test(name))
    return { kind: OF_BLOCK.test(name) ? 'block' : 'transaction', isUnsearchable: false, word: name };
  if (CHECKS.test(name) || VALIDATES.test(name))
    return { kind: 'transaction', isUnsearchable: false, word: callee.at(-1) ?? '' };
  const hint = findHashHint(own);
  if (hint === null || OTHER_LOOKUP.test(name) || PLURAL_LOOKUP.test(name.replace(/\binternal (?=t)/, 'block ')))
    return null;
  if (hint.kind === 'topic') return hint; // which is sent to no node
  if (/^(?:\w+ )?(?:tx|transaction) receipt$/.test(name)) return hint;
  const verbs = hint.kind === 'hash' ? CONVERSION_VERBS : LOOKUP_VERBS;
  return callee.some(word => verbs.has(word) || (hint.kind !== 'hash' && READ_VERBS.has(word))) ||
    // `setTxHash(`, `builder.parentHash(`, `deserialize_tx_hash(`
    (isHashName(callee) &&
      callee.some(word => /^(?:set|at|builder)$/.test(word) || (CONVERSION_VERBS.has(word) && isConversion(callee))))
    ? hint
    : null;
}

/** Foundry's cheatcodes that take a transaction's hash, also as one of several arguments: `vm.rollFork(`, `vm.transact(`. */
export function findCheatcodeHint([object, ...method]: readonly string[]): HashHint | null {
  const takesHash = object === 'vm' && /^(?:transact|(?:roll|create|create select) fork)$/.test(method.join(' '));
  return takesHash ? { kind: 'transaction', isUnsearchable: false, word: `vm.${method.join(' ')}` } : null;
}

/** Commands of Foundry's `cast` that take a hash. */
const CAST =
  /\b(?:cast[ \t]{1,20}(run|tx|receipt|block|age|base-fee|block-number|logs|4byte-event)|(?:tenderly[ \t]{1,20}export|heimdall[ \t]{1,20}(?:decode|inspect)|seth[ \t]{1,20}(?:receipt|tx|run-tx)))(?![\w-])/g;
/** Their options that may come before it, without and with a value. An unknown one may take a key: `--private-key 0x…`. */
const CAST_FLAG =
  /^(?:-[djqtv]{1,9}|--(?:json|quick|async|full|raw|debug|trace-printer|no-storage-caching|no-rate-limit|decode-internal|with-local-artifacts|la|verbose))$/;
const CAST_OPTION =
  /^(?:-[cefr]|--(?:rpc-url|chain|confirmations|from-block|to-block|address|evm-version|field|label|etherscan-api-key))$/;
/** Characters between `cast` and the hash. */
const CAST_REACH = 600;

/** What `cast run 0x…` and others take; `null` where the text before the literal at `start` is no such command. */
export function findCastHint(text: string, start: number): HashHint | null {
  const before = text.slice(Math.max(0, start - CAST_REACH), start);
  const match = [...before.matchAll(CAST)].at(-1);
  if (match === undefined || !takesHash(before.slice(match.index + match[0].length))) return null;
  const command = match[1] ?? 'tx';
  const kind = /^(?:block|age|base-fee|block-number)$/.test(command)
    ? 'block'
    : /^(?:logs|4byte-event)$/.test(`${command}`)
      ? 'topic'
      : 'transaction';
  return { kind, isUnsearchable: false, word: `cast ${command}` };
}

/** Whether only options are between the command and the hash. */
function takesHash(rest: string): boolean {
  if (/^[ \t]{1,20}["'`]?$/.test(rest)) return true;
  const line = rest.replace(/\\\r?\n/g, ' ');
  if (!/^\s[^\n]*[ \t]["']?$/.test(line)) return false;
  const words = line.replace(/["']$/, '').match(/\S+/g) ?? [];
  for (let at = 0; at < words.length; at++) {
    const [name = '', value] = (words[at] ?? '').split('=', 2);
    if (CAST_FLAG.test(name) && value === undefined) continue;
    if (name === '--' && at === words.length - 1) return true;
    if (!CAST_OPTION.test(name)) return false;
    if (value === undefined && !/^[^-]/.test(words[++at] ?? '')) return false;
  }
  return true;
}

/** Names of functions that only convert or wrap their argument consist of these words. */
const CONVERSION_WORDS = wordSet(
  'raw eth geth ethcommon gethcommon ethbind api execution hash hash256 bytes bytes32 b hex hexstr deserialize evm add case fixed h u str string from to into parse decode hexlify new common ethers utils types some ok box arc ' +
    'lower upper case remove util buffer uint8 array data tx id block txid blockid padded pad zero normalize strip prefix trim ref computed set map list vec ' +
    'vector tuple frozenset require path of fixedbytes unhexlify fromhex felt literal web3 w',
);

/** Whether a function leaves its argument what it is: `HexToHash(`, `b256!(`, `Buffer.from(`. */
export function isConversion(callee: readonly string[]): boolean {
  return (
    callee.every(word => CONVERSION_WORDS.has(word)) && !callee.every(word => TRANSACTION.has(word) || BLOCK.has(word))
  );
}

const PADDED = wordSet(
  'topic topics log logs event calldata input args arguments param params storage slot padded word words output return returndata',
);

/** Whether a name tells that its values are words of the EVM, in which addresses are padded to 32 bytes. */
export function namesPaddedWords(name: readonly string[]): boolean {
  return name.some(word => PADDED.has(word));
}

const SELECTOR = wordSet('selector selectors sighash bytes4 push4 4byte');
const SELECTOR_OF = wordSet('msg func function functions fn method methods interface error');
const SELECTOR_PART = wordSet('sig sigs signature id ids hash');
const ADDRESS = wordSet(
  'address addresses addr addrs contract contracts wallet wallets account accounts owner owners from to recipient sender spender token ' +
    'deployer minter beneficiary treasury factory router proxy implementation impl admin holder operator payee vault pool pair eoa safe ' +
    'multisig receiver signer user',
);

/** The word that makes four bytes a selector. Plain "error" and "signature" do not: most of those belong to Windows or file formats. */
export function findSelectorWord(name: readonly string[]): string | null {
  for (const [i, word] of name.entries()) {
    const next = name[i + 1];
    if (SELECTOR.has(word)) return word;
    if (next === undefined) continue;
    if ((SELECTOR_OF.has(word) && SELECTOR_PART.has(next)) || (word === 'custom' && next === 'error'))
      return `${word} ${next}`;
  }
  return null;
}

/** The word that makes 20 bytes an address. */
export function findAddressWord(name: readonly string[]): string | null {
  return name.findLast(word => ADDRESS.has(word)) ?? null;
}
