// Error bodies: written in each group's shape, read in any shape that a host may use.
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
  409: 'Conflict',
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

/** The message for clients. The fix of an internal fault may name folders of this machine, so it is only logged. */
function getPublicMessage(fault: HexLensError): string {
  if (fault.code !== 'internal' || fault.fix === undefined) return formatFault(fault);
  return `${fault.message} See the log of the service.`;
}

/** The body of an error response of our service: A `{statusCode,name,message}`, B `{message}`, C `{statusCode,message[],error}`. */
export function encodeFaultBody(group: ApiGroup, fault: HexLensError): Readonly<Record<string, unknown>> {
  const { status } = fault;
  const message = getPublicMessage(fault);
  if (group === 'auth') return { statusCode: status, name: AUTH_NAMES[status] ?? 'HttpException', message };
  if (group === 'evm') return { message };
  const messages = fault.issues.length > 0 ? fault.issues.map(issue => issue.message) : [message];
  return { statusCode: status, message: messages, error: REASONS[status] ?? 'Error' };
}

/** The message in a host's error body: a string, a list, or nested under `error`; `null` when there is none. */
export function parseFaultMessage(body: unknown, depth = 3): string | null {
  // Limited, since a malicious host could nest deeper than the stack.
  if (depth === 0 || body === null || typeof body !== 'object') return null;
  const { message, error } = body as { message?: unknown; error?: unknown };
  const value = message ?? error;
  // Some hosts print a missing message as a word.
  if (typeof value === 'string') return /^(?:null|undefined)?$/.test(value.trim()) ? null : value.slice(0, 500);
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
  409: 'chain-changed',
  410: 'removed',
  413: 'too-large',
  422: 'bad-input',
  424: 'unauthorized',
  429: 'rate-limited',
  501: 'not-implemented',
  504: 'node-timeout',
};

const QUOTA = /quota|usage|consumed|upgrade your plan|plan/i;

/**
 * The fault that a host's error response means.
 *
 * @param host Display name; never a URL, which may hold a key.
 */
export function faultFromResponse(
  host: string,
  status: number,
  body: unknown,
  retryAfterMs?: number,
  group?: ApiGroup,
): HexLensError {
  const hostMessage = parseFaultMessage(body);
  const code = CODES[status] ?? 'host-error';
  const details = `${host} responded ${status}${hostMessage === null ? '' : `: ${hostMessage}`}`;
  // Group A also rejects sign-in messages with 401: its message is then not about a key.
  if (code === 'unauthorized' && group === 'auth' && hostMessage !== null && !/key|token|quota|plan/i.test(hostMessage))
    return new HexLensError('unauthorized', hostMessage, { details });
  if (code === 'unauthorized') {
    return hostMessage !== null && QUOTA.test(hostMessage)
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
  const statusText = reason === undefined ? status : `${status} (${reason})`;
  const message: LocalizableText =
    hostMessage ?? localizable('{0} responded with status {1} and no readable text.', host, statusText);
  return new HexLensError(code, message, {
    details,
    retryAfterMs,
    ...(faults[code].retryable && { fix: localizable('Try again later.') }),
  });
}
