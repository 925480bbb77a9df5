// How the tree shows a fault: the problem, what to do, and a command that helps.

import { sanitizeText } from '../../base/displayText.ts';
import { type FaultCode, toFault } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';

/** Commands that can fix the cause. */
export type FaultAction = 'connectNode' | 'setApiKey' | 'showOutput';

export interface FaultText {
  readonly label: string;
  /** What to do; may be empty. */
  readonly fix: string;
  readonly icon: string;
  readonly isError: boolean;
  readonly isRetryable: boolean;
  readonly action: FaultAction | null;
}

const actions: Partial<Readonly<Record<FaultCode, FaultAction>>> = {
  'no-node': 'connectNode',
  'node-unreachable': 'connectNode',
  'egress-refused': 'connectNode',
  unauthorized: 'setApiKey',
  internal: 'showOutput',
};

/** Shown as information: nothing is broken, and a retry does not help. */
const infoCodes: readonly FaultCode[] = ['not-implemented', 'removed', 'not-found'];

/** Faults that were received over HTTP have the fix in their message, after the first sentence. */
function splitFirstSentence(message: string): readonly [first: string, rest: string] {
  const end = /[.!?] (?=\p{Lu})/u.exec(message);
  return end === null ? [message, ''] : [message.slice(0, end.index + 1), message.slice(end.index + 2)];
}

function getFix(code: FaultCode, rest: string, fix: string): string {
  // The fix of the service is about its command line.
  if (code === 'no-node') return t('Connect a node for this chain, or remove the chain from the entry.');
  return [rest, fix].filter(text => text !== '').join(' ');
}

export function toFaultText(error: unknown): FaultText {
  const { code, message, fix = '' } = toFault(error);
  const isInfo = infoCodes.includes(code);
  const isMissing = code === 'not-implemented';
  const [first, rest] = splitFirstSentence(sanitizeText(message, 600));
  return {
    label: isMissing ? t('Not available here yet') : sanitizeText(first, 200),
    fix: isMissing ? sanitizeText(message, 400) : sanitizeText(getFix(code, rest, fix), 400),
    icon: isInfo ? 'info' : 'error',
    isError: !isInfo,
    isRetryable: !isMissing && code !== 'removed',
    action: actions[code] ?? null,
  };
}
