// When a chain of this machine is known to have been reset.
import { expect, test } from 'vitest';
import { ChainResets } from '../../../src/extension/worker/chainResets.ts';

test('a chain was reset when its node has another first block, also in a later window', async () => {
  const stored = new Map<string, unknown>();
  const state = {
    keys: () => [...stored.keys()],
    get: (key: string, fallback: unknown) => stored.get(key) ?? fallback,
    update: async (key: string, value: unknown) => void stored.set(key, value),
  };
  let genesisHash = '0x01';
  const read = async (_: string, { chain: selector }: { chain: string }) => ({ selector, genesisHash });
  let listener: (status: unknown) => void = () => {};
  const onDidReadStatus = (listen: typeof listener) => {
    listener = listen;
  };
  const open = () => new ChainResets(state as never, { lookup: read, onDidReadStatus } as never);
  expect([await open().getResetTime('local', 10), await open().getResetTime('local', 20)]).toEqual([null, null]);
  genesisHash = '0x02';
  expect([await open().getResetTime('local', 30), await open().getResetTime('local', 40)]).toEqual([30, 30]);
  expect(await open().getResetTime('0x539', 50)).toBeNull();
  // A status that another feature reads is remembered too.
  listener({ selector: 'anvil', genesisHash: '0x01' });
  expect(await open().getResetTime('anvil', 60)).toBe(60);
});
