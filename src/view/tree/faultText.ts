// What the tree says where an answer should stand: what went wrong, what to do, and which step of ours helps.

import { sanitizeText } from '../../base/displayText.ts';
import { type FaultCode, toFault } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';

/** Commands that mend it. */
export type FaultAction = 'connectNode' | 'setApiKey' | 'showOutput';

export interface FaultText {
  readonly label: string;
  /** What to do; empty when nothing is known. */
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

/** Not there (yet, any more) is no failure: nothing is broken, and asking again changes nothing. */
const calm: readonly FaultCode[] = ['not-implemented', 'removed', 'not-found'];

/** The first sentence, and what follows it: a fault that came over a wire has its fix in its message. */
function sentences(message: string): readonly [first: string, rest: string] {
  const end = /[.!?] (?=\p{Lu})/u.exec(message);
  return end === null ? [message, ''] : [message.slice(0, end.index + 1), message.slice(end.index + 2)];
}

function fixOf(code: FaultCode, rest: string, fix: string): string {
  // The service's words name its command line; here it is a click.
  if (code === 'no-node') return t('Connect a node for this chain, or take the chain off the entry.');
  return [rest, fix].filter(text => text !== '').join(' ');
}

export function toFaultText(error: unknown): FaultText {
  const { code, message, fix = '' } = toFault(error);
  const quiet = calm.includes(code);
  const missing = code === 'not-implemented';
  const [first, rest] = sentences(sanitizeText(message, 600));
  return {
    label: missing ? t('Not available here yet') : sanitizeText(first, 200),
    fix: missing ? sanitizeText(message, 400) : sanitizeText(fixOf(code, rest, fix), 400),
    icon: quiet ? 'info' : 'error',
    isError: !quiet,
    isRetryable: !missing && code !== 'removed',
    action: actions[code] ?? null,
  };
}
