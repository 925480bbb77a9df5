// What every real node of the tests can do, whoever made it: Anvil, Hardhat's and Ganache.
import type { JsonRpc, RpcCall } from './jsonRpc.ts';

/** The part of a node that no two of them call by the same name. */
export interface Mining {
  /** One block with everything that was sent, 12 seconds after the one before. */
  mine(): Promise<void>;
  /** Whether every transaction is mined as it is sent. */
  automine(): Promise<boolean>;
  setAutomine(on: boolean): Promise<void>;
  /** Changes a call of `eth_sendTransaction` so that a block keeps the order in which they were sent; absent: it does. */
  inOrder?(call: RpcCall, index: number): RpcCall;
}

export interface TestNode extends JsonRpc, Mining {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the process has ended, whoever ended it, and its folder is gone. */
  readonly ended: Promise<void>;
  /** Ends the process by its id and deletes its folder; resolves when both are done. May be called twice. */
  stop(): Promise<void>;
}

/** The EVM version that contracts must be compiled for; absent: the newest. */
export type CodeVersion = 'shanghai' | 'cancun';

export interface NodeOptions {
  /** Default: what the node itself begins with. */
  readonly chainId?: number;
}
