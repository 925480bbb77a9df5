// State changes word by word, as HexLens and as the node's own tracer have them, for tests that compare both.
import type { StateChanges } from '../../../src/api/stateChanges.ts';
import type { Hex } from '../../../src/base/hex.ts';
import type { JsonRpc } from '../chain/jsonRpc.ts';

interface Prestate {
  readonly [address: string]: {
    readonly balance?: Hex;
    readonly nonce?: number;
    readonly code?: Hex;
    readonly storage?: Readonly<Record<Hex, Hex>>;
  };
}

/** Changed words and account fields by the node's `prestateTracer`, one line each. */
export async function fetchTracedChanges(rpc: JsonRpc, hash: Hex): Promise<readonly string[]> {
  const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
  const { pre, post } = await rpc.rpc<{ pre: Prestate; post: Prestate }>('debug_traceTransaction', [hash, options]);
  return Object.keys({ ...pre, ...post })
    .flatMap(address => {
      const [before, after] = [pre[address] ?? {}, post[address] ?? {}];
      const slots = Object.keys({ ...before.storage, ...after.storage }) as Hex[];
      const words = slots.map(slot => {
        const [old, next] = [before.storage?.[slot] ?? '0x0', after.storage?.[slot] ?? '0x0'];
        return `${address} ${BigInt(slot)}: ${BigInt(old)} → ${BigInt(next)}`;
      });
      return [
        ...words.filter(line => !/: (\d+) → \1$/.test(line)),
        ...(after.balance === undefined ? [] : [`${address} balance → ${BigInt(after.balance)}`]),
        ...(after.nonce === undefined ? [] : [`${address} nonce → ${after.nonce}`]),
        ...(after.code === undefined ? [] : [`${address} code → ${after.code.length / 2 - 1}`]),
      ];
    })
    .sort();
}

/** The same of HexLens. */
export const listRawChanges = ({ accounts }: StateChanges): readonly string[] =>
  accounts
    .flatMap(({ address, storage, balance, nonce, codeSize }) => [
      ...storage.map(
        ({ slots, oldValue, newValue }) => `${address} ${slots[0]}: ${BigInt(oldValue)} → ${BigInt(newValue)}`,
      ),
      ...(balance === null ? [] : [`${address} balance → ${balance.after}`]),
      ...(nonce === null ? [] : [`${address} nonce → ${nonce.after}`]),
      ...(codeSize === null ? [] : [`${address} code → ${codeSize.after}`]),
    ])
    .sort();
