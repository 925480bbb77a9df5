// What the words near a literal say about it: a transaction, a block, a topic, some hash, or a secret.
import { wordSet } from './splitWords.ts';

export type HashHintKind = 'transaction' | 'block' | 'topic' | 'hash';

/** What a name proves. `other`: a hash, but of something no node can find by it (a state root, a role, an order). */
export interface HashHint {
  readonly kind: HashHintKind;
  readonly isUnsearchable: boolean;
  /** The word that says so. */
  readonly word: string;
}

const SECRET = wordSet(
  'secret secrets mnemonic mnemonics seed seeds seedphrase password passwords passwd passphrase pwd pk pks priv privkey prvkey privkeys ' +
    'sk xprv wif credential credentials entropy ecdsa nsec bearer',
);
const KEY = wordSet('key keys');
/** `private` alone is a visibility in many languages; before these it means a secret. */
const AFTER_PRIVATE = wordSet('key keys hex value scalar exponent bytes material data');
/** Keys that are no secret: what stands before `key`. */
const OPEN_KEY = wordSet(
  'public pub pubkey storage primary foreign map mapping cache sort partition index lookup hash slot trie object dict json route role ' +
    'token pool position market order event topic tx transaction block query config translation unique composite group feature flag ' +
    'registry db row column idempotency record state field conduit',
);
/** ... and what stands behind it: the hash of a key, its number, its name. */
const OF_KEY = wordSet('hash hashes id ids index type name path length count prefix slot event press');

const TRANSACTION = wordSet('tx txs txn txns txid txids txhash transaction transactions receipt receipts mined xact');
const BLOCK = wordSet('block blocks blockhash genesis uncle uncles ommer ommers');
/**
 * What may stand behind such a word in a name that still means the thing itself: `txHash`, `transactionReceipt`, "tx hash is".
 * Anything else is a part of it, or somebody who has to do with it: `txData`, `txSigner`, "sign tx using".
 */
const SAME = wordSet(
  'hash hashes id ids receipt receipts digest hex str string url link ref tag sent mined confirmed included pending failed reverted success ok ' +
    'first last latest new old expected actual is was are by to be equal equals eql eq strict deep same match contain for of the in at on l a b',
);
const ROOT = wordSet('root roots trie tree bloom proof proofs leaf leaves');
const TOPIC = wordSet('topic topics');
const EVENT_PART = wordSet('topic sig signature hash id selector');
const HASH = wordSet('hash hashes keccak keccak256 sha sha3 sha256 digest digests checksum fingerprint');
/** Hashes of things that nodes do not find by hash; alone they say as much. */
const OTHER_HASH = wordSet(
  'root roots merkle proof proofs leaf leaves commitment commitments role roles typehash separator nullifier sibling siblings',
);
const HASHED = wordSet(
  'code key order struct type init message msg user op userop operation name data content ipfs commit file bytecode metadata domain state ' +
    'storage withdrawals requests blob versioned git password secret logs mix extra role label node source abi',
);

/** The words that make a name secret, as one phrase; `null` when none do. */
export function findSecretWord(name: readonly string[]): string | null {
  for (const [i, word] of name.entries()) {
    const next = name[i + 1];
    if (SECRET.has(word)) return word;
    if (word === 'private' && (next === undefined || AFTER_PRIVATE.has(next)))
      return next === undefined ? word : `${word} ${next}`;
    if (!KEY.has(word)) continue;
    const before = name[i - 1];
    if ((before !== undefined && OPEN_KEY.has(before)) || (next !== undefined && OF_KEY.has(next))) continue;
    return before === undefined ? word : `${before} ${word}`;
  }
  return null;
}

/** What the words of one name say; the ones nearest to its end count most. */
export function findHashHint(name: readonly string[]): HashHint | null {
  for (let i = name.length - 1; i >= 0; i--) {
    const word = name[i] as string; // i is in range
    const tail = name.slice(i + 1);
    const rooted = tail.some(next => ROOT.has(next));
    const kind = mainKind(word, tail, name[i - 1]);
    if (kind === null) continue;
    if (rooted) return { kind: 'hash', isUnsearchable: true, word: tail.at(-1) ?? word };
    if (kind !== 'topic' && !tail.every(next => SAME.has(next))) continue;
    return { kind, isUnsearchable: false, word };
  }
  for (let i = name.length - 1; i >= 0; i--) {
    const word = name[i] as string; // i is in range
    if (OTHER_HASH.has(word)) return { kind: 'hash', isUnsearchable: true, word };
    if (!HASH.has(word) || !name.slice(i + 1).every(next => SAME.has(next))) continue;
    const before = name[i - 1];
    if (before === 'parent') return { kind: 'block', isUnsearchable: false, word: 'parent hash' };
    return { kind: 'hash', isUnsearchable: before !== undefined && HASHED.has(before), word };
  }
  return null;
}

function mainKind(word: string, tail: readonly string[], before: string | undefined): HashHintKind | null {
  if (TRANSACTION.has(word)) return 'transaction';
  if (BLOCK.has(word)) return 'block';
  if (TOPIC.has(word)) return 'topic';
  if (word === 'event' && tail[0] !== undefined && EVENT_PART.has(tail[0])) return 'topic';
  return word === 'sighash' && before !== 'tx' ? 'topic' : null;
}

/** Functions whose argument is a secret, whatever else their name says: `signTransaction(`, `new Wallet(`, `vm.addr(`. */
const TAKES_SECRET = wordSet('sign signer signing wallet wallets keypair broadcast addr');
/** Functions that are given the hash of what they return or compare; `sendTx(` is given something else. */
const READS = wordSet(
  'get wait fetch find trace by lookup load show read expect assert replay debug decode inspect view poll watch query retrieve check open',
);
const MAKES = wordSet('to from as parse new');

export function findSecretCallWord(callee: readonly string[]): string | null {
  return findSecretWord(callee) ?? callee.find(word => TAKES_SECRET.has(word)) ?? null;
}

/** What being the argument of a function proves: `getTransaction(` much, `keccak256(` nothing, `HexToHash(` a little. */
export function findCallHint(callee: readonly string[]): HashHint | null {
  const evidence = findHashHint(callee);
  if (evidence === null) return null;
  const verbs = evidence.kind === 'hash' ? MAKES : READS;
  return callee.length === 1 && evidence.kind !== 'hash'
    ? evidence
    : callee.some(word => verbs.has(word))
      ? evidence
      : null;
}

/** Whether a log line speaks of accounts or keys. */
export function mentionsAccount(line: readonly string[]): boolean {
  return line.some(word => TAKES_SECRET.has(word) || ACCOUNT.has(word)) || findSecretWord(line) !== null;
}

const ACCOUNT = wordSet('account accounts generated created imported validator identity');
const SELECTOR = wordSet('selector selectors sighash bytes4 push4 4byte');
const SELECTOR_OF = wordSet('msg func function functions fn method methods interface error');
const SELECTOR_PART = wordSet('sig sigs signature id ids hash');
const ADDRESS = wordSet(
  'address addresses addr addrs contract contracts wallet wallets account accounts owner owners from to recipient sender spender token ' +
    'deployer minter beneficiary treasury factory router proxy implementation impl admin holder operator payee vault pool pair eoa safe ' +
    'multisig receiver signer user',
);

/** The word that makes four bytes a selector. Plain "error" and "signature" do not: most of those are Windows' and file formats'. */
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

export function findAddressWord(name: readonly string[]): string | null {
  return name.findLast(word => ADDRESS.has(word)) ?? null;
}
