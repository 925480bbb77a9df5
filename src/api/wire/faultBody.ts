// Error bodies: each group's own shape, and what a client can read out of any host's.
import { type FaultCode, faults, formatFault, HexLensError } from '../../base/errors.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import type { ApiGroup } from '../operations/operation.ts';

const AUTH_NAMES: Partial<Record<number, string>> = {
  400: 'BadRequestException',
  401: 'UnauthorizedException',
  404: 'NotFoundException',
  429: 'TooManyRequestsException',
};

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  499: 'Client Closed Request',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** What callers are told: how to mend what broke inside may name folders of this machine, so it stands in the log only. */
function told(fault: HexLensError): string {
  if (fault.code !== 'internal' || fault.fix === undefined) return formatFault(fault);
  return `${fault.message} The log of the service says what to do.`;
}

/** The body that our service answers a fault with: A `{statusCode,name,message}`, B `{message}`, C `{statusCode,message[],error}`. */
export function encodeFaultBody(group: ApiGroup, fault: HexLensError): Readonly<Record<string, unknown>> {
  const { status } = fault;
  const message = told(fault);
  if (group === 'auth') return { statusCode: status, name: AUTH_NAMES[status] ?? 'HttpException', message };
  if (group === 'evm') return { message };
  const messages = fault.issues.length > 0 ? fault.issues.map(issue => issue.message) : [message];
  return { statusCode: status, message: messages, error: REASONS[status] ?? 'Error' };
}

/** The text that a host put into an error body: a string, a list, nested under `error`, or nothing readable. */
export function parseFaultMessage(body: unknown, depth = 3): string | null {
  // A hostile host can nest deeper than the stack is.
  if (depth === 0 || body === null || typeof body !== 'object') return null;
  const { message, error } = body as { message?: unknown; error?: unknown };
  const value = message ?? error;
  // Hosts also print a missing text as a word.
  if (typeof value === 'string') return /^\s*(null|undefined)?\s*$/.test(value) ? null : value.slice(0, 500);
  if (Array.isArray(value))
    return (
      value
        .filter(item => typeof item === 'string')
        .join(', ')
        .slice(0, 500) || null
    );
  return typeof value === 'object' ? parseFaultMessage(value, depth - 1) : null;
}

const CODES: Readonly<Record<number, FaultCode>> = {
  400: 'bad-input',
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not-found',
  405: 'method-not-allowed',
  410: 'removed',
  413: 'too-large',
  422: 'bad-input',
  424: 'unauthorized',
  429: 'rate-limited',
  501: 'not-implemented',
  504: 'node-timeout',
};

const QUOTA = /quota|usage|consumed|upgrade your plan|plan/i;

/** The fault that a host's answer means. `host` is a name for people, never a URL with a key. */
export function faultFromResponse(
  host: string,
  status: number,
  body: unknown,
  retryAfterMs?: number,
  group?: ApiGroup,
): HexLensError {
  const said = parseFaultMessage(body);
  const code = CODES[status] ?? 'host-error';
  const details = `${host} answered ${status}${said === null ? '' : `: ${said}`}`;
  // Group A also refuses a sign-in with 401: then it speaks of the message, not of a key.
  if (code === 'unauthorized' && group === 'auth' && said !== null && !/key|token|quota|plan/i.test(said))
    return new HexLensError('unauthorized', said, { details });
  if (code === 'unauthorized') {
    return said !== null && QUOTA.test(said)
      ? new HexLensError('unauthorized', localizable("{0} says the plan's quota is used up.", host), {
          details,
          fix: localizable('Wait for the next period, upgrade the plan, or use the embedded service.'),
        })
      : new HexLensError('unauthorized', localizable('{0} does not accept the API key.', host), {
          details,
          fix: localizable('Set it again with "HexLens: Set API Key".'),
        });
  }
  if (code === 'removed') {
    return new HexLensError('removed', localizable('{0} no longer has this operation.', host), {
      details,
      fix: localizable('Use the embedded service for this group: it still has it.'),
    });
  }
  if (code === 'rate-limited') {
    return new HexLensError('rate-limited', localizable('{0} is limiting requests.', host), {
      details,
      retryAfterMs,
      fix: localizable('Try again in a moment.'),
    });
  }
  const reason = REASONS[status];
  const answered = reason === undefined ? status : `${status} (${reason})`;
  const message: LocalizableText =
    said ?? localizable('{0} answered with status {1} and no readable text.', host, answered);
  return new HexLensError(code, message, {
    details,
    retryAfterMs,
    ...(faults[code].retryable && { fix: localizable('Try again later.') }),
  });
}
