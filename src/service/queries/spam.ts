// Whether a token looks like spam, by rules that need no network, each with its reason: pure, and never more than a guess.
import { type Hex, ZERO_ADDRESS } from '../../base/hex.ts';

/** Which rule a token falls under. */
export type SpamRule = 'marked' | 'link' | 'lure' | 'money' | 'markup' | 'look-alike' | 'hidden' | 'airdrop';

export interface SpamReason {
  readonly rule: SpamRule;
  /** One sentence for people; holds no text of the token. */
  readonly text: string;
}

/** What the user says of a token contract: this beats every rule. */
export type TokenTrust = 'verified' | 'spam' | null;

export interface SuspectToken {
  /** Hostile text, as the contract gave it. */
  readonly name: string | null;
  readonly symbol: string | null;
}

/** As much of a transfer as the airdrop rule looks at. */
export interface SuspectTransfer {
  readonly transactionHash: Hex;
  readonly from: Hex;
  readonly to: Hex;
}

const LINK =
  /https?:|\bwww\.|\bt\.me\b|\b[\p{L}\p{N}-]{2,}\.(?:com|net|org|io|xyz|app|site|online|gifts?|claims?|vip|top|club|info|live|pro|cc|me|ru|cn|gg|link|click|win|fun|shop|store|website|space|tech|lol|buzz|events?)\b/iu;
const LURE =
  /\b(?:claim(?:s|ed|ing|able)?|rewards?|air ?drops?|vouchers?|give ?aways?|bonus(?:es)?|free mints?|visit|redeem(?:ed|able)?|eligible|congratulations?|you won)\b/i;
const MONEY = /[$€£]\s?\d|\d\s?[$€£]|\b\d[\d,.]*\s?(?:usd[ct]?|dollars?)\b/i;
const MARKUP = /<\/?[a-z!]|\]\(|!\[|\$\(|javascript:|command:|\p{Cc}/iu;
/** What a spreadsheet takes for a formula. */
const FORMULA = /^\s*(?:=|[+@-]\s*[\w.]*\()/;
/** Characters without a shape of their own: soft hyphens, joiners, direction marks, tags. */
const HIDDEN = /\p{Cf}|[\u115f\u1160\u3164\uffa0]/u;
const LATIN = /\p{Script=Latin}/u;
const LATIN_TWINS = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Wallets that one transaction gave a token to, without anybody having asked for it. */
export const MIN_AIRDROP_WALLETS = 50;

const reasons: Readonly<Record<Exclude<SpamRule, 'airdrop'>, string>> = {
  marked: 'You marked this contract as spam.',
  link: 'The name or symbol holds a web address.',
  lure: 'The name or symbol promises something (claim, reward, airdrop, visit).',
  money: 'The name or symbol names a sum of money.',
  markup: 'The name or symbol holds markup, a formula or control characters.',
  'look-alike': 'A word of the name or symbol mixes alphabets whose letters look the same.',
  hidden: 'The name or symbol holds invisible characters.',
};

/** The first rule that the name or symbol falls under; `null` for neither. Linear in the length of both. */
export function detectSpamInNames({ name, symbol }: SuspectToken): SpamReason | null {
  for (const text of [name, symbol]) {
    const rule = text === null ? null : ruleOf(text.slice(0, 256));
    if (rule !== null) return { rule, text: reasons[rule] };
  }
  return null;
}

function ruleOf(text: string): Exclude<SpamRule, 'airdrop' | 'marked'> | null {
  if (HIDDEN.test(text)) return 'hidden';
  // Full-width and styled letters read as plain ones; signs between words do not hide a lure.
  const plain = text.normalize('NFKC');
  const words = plain
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
  if (LINK.test(plain)) return 'link';
  if (LURE.test(words.join(' '))) return 'lure';
  if (MONEY.test(plain)) return 'money';
  if (MARKUP.test(plain) || FORMULA.test(plain)) return 'markup';
  return words.some(word => LATIN.test(word) && LATIN_TWINS.test(word)) ? 'look-alike' : null;
}

/**
 * Unrequested mass airdrops: among the newest transfers of a contract there are only mints, and one transaction minted
 * to many different wallets. A token that any holder ever passed on is none.
 */
export function detectSpamInTransfers(newest: readonly SuspectTransfer[]): SpamReason | null {
  const wallets = new Map<Hex, Set<Hex>>();
  for (const { transactionHash, from, to } of newest) {
    if (from !== ZERO_ADDRESS) return null;
    const gifted = wallets.get(transactionHash) ?? new Set();
    wallets.set(transactionHash, gifted.add(to));
  }
  const most = Math.max(0, ...[...wallets.values()].map(gifted => gifted.size));
  if (most < MIN_AIRDROP_WALLETS) return null;
  return {
    rule: 'airdrop',
    text: `One transaction gave it to ${most} or more wallets, and nobody ever passed it on.`,
  };
}

/** The user's own mark first; then names; then behaviour. */
export function getSpamReason(
  token: SuspectToken,
  newest: readonly SuspectTransfer[],
  mark: TokenTrust = null,
): SpamReason | null {
  if (mark !== null) return mark === 'spam' ? { rule: 'marked', text: reasons.marked } : null;
  return detectSpamInNames(token) ?? detectSpamInTransfers(newest);
}
