// The one error class of HexLens and the closed table of what can go wrong.

/** What each code means to a caller: HTTP status, whether trying again can help. Ask by code, never by text. */
export const faults = {
  'bad-input': { status: 400, retryable: false },
  'no-node': { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  'egress-refused': { status: 403, retryable: false },
  'not-found': { status: 404, retryable: false },
  'method-not-allowed': { status: 405, retryable: false },
  removed: { status: 410, retryable: false },
  'too-large': { status: 413, retryable: false },
  'rate-limited': { status: 429, retryable: true },
  cancelled: { status: 499, retryable: false },
  internal: { status: 500, retryable: false },
  'not-implemented': { status: 501, retryable: false },
  'node-unreachable': { status: 502, retryable: true },
  'node-answer': { status: 502, retryable: true },
  'node-error': { status: 502, retryable: false },
  'host-error': { status: 502, retryable: true },
  'backend-stopped': { status: 503, retryable: true },
  'node-timeout': { status: 504, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type FaultCode = keyof typeof faults;

/** One complaint about one input field; `field` is the wire name the caller wrote. */
export interface FieldIssue {
  readonly field: string;
  readonly message: string;
}

export interface FaultOptions {
  /** What was seen, for the log: never a key, never a full URL. */
  readonly details?: string | undefined;
  /** One sentence that says what to do next. */
  readonly fix?: string | undefined;
  /** Every field that was refused (`bad-input`). */
  readonly issues?: readonly FieldIssue[] | undefined;
  /** How long the other side asked us to wait, in milliseconds (`rate-limited`). */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A fault in structured-clone form: how errors cross the worker port. */
export interface PlainFault extends Omit<FaultOptions, 'cause'> {
  readonly code: FaultCode;
  readonly message: string;
}

export class HexLensError extends Error {
  override readonly name = 'HexLensError';
  readonly code: FaultCode;
  readonly details: string | undefined;
  readonly fix: string | undefined;
  readonly issues: readonly FieldIssue[];
  readonly retryAfterMs: number | undefined;

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.fix = options.fix;
    this.issues = options.issues ?? [];
    this.retryAfterMs = options.retryAfterMs;
  }

  get status(): number {
    return faults[this.code].status;
  }

  get retryable(): boolean {
    return faults[this.code].retryable;
  }
}

/** The code of any thrown value; a value that is not ours is `internal`, an abort is `cancelled`. */
export function faultCode(error: unknown): FaultCode {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code === 'string' && Object.hasOwn(faults, code)) return code as FaultCode;
  if ((error as { name?: unknown } | null | undefined)?.name === 'AbortError') return 'cancelled';
  return 'internal';
}

export function isFault(error: unknown, ...codes: readonly FaultCode[]): boolean {
  return codes.includes(faultCode(error));
}

/** Any thrown value as a HexLensError; foreign errors keep their text as details only. */
export function asFault(error: unknown): HexLensError {
  const code = faultCode(error);
  if (error instanceof HexLensError) return error;
  // The class exists once per bundle: an error of another bundle is ours all the same.
  if ((error as { name?: unknown } | null | undefined)?.name === 'HexLensError')
    return fromPlainFault(error as PlainFault);
  if (code === 'cancelled') return new HexLensError('cancelled', 'The request was cancelled.', { cause: error });
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new HexLensError('internal', 'Something went wrong inside HexLens.', {
    details: text,
    fix: 'See the HexLens output for details.',
    cause: error,
  });
}

export function toPlainFault(error: unknown): PlainFault {
  const { code, message, details, fix, issues, retryAfterMs } = asFault(error);
  return { code, message, details, fix, issues, retryAfterMs };
}

export function fromPlainFault(plain: PlainFault): HexLensError {
  return new HexLensError(plain.code, plain.message, plain);
}

/** A refusal of input: one sentence per field, all fields at once. */
export function badInput(issues: readonly FieldIssue[]): HexLensError {
  return new HexLensError('bad-input', issues.map(issue => issue.message).join(', '), { issues });
}

export function cancelled(): HexLensError {
  return new HexLensError('cancelled', 'The request was cancelled.');
}

/** Message and, where there is one, what to do next: the text a person reads. */
export function readable(error: unknown): string {
  const fault = asFault(error);
  if (fault.fix === undefined) return fault.message;
  // A host's own words may end without a full stop.
  return `${fault.message}${/[.!?]$/.test(fault.message) ? '' : '.'} ${fault.fix}`;
}
