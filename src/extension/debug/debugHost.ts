// What the debug adapter gets from VS Code: how it is launched, and what it needs of the editor.
import type { DebugProtocol } from '@vscode/debugprotocol';
import type {
  DebugGranularity,
  DebugOpened,
  DebugSource,
  SendDebugRequest,
  SkippedContract,
} from '../../api/debugSession.ts';
import type { Simulation } from '../../api/traceTarget.ts';
import type { Hex } from '../../base/hex.ts';

/** Custom request: the step of the position. */
export const POSITION = 'position';

/** What `launch` gets, as in launch.json. */
export interface LaunchArguments extends DebugProtocol.LaunchRequestArguments {
  /** `null` for a call that is simulated. */
  readonly transaction: Hex | null;
  readonly simulation?: Simulation;
  readonly chain: string;
  readonly stopOnEntry?: boolean;
  readonly steppingGranularity?: DebugGranularity;
  /** `unoptimized`: code that was optimized is replaced by an unoptimized build of its sources, where that does the same. */
  readonly build?: 'deployed' | 'unoptimized';
  /** Where to begin instead: a frame of the stack at the failure, the outermost is 0. */
  readonly startFrame?: number;
  /** Or a step of the code on the chain. */
  readonly startStep?: number;
}

/** A session of the service. */
export interface OpenedSession {
  readonly opened: DebugOpened;
  readonly send: SendDebugRequest;
  /** Where an unoptimized build was asked for: contracts that have none. */
  readonly skipped?: readonly SkippedContract[];
}

/** What the adapter needs of the editor. */
export interface DebugHost {
  /** Rejects where the transaction cannot be debugged; the message is shown. */
  open(target: LaunchArguments): Promise<OpenedSession>;
  /** The file of a source in the workspace, as a path of this machine; `null` where it has none. */
  toPath(source: DebugSource): string | null;
  /** An error that a contract returned, in words. */
  describeError(data: Hex): Promise<string | null>;
  /** Functions that contracts of the workspace have under these names, as in a JSON ABI. */
  functionsNamed(names: ReadonlySet<string>): Promise<readonly object[]>;
  /** What hex means, such as a call; `null` where it is not known. */
  describeHex(data: Hex): Promise<string | null>;
  /** An amount of a token with its unit, `1.5 USDC`; `null` where the contract is no token. */
  formatAmount(amount: bigint, token: Hex): Promise<string | null>;
  /** A saved name, or that of the contract in a build. */
  nameOf(address: Hex): Promise<string | null>;
}
