// Adds the steps that a node traced to the calls that it traced: where a replay is not what the chain has.

import { isFault } from '../../base/errors.ts';
import { bytesToHex, type Hex, hexToBytes, isHex, toQuantity } from '../../base/hex.ts';
import { joinSteps } from '../../decode/trace/joinSteps.ts';
import { StructLogScanner } from '../../decode/trace/structLogScanner.ts';
import type { Trace, TraceFrame } from '../../decode/trace/trace.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { WireObject } from '../evm/responseFields.ts';
import type { MinedBlock } from '../evm/toBlockRecord.ts';

/** Only what tells where the code was: the rest is ten times as long. */
const LEAN = { disableStack: true, disableStorage: true, disableMemory: true, enableMemory: false };

/** `null` where the node keeps no steps, or where they contradict its calls. */
export async function addStructLogs(
  node: EvmNode,
  trace: Trace,
  { wire, minedIn }: { readonly wire: WireObject; readonly minedIn: MinedBlock },
  signal: AbortSignal,
): Promise<Trace | null> {
  const scanner = new StructLogScanner();
  try {
    await node.rpc.sendStreamed('debug_traceTransaction', [wire['hash'], LEAN], bytes => scanner.feed(bytes), signal);
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    return null;
  }
  if (scanner.length === 0) return null;
  return joinSteps(trace, await addCodes(node, trace.frames, minedIn, signal), scanner);
}

/** The code that each call ran: as it is after the block, which `joinSteps` compares with the steps. */
async function addCodes(
  node: EvmNode,
  frames: readonly TraceFrame[],
  { number }: MinedBlock,
  signal: AbortSignal,
): Promise<readonly TraceFrame[]> {
  const called = frames.filter(({ isCreation, precompile }) => !isCreation && precompile === undefined);
  const codes = await fetchCodes(node, new Set(called.map(({ codeAddress }) => codeAddress)), number, signal);
  const delegates = [...codes].flatMap(([address, code]) => {
    const delegate = getDelegate(code);
    return delegate === null ? [] : [[address, delegate] as const];
  });
  const delegated = await fetchCodes(node, new Set(delegates.map(([, delegate]) => delegate)), number, signal);
  const delegateOf = new Map<Hex, Hex>(delegates);
  return frames.map(frame => {
    if (frame.isCreation || frame.precompile !== undefined) return frame;
    const codeAddress = delegateOf.get(frame.codeAddress) ?? frame.codeAddress;
    const code = delegated.get(codeAddress) ?? codes.get(codeAddress);
    return code === undefined ? frame : { ...frame, codeAddress, code };
  });
}

/** EIP-7702: 0xef0100 and an address. */
const getDelegate = (code: Uint8Array): Hex | null =>
  code.length === 23 && code[0] === 0xef && code[1] === 1 ? bytesToHex(code.subarray(3)) : null;

async function fetchCodes(
  node: EvmNode,
  addresses: ReadonlySet<Hex>,
  block: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<Hex, Uint8Array>> {
  const list = [...addresses];
  const request = (at: string) =>
    node.rpc.sendAll(
      list.map(address => ({ method: 'eth_getCode', params: [address, at] })),
      signal,
    );
  const responses = await request(toQuantity(block));
  // A node that keeps no old states has the newest one, whose code is nearly always the same.
  const newest = responses.every(({ error }) => error === undefined) ? [] : await request('latest');
  return new Map(
    list.map((address, index) => {
      const code = responses[index]?.result ?? newest[index]?.result;
      return [address, isHex(code) && code.length % 2 === 0 ? hexToBytes(code) : new Uint8Array()] as const;
    }),
  );
}
