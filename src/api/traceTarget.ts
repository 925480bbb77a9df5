// What can be traced: a transaction of a chain, or a simulated call, which is never signed and never sent.
import type { Hex } from '../base/hex.ts';

/** State of one account that a simulation begins with, in place of the chain's. */
export interface AccountOverride {
  /** Quantity (`0x…`), as the other numbers here: a target is plain JSON. */
  readonly balance?: Hex;
  readonly nonce?: Hex;
  readonly code?: Hex;
  /** Values of 32 bytes by slot of 32 bytes; all other slots are the chain's. */
  readonly stateDiff?: Readonly<Record<Hex, Hex>>;
}

/** The block that a simulated call is in, and the one before it, whose state it begins with. */
export interface SimulationContext {
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly time: number;
  readonly gasLimit: Hex;
  readonly feeRecipient: Hex;
  readonly prevRandao: Hex;
  /** Absent on chains without EIP-1559. */
  readonly baseFeePerGas?: Hex;
}

/** A call as `eth_call` takes it. */
export interface Simulation {
  readonly from: Hex;
  /** `null` creates a contract. */
  readonly to: Hex | null;
  readonly data: Hex;
  readonly value?: Hex;
  /** When absent, what the block permits, at most `MAX_TRANSACTION_GAS`. */
  readonly gas?: Hex;
  /** When absent 0, as in `eth_call`: the sender needs no ether for gas. */
  readonly gasPrice?: Hex;
  /** It runs after this block; the newest one when absent. */
  readonly block?: number;
  /** Of the block that it is in. A simulation that was run has one, so that it can be run again in the same way. */
  readonly context?: SimulationContext;
  readonly overrides?: Readonly<Record<Hex, AccountOverride>>;
}

/** A simulation with the block that it is in, so that it does the same whenever it is run again. */
export type PinnedSimulation = Simulation & { readonly block: number; readonly context: SimulationContext };

export const isPinned = (simulation: Simulation): simulation is PinnedSimulation =>
  simulation.block !== undefined && simulation.context !== undefined;

/** EIP-7825: nodes reject transactions with more, and some calls too. */
export const MAX_TRANSACTION_GAS = 16_777_216n;
/** What Geth gives to `eth_call`. */
export const MAX_CALL_GAS = 50_000_000n;

export type TraceTarget =
  | { readonly chain: string; readonly hash: Hex }
  | { readonly chain: string; readonly simulation: Simulation };
