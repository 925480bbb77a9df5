// The error class of HexLens and the closed table of fault codes.
import { joinLocalizable, type Localizable, type LocalizableText, localizable, localize } from './localize.ts';

/** HTTP status of each code, and whether a retry may succeed. Decide by code, never by text. */
export const faults = {
  'bad-input': { status: 400, retryable: false },
  'no-node': { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  'egress-refused': { status: 403, retryable: false },
  'not-found': { status: 404, retryable: false },
  'method-not-allowed': { status: 405, retryable: false },
  'chain-changed': { status: 409, retryable: false },
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
  'store-unavailable': { status: 503, retryable: true },
  'node-timeout': { status: 504, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type FaultCode = keyof typeof faults;

/** A problem with one input field. */
export interface FieldIssue {
  /** Name on the wire. */
  readonly field: string;
  readonly message: string;
}

export interface FaultOptions {
  /** Facts for the log: never a key, never a full URL. */
  readonly details?: string | undefined;
  /** One sentence about what to do next. */
  readonly fix?: LocalizableText | undefined;
  /** All rejected fields (`bad-input`). */
  readonly issues?: readonly FieldIssue[] | undefined;
  /** How long the other side wants us to wait, in milliseconds (`rate-limited`). */
  readonly retryAfterMs?: number | undefined;
  /** How far an incomplete index had come: the record may appear later (`not-found`). */
  readonly indexProgress?: string | undefined;
  /** The texts that can be translated; by default `message` and `fix`, where they are localizable. */
  readonly localizable?: LocalizableTexts | undefined;
  readonly cause?: unknown;
}

/** Texts of a fault that can be shown in another language; absent ones are plain strings. */
export interface LocalizableTexts {
  readonly message?: Localizable | undefined;
  readonly fix?: Localizable | undefined;
  readonly issues?: readonly LocalizableText[] | undefined;
}

/** A fault as plain data, which can be posted to another thread. */
export interface PlainFault extends Omit<FaultOptions, 'cause'> {
  readonly code: FaultCode;
  readonly message: string;
  readonly fix?: string | undefined;
}

const onlyLocalizable = (text: LocalizableText | undefined) => (typeof text === 'object' ? text : undefined);

/**
 * Every error that HexLens throws on purpose. Texts are in the language of the thread that creates it.
 *
 * @example
 * ```ts
 * throw new HexLensError('not-found', 'Block not found', { fix: 'Check the block number and the chain.' });
 * ```
 */
export class HexLensError extends Error {
  override readonly name = 'HexLensError';
  readonly code: FaultCode;
  readonly details: string | undefined;
  readonly fix: string | undefined;
  readonly issues: readonly FieldIssue[];
  readonly retryAfterMs: number | undefined;
  readonly indexProgress: string | undefined;
  readonly localizable: LocalizableTexts | undefined;

  constructor(code: FaultCode, message: LocalizableText, options: FaultOptions = {}) {
    super(localize(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.fix = options.fix === undefined ? undefined : localize(options.fix);
    this.issues = options.issues ?? [];
    this.retryAfterMs = options.retryAfterMs;
    this.indexProgress = options.indexProgress;
    const texts = { message: onlyLocalizable(message), fix: onlyLocalizable(options.fix), ...options.localizable };
    this.localizable = Object.values(texts).some(text => text !== undefined) ? texts : undefined;
  }

  get status(): number {
    return faults[this.code].status;
  }

  get retryable(): boolean {
    return faults[this.code].retryable;
  }
}

/** The code of any thrown value: `cancelled` for an AbortError, `internal` for everything that is not ours. */
export function getFaultCode(error: unknown): FaultCode {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code === 'string' && Object.hasOwn(faults, code)) return code as FaultCode;
  if ((error as { name?: unknown } | null | undefined)?.name === 'AbortError') return 'cancelled';
  return 'internal';
}

/** Whether the thrown value has one of these codes. */
export function isFault(error: unknown, ...codes: readonly [FaultCode, ...FaultCode[]]): boolean {
  return codes.includes(getFaultCode(error));
}

/** The node or host does not respond, or none may be used: what was read before is not refuted by it. */
export const isNodeFault = (error: unknown): boolean =>
  isFault(error, 'node-unreachable', 'no-node', 'node-timeout', 'egress-refused', 'unauthorized');

/** Any thrown value as a HexLensError; the text of a foreign error is used as details only. */
export function toFault(error: unknown): HexLensError {
  const code = getFaultCode(error);
  if (error instanceof HexLensError) return error;
  // The class exists once per bundle: an error of another bundle has the name, but is no instance of this class.
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
  const { code, message, details, fix, issues, retryAfterMs, indexProgress, localizable } = toFault(error);
  return { code, message, details, fix, issues, retryAfterMs, indexProgress, localizable };
}

export function fromPlainFault(plain: PlainFault): HexLensError {
  return new HexLensError(plain.code, plain.message, plain);
}

/** A fault of another thread, with its localizable texts in the language of this one. */
export function localizeFault(plain: PlainFault): HexLensError {
  const { message, fix, issues } = plain.localizable ?? {};
  return fromPlainFault({
    ...plain,
    message: message === undefined ? plain.message : localize(message),
    fix: fix === undefined ? plain.fix : localize(fix),
    issues: plain.issues?.map((issue, index) => ({ ...issue, message: localize(issues?.[index] ?? issue.message) })),
  });
}

/** `bad-input` with one message per rejected field, all fields at once. */
export function createBadInputFault(
  rejected: readonly { readonly field: string; readonly message: LocalizableText }[],
): HexLensError {
  const messages = rejected.map(({ message }) => message);
  const issues = rejected.map(({ field, message }) => ({ field, message: localize(message) }));
  if (messages.every(text => typeof text === 'string'))
    return new HexLensError('bad-input', messages.join(', '), { issues });
  return new HexLensError('bad-input', joinLocalizable(messages, ', '), { issues, localizable: { issues: messages } });
}

export function createCancelledFault(): HexLensError {
  return new HexLensError('cancelled', localizable('The request was cancelled.'));
}

/** Message and fix in one text, for people. */
export function formatFault(error: unknown): string {
  const fault = toFault(error);
  if (fault.fix === undefined) return fault.message;
  // Messages of remote hosts may end without a full stop.
  return `${fault.message}${/[.!?]$/.test(fault.message) ? '' : '.'} ${fault.fix}`;
}

/** Message, fix and details, for the log. */
export function formatFaultWithDetails(fault: HexLensError): string {
  return fault.details === undefined ? formatFault(fault) : `${formatFault(fault)} (${fault.details})`;
}
