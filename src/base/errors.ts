// The one error class of HexLens and the closed table of what can go wrong.
import { joinLocalizable, type Localizable, type LocalizableText, localizable, localize } from './localize.ts';

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
  readonly fix?: LocalizableText | undefined;
  /** Every field that was refused (`bad-input`). */
  readonly issues?: readonly FieldIssue[] | undefined;
  /** How long the other side asked us to wait, in milliseconds (`rate-limited`). */
  readonly retryAfterMs?: number | undefined;
  /** How far the index was in which it was looked for, where that is behind: later it may be there (`not-found`). */
  readonly indexProgress?: string | undefined;
  /** What message, fix and issues were made of; taken from `message` and `fix` where it is not given. */
  readonly localizable?: LocalizableTexts | undefined;
  readonly cause?: unknown;
}

/** The words of a fault that can be said in another language; what is missing was a plain text. */
export interface LocalizableTexts {
  readonly message?: Localizable | undefined;
  readonly fix?: Localizable | undefined;
  readonly issues?: readonly LocalizableText[] | undefined;
}

/** A fault in structured-clone form: how errors cross the worker port. */
export interface PlainFault extends Omit<FaultOptions, 'cause'> {
  readonly code: FaultCode;
  readonly message: string;
  readonly fix?: string | undefined;
}

const ofWords = (text: LocalizableText | undefined) => (typeof text === 'object' ? text : undefined);
const spokenFix = (fix: LocalizableText | undefined) => (fix === undefined ? undefined : localize(fix));

export class HexLensError extends Error {
  override readonly name = 'HexLensError';
  readonly code: FaultCode;
  readonly details: string | undefined;
  readonly fix: string | undefined;
  readonly issues: readonly FieldIssue[];
  readonly retryAfterMs: number | undefined;
  readonly indexProgress: string | undefined;
  readonly localizable: LocalizableTexts | undefined;

  /** Its texts are in the language of the thread that makes it. */
  constructor(code: FaultCode, message: LocalizableText, options: FaultOptions = {}) {
    super(localize(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.fix = spokenFix(options.fix);
    this.issues = options.issues ?? [];
    this.retryAfterMs = options.retryAfterMs;
    this.indexProgress = options.indexProgress;
    const said = { message: ofWords(message), fix: ofWords(options.fix), ...options.localizable };
    this.localizable = Object.values(said).some(words => words !== undefined) ? said : undefined;
  }

  get status(): number {
    return faults[this.code].status;
  }

  get retryable(): boolean {
    return faults[this.code].retryable;
  }
}

/** The code of any thrown value; a value that is not ours is `internal`, an abort is `cancelled`. */
export function getFaultCode(error: unknown): FaultCode {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code === 'string' && Object.hasOwn(faults, code)) return code as FaultCode;
  if ((error as { name?: unknown } | null | undefined)?.name === 'AbortError') return 'cancelled';
  return 'internal';
}

export function isFault(error: unknown, ...codes: readonly FaultCode[]): boolean {
  return codes.includes(getFaultCode(error));
}

/** Any thrown value as a HexLensError; foreign errors keep their text as details only. */
export function toFault(error: unknown): HexLensError {
  const code = getFaultCode(error);
  if (error instanceof HexLensError) return error;
  // The class exists once per bundle: an error of another bundle is ours all the same.
  if ((error as { name?: unknown } | null | undefined)?.name === 'HexLensError')
    return fromPlainFault(error as PlainFault);
  if (code === 'cancelled')
    return new HexLensError('cancelled', localizable('The request was cancelled.'), { cause: error });
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new HexLensError('internal', localizable('Something went wrong inside HexLens.'), {
    details: text,
    fix: localizable('See the HexLens output for details.'),
    cause: error,
  });
}

export function toPlainFault(error: unknown): PlainFault {
  const { code, message, details, fix, issues, retryAfterMs, indexProgress: index, localizable: said } = toFault(error);
  return { code, message, details, fix, issues, retryAfterMs, indexProgress: index, localizable: said };
}

export function fromPlainFault(plain: PlainFault): HexLensError {
  return new HexLensError(plain.code, plain.message, plain);
}

/** A fault that came over a port, said in the language of this thread as far as its words are known. */
export function localizeFault(plain: PlainFault): HexLensError {
  const { localizable: said = {} } = plain;
  return fromPlainFault({
    ...plain,
    message: said.message === undefined ? plain.message : localize(said.message),
    fix: said.fix === undefined ? plain.fix : localize(said.fix),
    issues: plain.issues?.map((issue, at) => ({ ...issue, message: localize(said.issues?.[at] ?? issue.message) })),
  });
}

/** A refusal of input: one sentence per field, all fields at once. */
export function badInputFault(
  refused: readonly { readonly field: string; readonly message: LocalizableText }[],
): HexLensError {
  const words = refused.map(({ message }) => message);
  const issues = refused.map(({ field, message }) => ({ field, message: localize(message) }));
  if (words.every(text => typeof text === 'string')) return new HexLensError('bad-input', words.join(', '), { issues });
  return new HexLensError('bad-input', joinLocalizable(words, ', '), { issues, localizable: { issues: words } });
}

export function cancelledFault(): HexLensError {
  return new HexLensError('cancelled', localizable('The request was cancelled.'));
}

/** Message and, where there is one, what to do next: the text a person reads. */
export function formatFault(error: unknown): string {
  const fault = toFault(error);
  if (fault.fix === undefined) return fault.message;
  // A host's own words may end without a full stop.
  return `${fault.message}${/[.!?]$/.test(fault.message) ? '' : '.'} ${fault.fix}`;
}

/** All that is known of it, for the log. */
export function formatFaultWithDetails(fault: HexLensError): string {
  return fault.details === undefined ? formatFault(fault) : `${formatFault(fault)} (${fault.details})`;
}
