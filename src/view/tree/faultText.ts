// What the tree says where an answer should stand: what went wrong, what to do, and which step of ours helps.

import { asFault, type FaultCode } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { plainText } from '../hover/text.ts';

/** Commands that mend it. */
export type FaultAction = 'connectNode' | 'setApiKey' | 'showOutput';

export interface FaultText {
  readonly label: string;
  /** What to do; empty when nothing is known. */
  readonly fix: string;
  readonly icon: string;
  readonly red: boolean;
  readonly retryable: boolean;
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

export function faultOf(error: unknown): FaultText {
  const { code, message, fix } = asFault(error);
  const quiet = calm.includes(code);
  return {
    label: code === 'not-implemented' ? t('Not available here yet') : plainText(message, 200),
    fix: plainText(code === 'not-implemented' ? message : (fix ?? ''), 400),
    icon: quiet ? 'info' : 'error',
    red: !quiet,
    retryable: code !== 'not-implemented' && code !== 'removed',
    action: actions[code] ?? null,
  };
}
