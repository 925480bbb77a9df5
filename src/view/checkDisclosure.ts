// Decides for every way out of this machine whether a literal may take it: nodes, hosts, websites, language models.
import { t } from '../base/localize.ts';
import { detectLiterals } from '../detect/detectLiterals.ts';
import { findDevelopmentAccountWithin } from '../detect/developmentAccounts.ts';
import { type HexLiteral, isAptosLiteral } from '../detect/hexLiteral.ts';
import { getPrivacyVerdict, type PrivacyVerdict } from '../detect/privacy.ts';
import { omitRule } from './privacyReason.ts';

/** Who would receive the literal: the node of a chain, or a website that a link opens. */
export interface Recipient {
  /** What it gets stays on this machine: a node on loopback that is no fork, or an Aptos network on loopback. */
  readonly isLocal: boolean;
  /** The user asked for exactly this literal to be sent there, such as by Enter or by a click on "look up". */
  readonly isUserRequested: boolean;
  /** A node of this machine that asks the node of another chain for what it does not know. */
  readonly isFork?: boolean;
}

export interface AptosRecipient extends Recipient {
  /** The network is in the settings; otherwise it is one of the public defaults. */
  readonly isConfigured: boolean;
}

export interface DisclosureRules {
  /** The file of the literal; empty when the user typed it. */
  readonly fileName: string;
  /** `hexlens.privacy.lookUp`: whether addresses need a click on chains that are not local. */
  readonly addressesOnClick: boolean;
}

/** For links: they are made without any action of the user, and a click on one does not tell that it shows a key. */
export const WEBSITE: Recipient = { isLocal: false, isUserRequested: false };

/** For text that the user typed, pasted or confirmed. */
export const TYPED: DisclosureRules = { fileName: '', addressesOnClick: false };

/** Whether the recipient may get the literal. What its surroundings say about it is part of the literal. */
export function checkDisclosure(
  literal: HexLiteral,
  { isLocal, isUserRequested, isFork = false }: Recipient,
  { fileName, addressesOnClick }: DisclosureRules,
): PrivacyVerdict {
  const verdict = getPrivacyVerdict(literal, { isLocal, fileName, isUserRequested });
  const isAddress = literal.kind === 'address' || literal.kind === 'paddedAddress' || literal.kind === 'aptosAddress';
  const decided =
    verdict.decision === 'yes' && isAddress && !isLocal && addressesOnClick && !isUserRequested
      ? needsClick(t('Your settings look up addresses only when you click.'))
      : verdict;
  // Otherwise a click would seem needless: the node is on this machine.
  return decided.decision === 'click' && isFork
    ? { ...decided, reason: `${decided.reason} ${t('A fork asks its source for what it does not know.')}` }
    : decided;
}

/** Whether the node and indexer of the Aptos network may get the literal. */
export function checkAptosDisclosure(
  literal: HexLiteral,
  network: AptosRecipient,
  rules: DisclosureRules,
): PrivacyVerdict {
  const { isLocal, isConfigured, isUserRequested } = network;
  const verdict = checkDisclosure(literal, network, { ...rules, addressesOnClick: false });
  if (verdict.decision !== 'yes' || isLocal || isUserRequested) return verdict;
  if (!isConfigured) return needsClick(t('Public networks are looked up only when you click.'));
  // A transaction hash can be of any chain: Aptos is looked up without a click only if the text means Aptos.
  return isAptosLiteral(literal)
    ? checkDisclosure(literal, network, rules)
    : needsClick(t('Nothing here says that it belongs to Aptos.'));
}

/** Whether the literal may be a secret, which does not leave this machine even if the user asks for it. */
export function isSecretLiteral(literal: HexLiteral, fileName: string): boolean {
  return checkDisclosure(literal, { isLocal: false, isUserRequested: true }, { ...TYPED, fileName }).isSecret;
}

/**
 * Why texts that the user typed or confirmed must not be sent, even so: one of them has a private key, by its digits or by the
 * words next to it. `null` when they may.
 */
export function findSecretReason(texts: readonly string[]): string | null {
  for (const text of texts) {
    // Between the words of packed data.
    if (/^0x[\da-f]{65,}$/i.test(text) && findDevelopmentAccountWithin(text) !== null)
      return t('A private key is never looked up, not even a well-known one.');
    for (const literal of detectLiterals(text)) {
      const { isSecret, reason } = checkDisclosure(literal, { isLocal: false, isUserRequested: true }, TYPED);
      if (isSecret) return omitRule(reason);
    }
  }
  return null;
}

const needsClick = (reason: string): PrivacyVerdict => ({ decision: 'click', reason, isSecret: false });
