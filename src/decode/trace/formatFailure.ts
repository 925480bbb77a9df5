// Why a traced transaction failed, in one line: the decoded error, or what the EVM says, each with its own sentence.
import type { FailureReason, TransactionStack } from '../../api/transactionStack.ts';
import type { HaltReason, TracedCall, TransactionTrace } from '../../api/transactionTrace.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { type DecodedItemFormat, formatRevertData } from '../formatDecodedItem.ts';

export interface FailureText {
  /** `revert`, `panic`, what the source says of a revert without data, or why the EVM halted. */
  readonly kind: 'revert' | 'panic' | SourceReason | HaltReason;
  /** Untrusted: sanitize it where it is shown. */
  readonly text: string;
}

/** What the source says of a revert without data. */
type SourceReason = Exclude<FailureReason, 'reverted' | 'outOfGas' | 'halted'>;

const SOURCE_TEXTS: Readonly<Record<SourceReason, () => string>> = {
  notPayable: () => t('Ether was sent to a function that is not payable'),
  unknownFunction: () => t('The contract has no such function, and no fallback function'),
  noReceive: () => t('The contract has no receive function, and no fallback function'),
  invalidCalldata: () => t('The arguments do not fit the function'),
  noCode: () => t('Call to an address without code'),
  shortReturnData: () => t('The called contract returned less than its type needs'),
};

const isSourceReason = (reason: FailureReason): reason is SourceReason => reason in SOURCE_TEXTS;

/** Why a call reverted without data; `null` where its source does not say more than what it returned. */
export const formatSourceReason = (reason: FailureReason): string | null =>
  isSourceReason(reason) ? SOURCE_TEXTS[reason]() : null;

const HALT_TEXTS: Readonly<Record<HaltReason, (gasLimit: string) => string>> = {
  outOfGas: gasLimit => t('Out of gas: the call had {0} gas', gasLimit),
  stackUnderflow: () => t('Stack underflow'),
  stackOverflow: () => t('Stack overflow'),
  invalidOpcode: () => t('Invalid instruction, which older compilers use for failed assertions'),
  badJump: () => t('Jump to a place that is no jump target'),
  staticStateChange: () => t('Change of state in a static call'),
  returnDataOutOfBounds: () => t('Read beyond the returned data'),
  codeSizeLimit: () => t('The code of the new contract is longer than 24,576 bytes (EIP-170)'),
  initCodeSizeLimit: () => t('The init code is longer than 49,152 bytes (EIP-3860)'),
  codeBeginsWithEf: () => t('The code of the new contract begins with 0xEF (EIP-3541)'),
  addressCollision: () => t('There is a contract at the address of the new one already'),
  depth: () => t('The call was not made: 1,024 calls were open'),
  insufficientBalance: () => t('The call was not made: the caller has less than it sends'),
  nonceOverflow: () => t('The creation was not made: the nonce of the creator is at its end'),
  precompile: () => t('The precompiled contract rejected its input'),
  other: () => t('The EVM halted'),
};

/** The failure of a call itself; `data` is what it returned. */
export function formatCallFailure(
  call: Pick<TracedCall, 'status' | 'haltReason' | 'gasLimit' | 'output'>,
  format: DecodedItemFormat,
): FailureText | null {
  if (call.status === 'success') return null;
  if (call.status === 'exceptional') {
    const reason = call.haltReason ?? 'other';
    return { kind: reason, text: HALT_TEXTS[reason](formatInteger(call.gasLimit)) };
  }
  const data = call.output;
  if (data === '0x') return { kind: 'revert', text: t('Reverted without a reason') };
  const { text, error } = formatRevertData(data, format);
  return { kind: error?.canonical === 'Panic(uint256)' ? 'panic' : 'revert', text };
}

/**
 * Why the transaction failed: by the call in which it failed first. `null` for a successful one. `stack`: what its source
 * says, where that is known; it tells a failure that was passed on from one that was caught.
 */
export function formatTraceFailure(
  trace: TransactionTrace,
  format: DecodedItemFormat,
  stack: Pick<TransactionStack, 'reason' | 'call'> | null = null,
): FailureText | null {
  if (trace.failure === null) return null;
  if (stack !== null && isSourceReason(stack.reason)) return { kind: stack.reason, text: SOURCE_TEXTS[stack.reason]() };
  const failed = stack === null ? undefined : trace.calls[stack.call];
  if (failed !== undefined) return formatCallFailure(failed, format);
  const { call, status, haltReason, data } = trace.failure;
  const { gasLimit = 0 } = trace.calls[call] ?? {};
  return formatCallFailure({ status, haltReason, gasLimit, output: data }, format);
}
