// Whether what a literal says may leave this machine: yes, after a click, or never, and why.
import { t } from '../base/localize.ts';
import type { Subject } from './hexLiteral.ts';

export type Departure = 'yes' | 'click' | 'never';

export interface DepartureVerdict {
  readonly answer: Departure;
  /** One sentence for the person who hovers. */
  readonly reason: string;
}

export interface DepartureFacts {
  /** Every node or host that would be asked is on this machine. */
  readonly loopbackOnly: boolean;
  /** Path or name of the file, with either slash. */
  readonly fileName?: string | undefined;
  /** The user clicked "look up" on exactly this literal. */
  readonly userAsked?: boolean | undefined;
}

const SECRET_FILE =
  /^(?:\.env(?:$|[.\-_]).*|.*\.env|\.envrc|\.dev\.vars|\.?secrets?(?:\..*)?|\.npmrc|.*\.(?:key|pem)|utc--.*)$/i;

/** Files that exist to hold secrets: `.env*`, `.dev.vars`, `secrets.*`, key stores. */
export function isSecretFile(fileName: string | undefined): boolean {
  return fileName !== undefined && SECRET_FILE.test(fileName.split(/[\\/]/).at(-1) ?? '');
}

const verdict = (answer: Departure, reason: string): DepartureVerdict => ({ answer, reason });

/** The rule for what goes to nodes and hosts (design, "What leaves the machine", 2). */
export function mayLeave(
  subject: Subject,
  { loopbackOnly, fileName, userAsked = false }: DepartureFacts,
): DepartureVerdict {
  switch (subject.kind) {
    case 'address':
    case 'paddedAddress': {
      if (!subject.lookup) return verdict('never', 'No chain has anything to say about this address.');
      if (loopbackOnly) return LOOPBACK;
      if (subject.kind === 'paddedAddress' && subject.secret !== null) return secretVerdict(subject.secret);
      return verdict('yes', 'An address is public.');
    }
    case 'aptosAddress': {
      if (subject.address === null) return verdict('never', 'Nobody says which address this name stands for.');
      if (loopbackOnly) return LOOPBACK;
      if (subject.secret !== null) return secretVerdict(subject.secret);
      if (subject.evidence.by === 'syntax') return verdict('yes', 'An address is public.');
      if (isSecretFile(fileName))
        return verdict('never', 'This file holds secrets, and 32 bytes may be a private key.');
      if (subject.evidence.by === 'word')
        return verdict('yes', `It is an address: "${subject.evidence.word}" says so.`);
      if (userAsked) return verdict('yes', 'You asked for it.');
      return verdict(
        'click',
        t('32 bytes may be a private key, and "{0}" may stand before one.', subject.evidence.word),
      );
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
      if (subject.lookup.length === 0) return verdict('never', 'No node can find anything by this hash.');
      if (loopbackOnly) return LOOPBACK;
      if (subject.secret !== null) return secretVerdict(subject.secret);
      if (isSecretFile(fileName))
        return verdict('never', 'This file holds secrets, and 32 bytes may be a private key.');
      if (subject.evidence !== null) return verdict('yes', `It is a hash: "${subject.evidence.word}" says so.`);
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

function secretVerdict(word: string): DepartureVerdict {
  return verdict('never', `"${word}" next to it says that this may be a secret.`);
}
