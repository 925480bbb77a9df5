// Whether what a literal says may leave this machine: yes, after a click, or never, and why.
import { t } from '../base/localize.ts';
import type { HexLiteral } from './hexLiteral.ts';

export type PrivacyDecision = 'yes' | 'click' | 'never';

export interface PrivacyVerdict {
  readonly decision: PrivacyDecision;
  /** One sentence for the person who hovers. */
  readonly reason: string;
}

export interface PrivacyFacts {
  /** Every node or host that would be asked is on this machine. */
  readonly loopbackOnly: boolean;
  /** Path or name of the file, with either slash. */
  readonly fileName?: string | undefined;
  /** The user clicked "look up" on exactly this literal. */
  readonly userRequested?: boolean | undefined;
}

const SECRET_FILE =
  /^(?:\.env(?:$|[.\-_]).*|.*\.env|\.envrc|\.dev\.vars|\.?secrets?(?:\..*)?|\.npmrc|.*\.(?:key|pem)|utc--.*)$/i;

/** Files that exist to hold secrets: `.env*`, `.dev.vars`, `secrets.*`, key stores. */
export function isSecretFile(fileName: string | undefined): boolean {
  return fileName !== undefined && SECRET_FILE.test(fileName.split(/[\\/]/).at(-1) ?? '');
}

const verdict = (answer: PrivacyDecision, reason: string): PrivacyVerdict => ({ decision: answer, reason });

/** The rule for what goes to nodes and hosts (design, "What leaves the machine", 2). */
export function getPrivacyVerdict(
  subject: HexLiteral,
  { loopbackOnly, fileName, userRequested: userAsked = false }: PrivacyFacts,
): PrivacyVerdict {
  switch (subject.kind) {
    case 'address':
    case 'paddedAddress': {
      if (!subject.canLookUp) return verdict('never', 'No chain has anything to say about this address.');
      if (loopbackOnly) return LOOPBACK;
      if (subject.kind === 'paddedAddress' && subject.secretWord !== null) return secretVerdict(subject.secretWord);
      return verdict('yes', 'An address is public.');
    }
    case 'aptosAddress': {
      if (subject.address === null) return verdict('never', 'Nobody says which address this name stands for.');
      if (loopbackOnly) return LOOPBACK;
      if (subject.secretWord !== null) return secretVerdict(subject.secretWord);
      if (subject.hint.basis === 'syntax') return verdict('yes', 'An address is public.');
      if (isSecretFile(fileName))
        return verdict('never', 'This file holds secrets, and 32 bytes may be a private key.');
      if (subject.hint.basis === 'word') return verdict('yes', `It is an address: "${subject.hint.word}" says so.`);
      if (userAsked) return verdict('yes', 'You asked for it.');
      return verdict('click', t('32 bytes may be a private key, and "{0}" may stand before one.', subject.hint.word));
    }
    case 'aptosType':
      return subject.path === null
        ? verdict('never', 'Nobody says which address a name in it stands for.')
        : verdict('yes', 'A type is public.');
    case 'aptosTransaction':
      if (loopbackOnly) return LOOPBACK;
      if (subject.by === 'hash' && isSecretFile(fileName))
        return verdict('never', 'This file holds secrets, and 32 bytes may be a private key.');
      return verdict('yes', `It is a transaction: "${subject.word}" says so.`);
    case 'aptosBlock':
      return verdict('yes', 'A block height is public.');
    case 'blockNumber':
      return verdict('yes', 'A block number is public.');
    case 'hash32': {
      if (subject.lookupOrder.length === 0) return verdict('never', 'No node can find anything by this hash.');
      if (loopbackOnly) return LOOPBACK;
      if (subject.secretWord !== null) return secretVerdict(subject.secretWord);
      if (isSecretFile(fileName))
        return verdict('never', 'This file holds secrets, and 32 bytes may be a private key.');
      if (subject.hint !== null) return verdict('yes', `It is a hash: "${subject.hint.word}" says so.`);
      if (userAsked) return verdict('yes', 'You asked for it.');
      return verdict('click', t('32 bytes may be a private key, and nothing here says that this is a hash.'));
    }
    case 'developmentKey':
      return verdict('never', 'A private key is never looked up, not even a well-known one.');
    case 'truncated':
      return verdict('never', 'Digits are missing, so there is nothing to look up.');
    case 'nearMiss':
      return verdict('never', 'It has the wrong number of digits, so there is nothing to look up.');
    case 'topic':
    case 'constant':
    case 'selector':
      return verdict('never', 'HexLens knows this one itself.');
    case 'word':
    case 'data':
      return verdict('never', 'It is a value, not something a chain can be asked about.');
  }
}

const LOOPBACK = verdict('yes', 'Only nodes on this machine are asked.');

function secretVerdict(word: string): PrivacyVerdict {
  return verdict('never', `"${word}" next to it says that this may be a secret.`);
}
