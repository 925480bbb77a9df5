// A local fork passes on to its upstream what it does not know: keys in files never reach it, hashes only after a click.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { detectLiteralAt } from '../../src/detect/detectLiterals.ts';
import { checkDisclosure } from '../../src/view/checkDisclosure.ts';
import { getHoverLookup } from '../../src/view/hover/hoverLookups.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { forwardTo, type ScriptedRpcNode, startScriptedRpcNode } from '../support/scriptedRpcNode.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const world = useFilledChain();
let upstream: ScriptedRpcNode;
let fork: Anvil;
let service: ServiceUnderTest;

beforeAll(async () => {
  upstream = await startScriptedRpcNode({ answer: forwardTo(world.anvil.url) });
  fork = await startAnvil({ chainId: 4_242, args: ['--fork-url', upstream.url] });
  service = startService({ local: fork.url });
});
afterAll(async () => {
  await service?.stop();
  await fork?.stop();
  await upstream?.stop();
});

const KEY = '0x43d68ea6fd4ef872da7aed430186d972f0fc391451caca620d7cd2a3c0bd5724';

/** As a hover does: the node is queried for the literal if it may be; `false` when it was not. */
async function hover(text: string, fileName: string, isUserRequested = false): Promise<boolean> {
  const literal = detectLiteralAt(text, text.indexOf('0x') + 5, { fileName });
  if (literal === null) throw new Error('no literal');
  const status = (await service.lookup('chainStatus', { chain: 'local' })).value;
  const recipient = { isLocal: status.isLocal === true, isUserRequested };
  const request = getHoverLookup(literal);
  const { decision } = checkDisclosure(literal, recipient, { fileName, addressesOnClick: false });
  if (request?.kind !== 'hash' || decision !== 'yes') return false;
  await service.lookup('hashSummary', { chain: 'local', hash: request.hash });
  return true;
}

const getForwarded = () => JSON.stringify(upstream.calls).toLowerCase();

test('a fork with a chain id of its own is not a local chain', async () => {
  expect((await service.lookup('chainStatus', { chain: 'local' })).value).toMatchObject({
    chain: { id: 4_242 },
    isLocal: false,
  });
});

test.each([
  [`PRIVATE_KEY=${KEY}\n`, '.env'],
  [`DEPLOYER=${KEY}\n`, '.env'],
  [`const account = privateKeyToAccount('${KEY}');\n`, 'client.ts'],
  [`const key = '${KEY}';\n`, 'client.ts'],
])('a key that is hovered makes no request to the upstream: %j in %s', async (text, fileName) => {
  expect(await hover(text, fileName)).toBe(false);
  expect(getForwarded()).not.toContain(KEY.slice(2));
});

test('a hash reaches the upstream after a click, and a key that is marked as one not even then', async () => {
  const hash: Hex = '0x579e1b96fc98efc5a2c31c0779702c8dbb677b02beba0fe79c4556611a153b7a';
  const text = `const value = '${hash}';\n`;
  expect(await hover(text, 'client.ts')).toBe(false);
  expect(getForwarded()).not.toContain(hash.slice(2));
  expect(await hover(text, 'client.ts', true)).toBe(true);
  expect(getForwarded()).toContain(hash.slice(2));
  expect(await hover(`PRIVATE_KEY=${KEY}\n`, '.env', true)).toBe(false);
  expect(getForwarded()).not.toContain(KEY.slice(2));
});

test('a transaction that the fork mined itself is run again without a request to the upstream', async () => {
  const { forkBlock } = (await service.lookup('chainStatus', { chain: 'local' })).value;
  const [from, to] = await fork.rpc<readonly Hex[]>('eth_accounts');
  const hash = await fork.rpc<Hex>('eth_sendTransaction', [{ from, to, value: '0x5' }]);
  await fork.mine();
  const summary = (await service.lookup('hashSummary', { chain: 'local', hash })).value;
  expect(summary).toMatchObject({ kind: 'transaction', blockNumber: (forkBlock ?? Number.NaN) + 1 });
  const before = upstream.calls.length;
  expect((await service.lookup('transactionTrace', { chain: 'local', hash })).value).toMatchObject({ kind: 'trace' });
  expect(upstream.calls.length).toBe(before);
});
