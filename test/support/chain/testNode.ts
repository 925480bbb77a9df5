// The interface of all real nodes of the tests: Anvil, Hardhat and Ganache.
import type { JsonRpc, RpcCall } from './jsonRpc.ts';

/** Every node mines only on request: what each does differently. */
export interface Mining {
  /** Mines one block with all pending transactions, 12 seconds after the previous one. */
  mine(): Promise<void>;
  /** Changes a call of `eth_sendTransaction` so that a block has its transactions in the order in which they were sent; absent: it always has. */
  inOrder?(call: RpcCall, index: number): RpcCall;
}

export interface TestNode extends JsonRpc, Mining {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the process has ended, for whatever reason, and its folder is deleted. */
  readonly ended: Promise<void>;
  /** Ends the process by its id and deletes its folder; resolves when both are done. May be called twice. */
  stop(): Promise<void>;
}

/** The EVM version that contracts must be compiled for; absent: the newest. */
export type CodeVersion = 'shanghai' | 'cancun';

export interface NodeOptions {
  /** Default: that of the node. */
  readonly chainId?: number;
}
