// What a label tells of the hash that a literal may be, and where the search for labels ends.
import { findChainIdByWord } from '../api/chainNames.ts';
import { hasPurpose } from './hashNames.ts';
import {
  findCallHint,
  findCheatcodeHint,
  findHashHint,
  type HashHint,
  isConversion,
  isHashName,
  isNeutral,
  isNumberType,
  isPlainHash,
} from './hintWords.ts';
import { GENERIC_NAMES, type Label } from './labels.ts';
import { findSecretCallWord, findSecretWord, isAccountName, isActionName } from './secretWords.ts';
import { wordSet } from './splitWords.ts';

export function findLabelSecret({ role, words }: Label): string | null {
  return role === 'call' || role === 'among' ? findSecretCallWord(words) : findSecretWord(words);
}

/** Words after which a literal has another relation to the hash than being it: "tx for 0x…", "sent by 0x…". */
const PREPOSITIONS = wordSet('for of in on at by to with as from');

/** A longer heading is a sentence; a comment above a list is rarely about its values. */
const HEADING_WORDS = 4;

export function findLabelHint({ role, words }: Label): HashHint | null {
  if (role === 'around' || role === 'comment' || role === 'tag' || role === 'sibling') return null;
  // `for txHash of ['0x…']`
  if (words[0] === 'for' && /^(?:in|of)$/.test(words.at(-1) ?? '')) return findHashHint(words.slice(1, -1));
  if ((role === 'prose' || role === 'name' || role === 'heading') && PREPOSITIONS.has(words.at(-1) ?? '')) return null;
  if (role === 'heading' && words.length > HEADING_WORDS) return null;
  if (role === 'among') return findCheatcodeHint(words) ?? (READS.test(words.join(' ')) ? findCallHint(words) : null);
  // `block hash of the testnet`, `tx_hash_safe`, `blockHashFromNumber`
  const of = role === 'name' && WITH_SUFFIX.test(words.join(' ')) ? 2 : words.indexOf('of');
  if (of > 0 && role !== 'call' && isHashName(words.slice(0, of)) && !isAccountName(words) && !isActionName(words))
    return findHashHint(words.slice(0, of));
  // `B256` and `H256` of Rust
  if (role === 'type' && /^[bh]$/.test(words.join(' '))) return findHashHint(['hash']);
  if (role === 'prose') return findHashHint(words, true);
  if (role === 'call') return findCallHint(words);
  return (
    (role === 'argument' && RPC_NAMESPACES.has(words[0] ?? '') ? findCallHint(words) : null) ?? findHashHint(words)
  );
}
/** `provider.send("debug_getRawTransaction", ["0x…"])` */
const RPC_NAMESPACES = wordSet('eth debug trace arbtrace ots erigon zks bor clique');

/** Behind the name of a hash: what it is of. */
const WITH_SUFFIX =
  /^(?:tx|transaction|block) hash (?:(?:from|by) )?(?:safe|dao|value|old|new|first|second|last|ok|bad|good|[a-z]?usd[a-z]?|w?eth|number|hash|string|hex)$/;
/** `waitForTransactionReceipt(client, '0x…')`, `fetch_receipt(w3, "0x…")` */
const READS =
  /\b(?:wait for|get|fetch|find|load|trace|replay|debug|decode|inspect|explain|lookup|query|summarize|describe|analyze|index) (?:raw )?(?:tx|transaction|block|receipt)(?: (?:receipt|status|trace|info|details|by hash))?(?: for \w+)?$/;

/**
 * Whether labels further away tell nothing about the literal: it is an argument of a function, and they name the result,
 * as in `const tx = deploy('0x…')`.
 */
export const endsHints = (label: Label): boolean => isOtherName(label) || endsLabels(label);

/** `by` of `log('tx hash', { by: '0x…' })`: it has a name, which says nothing of a hash. */
const isOtherName = (label: Label): boolean =>
  label.role === 'name' &&
  findLabelHint(label) === null &&
  !hasPurpose(label.words) &&
  !label.words.every(word => UNSPECIFIC.has(word) || GENERIC_NAMES.has(word) || findChainIdByWord(word) !== null);
/** Elements of HTML, arguments of programs. */
const UNSPECIFIC = wordSet('process sys argv code dd td p span strong b w');

const endsLabels = ({ role, words }: Label): boolean =>
  (role === 'prose' && (!isNeutral(words) || PREPOSITIONS.has(words.at(-1) ?? ''))) ||
  words.at(-1) === 'in' ||
  (role === 'type' && isNumberType(words)) ||
  ((role === 'argument' || role === 'sibling' || role === 'comment') && isAccountName(words)) ||
  (role === 'call' && words.every(word => /^(?:hash|of)$/.test(word))) ||
  ((role === 'call' || role === 'among') && (!isConversion(words) || LONE_VERBS.has(words.join(' '))));

/** Functions of these names make anything of a value. */
const LONE_VERBS = wordSet('parse from decode to path require of data id w');

/** After a mere `hash:` the search continues, because it may be in an object named `secrets`. */
export function isDecisive(label: Label): boolean {
  const hint = findLabelHint(label);
  return findLabelSecret(label) !== null || (hint !== null && !isPlainHash(hint));
}
