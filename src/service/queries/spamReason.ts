// Whether a token looks like spam, by rules over its names and transfers, each with its reason. Only a guess.

import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';
import type { TransferRow } from '../store/rows.ts';

/** The rule that a token matches. */
export type SpamRule = 'marked' | 'link' | 'lure' | 'money' | 'markup' | 'look-alike' | 'hidden' | 'airdrop';

export interface SpamReason {
  readonly rule: SpamRule;
  /** One sentence that holds no text of the token. */
  readonly text: string;
}

/** What the user says of a token contract: it overrides every rule. */
export type TokenTrust = 'verified' | 'spam' | null;

export interface SuspectToken {
  /** As the contract returns it: may be hostile. */
  readonly name: string | null;
  readonly symbol: string | null;
}

/** As much of a transfer as the airdrop rule needs. */
export type SuspectTransfer = Pick<TransferRow, 'transactionHash' | 'from' | 'to'>;

const LINK =
  /https?:|\bwww\.|\bt\.me\b|[\p{L}\p{N}-]{2}\.(?:com|net|org|io|xyz|app|site|online|gifts?|claims?|vip|top|club|info|live|pro|cc|me|ru|cn|gg|link|click|win|fun|shop|store|website|space|tech|lol|buzz|events?)\b/iu;
const LURE =
  /\b(?:claim(?:s|ed|ing|able)?|rewards?|air ?drops?|vouchers?|give ?aways?|bonus(?:es)?|free mints?|visit|redeem(?:ed|able)?|eligible|congratulations?|you won)\b/i;
const MONEY = /[$€£]\s?\d|\d\s?[$€£]|\b\d[\d,.]{0,40}\s?(?:usd[ct]?|dollars?)\b/i;
const MARKUP = /<\/?[a-z!]|\]\(|!\[|\$\(|javascript:|command:|\p{Cc}/iu;
/** What a spreadsheet would run as a formula. */
const FORMULA = /^\s*(?:=|[+@-]\s*[\w.]*\()/;
/** Invisible characters: soft hyphens, joiners, direction marks, tags. */
const HIDDEN = /\p{Cf}|[\u115f\u1160\u3164\uffa0]/u;
const LATIN = /\p{Script=Latin}/u;
const LATIN_LOOK_ALIKES = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** So many wallets received a token by one transaction. */
export const MIN_AIRDROP_WALLETS = 50;

const REASONS: Readonly<Record<Exclude<SpamRule, 'airdrop'>, string>> = {
  marked: 'You marked this contract as spam.',
  link: 'The name or symbol holds a web address.',
  lure: 'The name or symbol promises something (claim, reward, airdrop, visit).',
  money: 'The name or symbol names a sum of money.',
  markup: 'The name or symbol holds markup, a formula or control characters.',
  'look-alike': 'A word of the name or symbol mixes alphabets whose letters look the same.',
  hidden: 'The name or symbol holds invisible characters.',
};

/** The first rule that name or symbol matches; `null` when there is none. Linear in the length of both. */
export function detectSpamInNames({ name, symbol }: SuspectToken): SpamReason | null {
  for (const text of [name, symbol]) {
    const rule = text === null ? null : findRule(text.slice(0, 256));
    if (rule !== null) return { rule, text: REASONS[rule] };
  }
  return null;
}

function findRule(text: string): Exclude<SpamRule, 'airdrop' | 'marked'> | null {
  if (HIDDEN.test(text)) return 'hidden';
  // Full-width and styled letters become plain ones, and signs between words are removed.
  const plain = text.normalize('NFKC');
  const words = plain
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
  if (LINK.test(plain)) return 'link';
  if (LURE.test(words.join(' '))) return 'lure';
  if (MONEY.test(plain)) return 'money';
  if (MARKUP.test(plain) || FORMULA.test(plain)) return 'markup';
  return words.some(word => LATIN.test(word) && LATIN_LOOK_ALIKES.test(word)) ? 'look-alike' : null;
}

/**
 * Unrequested mass airdrops: all of the newest transfers of a contract are mints, and one transaction minted to many
 * wallets. A token that any holder has transferred is none.
 */
export function detectSpamInTransfers(newest: readonly SuspectTransfer[]): SpamReason | null {
  const receiversByTransaction = new Map<Hex, Set<Hex>>();
  for (const { transactionHash, from, to } of newest) {
    if (from !== ZERO_ADDRESS) return null;
    const receivers = receiversByTransaction.get(transactionHash) ?? new Set();
    receiversByTransaction.set(transactionHash, receivers.add(to));
  }
  const largest = Math.max(0, ...[...receiversByTransaction.values()].map(receivers => receivers.size));
  if (largest < MIN_AIRDROP_WALLETS) return null;
  return {
    rule: 'airdrop',
    text: `One transaction gave it to ${largest} or more wallets, and none has transferred it.`,
  };
}

/** By the user's word first, then by names, then by transfers. */
export function getSpamReason(
  token: SuspectToken,
  newest: readonly SuspectTransfer[],
  trust: TokenTrust = null,
): SpamReason | null {
  if (trust !== null) return trust === 'spam' ? { rule: 'marked', text: REASONS.marked } : null;
  return detectSpamInNames(token) ?? detectSpamInTransfers(newest);
}
