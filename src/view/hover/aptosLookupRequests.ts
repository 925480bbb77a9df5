// What the network part of a hover asks an Aptos network about a subject, if anything, and whether it may.

import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { isAptosSubject } from '../../detect/aptos/aptosLiteral.ts';
import type { Subject } from '../../detect/hexLiteral.ts';
import { type DepartureVerdict, mayLeave } from '../../detect/privacy.ts';

export type AptosQuestion =
  | { readonly kind: 'address'; readonly address: Hex }
  | { readonly kind: 'coin'; readonly coinType: string }
  | { readonly kind: 'transaction'; readonly transaction: string }
  /** 32 bytes that nothing names: an account or a transaction, if the network knows either. */
  | { readonly kind: 'either'; readonly literal: Hex };

/** `null` when no network of Aptos can answer anything about the subject. */
export function aptosQuestionOf(subject: Subject): AptosQuestion | null {
  switch (subject.kind) {
    case 'aptosAddress':
      return subject.address === null ? null : { kind: 'address', address: subject.address };
    case 'aptosType':
      return subject.form === 'struct' && subject.path !== null ? { kind: 'coin', coinType: subject.path } : null;
    case 'aptosTransaction':
      return { kind: 'transaction', transaction: subject.transaction };
    case 'hash32':
      // A name that says "block" or "state root" speaks of another chain.
      return subject.lookup.includes('transaction') && subject.evidence?.kind !== 'block'
        ? { kind: 'either', literal: subject.hash.toLowerCase() as Hex }
        : null;
    default:
      return null;
  }
}

export interface AskedNetwork {
  readonly name: string;
  readonly local: boolean;
  /** The user wrote this network into the settings; the public ones are there without being asked for. */
  readonly chosen: boolean;
  /** The user clicked "look up" on this literal for this network. */
  readonly userAsked: boolean;
}

export interface AptosRules {
  readonly fileName: string;
  /** `hexlens.privacy.lookUp`: whether addresses wait for a click on networks that are not local. */
  readonly addressesOnClick: boolean;
}

/** Whether the question may go to that network's node and indexer. */
export function mayAskAptos(
  subject: Subject,
  network: AskedNetwork,
  { fileName, addressesOnClick }: AptosRules,
): DepartureVerdict {
  const { local, chosen, userAsked } = network;
  const verdict = mayLeave(subject, { loopbackOnly: local, fileName, userAsked });
  if (verdict.answer !== 'yes' || local || userAsked) return verdict;
  if (!chosen) return { answer: 'click', reason: t('A public network is asked when you say so.') };
  // Evidence of a transaction hash speaks of no chain in particular: Aptos is asked by itself only where it is meant.
  if (!isAptosSubject(subject)) return { answer: 'click', reason: t('Nothing here says that it is of Aptos.') };
  return addressesOnClick && subject.kind === 'aptosAddress'
    ? { answer: 'click', reason: t('Addresses are looked up by a click, as your settings say.') }
    : verdict;
}

/** The network that the text itself names; `null` when it names none. */
export function networkOf(subject: Subject): string | null {
  return 'network' in subject ? subject.network : null;
}
