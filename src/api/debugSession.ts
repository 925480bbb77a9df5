// What a debugger asks the service about a traced transaction. A position is a step of the trace: the service keeps none.

import type { Hex } from '../base/hex.ts';
import type { LocalizableText } from '../base/localize.ts';
import type { TypeIndex } from './contractDeclarations.ts';
import type { BuiltSource, MatchedCode, SourcePosition } from './transactionStack.ts';

export type DebugOperation = 'next' | 'stepIn' | 'stepOut' | 'stepBack';
export type DebugGranularity = 'statement' | 'line' | 'instruction';

/** A source of the builds; `id` is its number in the session. */
export type DebugSource = Omit<BuiltSource, 'text'>;

export interface DebugPlace {
  readonly source: number;
  readonly start: SourcePosition;
  readonly end: SourcePosition;
}

/** A running function, the innermost first. */
export interface DebugStackFrame {
  /** Index of the call in the trace. */
  readonly call: number;
  /** `null`: no build is known for the code. */
  readonly contract: string | null;
  readonly functionName: string | null;
  /** Whose storage is used. */
  readonly address: Hex;
  readonly place: DebugPlace | null;
  /** Concluded from the source: the optimizer left no trace of its call. */
  readonly isInferred: boolean;
  readonly step: number;
  readonly instruction: DebugInstructionReference;
}

export interface DebugInstructionReference {
  /** Number of the code in the session. */
  readonly code: number;
  readonly pc: number;
}

export interface DebugInstruction extends DebugInstructionReference {
  readonly bytes: Hex;
  /** `PUSH1 0x80`. */
  readonly text: string;
  readonly place: DebugPlace | null;
}

export interface DebugBreakpoint {
  /** Chosen by the client. */
  readonly id: number;
  readonly at:
    | { readonly kind: 'statement'; readonly source: number; readonly line: number }
    | ({ readonly kind: 'instruction' } & DebugInstructionReference)
    /** `Vault.withdraw` or `withdraw`. */
    | { readonly kind: 'function'; readonly name: string }
    | ({ readonly kind: 'write' } & DebugSlot);
  /** Evaluated there; the breakpoint holds where it is true. */
  readonly condition?: string;
  /** How often it must have been hit, such as `3`, `>= 3` or `% 10`. */
  readonly hitCondition?: string;
  /** Written instead of stopping; expressions are in braces. */
  readonly logMessage?: string;
}

export type DebugFilter = 'reverts' | 'caughtReverts';

export interface DebugRunResult {
  /** `null`: nothing more stops it. */
  readonly step: number | null;
  readonly reason:
    | 'breakpoint'
    | 'instruction breakpoint'
    | 'function breakpoint'
    | 'data breakpoint'
    | 'exception'
    | null;
  readonly breakpoints: readonly number[];
  /** What breakpoints write, and what is wrong with their conditions, in order. */
  readonly messages: readonly LocalizableText[];
}

/** A value, or a part of one, whose members are read later. */
export type DebugReference =
  | { readonly kind: 'scope'; readonly scope: DebugScope }
  | { readonly kind: 'group'; readonly group: 'msg' | 'tx' | 'block' | 'stack' }
  | {
      readonly kind: 'value';
      readonly location: 'storage' | 'transient' | 'memory' | 'calldata';
      readonly type: TypeIndex;
      /** Slot, or offset of the first byte. */
      readonly at: Hex;
      /** Bytes from the low-order end of the slot. */
      readonly offset: number;
      /** Of a dynamic array or bytes in calldata. */
      readonly length: Hex | null;
      /** As in `DebugVariable`, of its members. */
      readonly amountOf?: string;
    }
  /** An argument that the ABI decodes: its members. */
  | { readonly kind: 'plain'; readonly members: readonly DebugVariable[] };

export type DebugScope = 'locals' | 'state' | 'arguments' | 'context' | 'machine';

export interface DebugVariable {
  readonly name: string;
  /** Text for the user: untrusted where it is from a chain. Not a string where it says why there is no value. */
  readonly value: LocalizableText;
  readonly type: string | null;
  /** How its members are read; `null` where it has none. */
  readonly reference: DebugReference | null;
  /** Of an array. */
  readonly count: number | null;
  /** Whose bytes can be shown. */
  readonly memory: DebugMemory | null;
  /** Where a write can be waited for; `null` for what only has members. */
  readonly slot: DebugSlot | null;
  /** The first members, which its row shows. Present in lists of variables and in results of expressions only. */
  readonly preview?: readonly DebugVariable[];
  /** The token whose amount it is (lower-case address), or `native` for the chain's coin. */
  readonly amountOf?: string;
}

/** One that is only text, without members and a place. */
export const plainVariable = (name: string, value: LocalizableText, type: string | null = null): DebugVariable => ({
  name,
  value,
  type,
  reference: null,
  count: null,
  memory: null,
  slot: null,
});

/** Where a value is in storage. */
export interface DebugSlot {
  readonly address: Hex;
  readonly slot: Hex;
  readonly isTransient: boolean;
  /** Bytes from the low-order end of the slot. */
  readonly offset: number;
  readonly bytes: number;
}

export interface DebugMemory {
  readonly area: 'memory' | 'calldata' | 'returndata' | 'code';
  readonly offset: number;
}

/** Code of an unoptimized build that runs in place of code on the chain. */
export interface SubstituteCode extends MatchedCode {
  /** keccak-256 of the code on the chain; `hash` is that of `code`. */
  readonly replaced: Hex;
  readonly code: Hex;
}

/** A contract that stays as it is on the chain. */
export interface SkippedContract {
  readonly contract: string;
  /** The end of a sentence. */
  readonly reason: LocalizableText;
}

/** Whether the session shows an unoptimized build in place of the code on the chain. */
export type DebugSubstitution =
  | { readonly isUsed: true; readonly contracts: readonly string[] }
  | { readonly isUsed: false; readonly reason: LocalizableText };

export interface DebugOpened {
  readonly sources: readonly DebugSource[];
  readonly steps: number;
  /** The first statement. */
  readonly firstStep: number;
  /** Where it failed; `null` where it did not. */
  readonly failedStep: number | null;
  /** Whether the build of any code is known. */
  readonly hasSource: boolean;
  /** Contracts whose build does not say where their variables are. */
  readonly withoutDeclarations: readonly string[];
  /** Contracts whose code was optimized, or compiled via-IR: their locals are not known. */
  readonly optimized: readonly string[];
  /** Of the chain. */
  readonly coin: { readonly symbol: string; readonly decimals: number };
  /** `null` where none was asked for. */
  readonly substitution: DebugSubstitution | null;
  /** Where it begins instead of the first statement; `null` where no step was named. */
  readonly start: DebugStart | null;
}

/** The place of a step of the code on the chain. */
export interface DebugStart {
  readonly step: number;
  /** Otherwise it is the nearest place before it that is certain. */
  readonly isCertain: boolean;
}

export interface DebugException {
  readonly data: Hex;
  readonly status: 'reverted' | 'exceptional';
  readonly haltReason: string | null;
  readonly isCaught: boolean;
  readonly address: Hex;
}

/** A place in the stack at a step. */
interface InFrame {
  readonly step: number;
  /** Index in the stack at the step. */
  readonly frame: number;
}

export interface DebugRequests {
  open: {
    input: {
      readonly builds: readonly MatchedCode[];
      readonly substitutes?: readonly SubstituteCode[];
      /** The step of the code on the chain to begin at. */
      readonly startStep?: number;
    };
    output: DebugOpened;
  };
  /** Releases the trace. */
  close: { input: object; output: object };
  move: {
    input: { readonly step: number; readonly operation: DebugOperation; readonly granularity: DebugGranularity };
    output: { readonly step: number | null };
  };
  run: {
    input: {
      readonly step: number;
      readonly isBack: boolean;
      readonly breakpoints: readonly DebugBreakpoint[];
      readonly filters: readonly DebugFilter[];
    };
    output: DebugRunResult;
  };
  /** Where breakpoints at the lines of a source hold; `null` where no code of the transaction is of it. */
  locate: {
    input: { readonly source: number; readonly lines: readonly number[] };
    output: { readonly places: readonly (DebugPlace | null)[] };
  };
  /** Which breakpoints anything of the transaction can hit. */
  verify: {
    input: {
      readonly functions: readonly string[];
      readonly writes: readonly DebugSlot[];
      readonly instructions: readonly DebugInstructionReference[];
    };
    output: {
      readonly functions: readonly boolean[];
      readonly writes: readonly boolean[];
      readonly instructions: readonly boolean[];
    };
  };
  /** The next step at a statement of the line after `step`, or the last one before it. */
  goTo: {
    input: { readonly source: number; readonly line: number; readonly step: number };
    output: { readonly step: number | null };
  };
  source: { input: { readonly source: number }; output: { readonly text: string } };
  stack: { input: { readonly step: number }; output: { readonly frames: readonly DebugStackFrame[] } };
  exception: { input: { readonly step: number }; output: { readonly exception: DebugException | null } };
  scopes: { input: InFrame; output: { readonly scopes: readonly DebugScope[] } };
  variables: {
    input: InFrame & { readonly reference: DebugReference; readonly from?: number; readonly count?: number };
    output: { readonly variables: readonly DebugVariable[] };
  };
  /** Rejects with `bad-input`, which says what is wrong with the expression. */
  evaluate: {
    input: InFrame & {
      readonly expression: string;
      /**
       * Functions of a JSON ABI that the client knows and the expression may call; absent where it must call none, as in a
       * hover.
       */
      readonly functions?: readonly object[];
    };
    output: { readonly variable: DebugVariable };
  };
  memory: {
    input: InFrame & { readonly memory: DebugMemory; readonly count: number };
    output: { readonly data: Hex; readonly missing: number };
  };
  disassemble: {
    input: DebugInstructionReference & { readonly offset: number; readonly count: number };
    output: { readonly instructions: readonly (DebugInstruction | null)[] };
  };
}

export type DebugRequestKind = keyof DebugRequests;

export type DebugRequest = {
  [Kind in DebugRequestKind]: { readonly kind: Kind } & DebugRequests[Kind]['input'];
}[DebugRequestKind];

export type DebugResponse = DebugRequests[DebugRequestKind]['output'];

/** What an opened session answers by itself. */
export type DebugSessionRequest = Exclude<DebugRequest, { kind: 'open' | 'close' }>;

/** Carries a request of a session; rejects with `not-found` where the service does not know the session any more. */
export type SendDebugRequest = <Kind extends DebugRequestKind>(
  kind: Kind,
  input: DebugRequests[Kind]['input'],
  signal?: AbortSignal,
) => Promise<DebugRequests[Kind]['output']>;
