// Why transactions failed over several contracts, and which contract and function threw, on real nodes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAnvil } from '../support/chain/anvil.ts';
import { findMissingHardhatPackage, startHardhat } from '../support/chain/hardhat.ts';
import type { TestNode } from '../support/chain/testNode.ts';
import { FailingContracts } from '../support/failingContracts.ts';

const NODES = [
  { name: 'Anvil', start: () => startAnvil(), missing: null },
  { name: 'Hardhat', start: () => startHardhat(), missing: findMissingHardhatPackage() },
] as const;

describe.each(NODES)('$name', ({ start, missing }) => {
  let node: TestNode;
  let contracts: FailingContracts;
  beforeAll(async () => {
    if (missing !== null) return;
    node = await start();
    contracts = await FailingContracts.deploy(node);
  }, 60_000);
  afterAll(async () => {
    await contracts?.stop();
    await node?.stop();
  });

  const has = test.skipIf(missing !== null);

  has('an error of an inner contract is named with the function that threw it and who called it', async () => {
    const failed = await contracts.call('Router', 'Router.price', [contracts.addresses['HarborProxy'], 99n]);
    expect(await contracts.explain(failed)).toBe('Reverted: StalePrice(age: 99) in Oracle.read (called by Harbor)');
    const own = await contracts.call('Oracle', 'Oracle.read', [99n]);
    expect(await contracts.explain(own)).toBe('Reverted: StalePrice(age: 99)');
  });

  has('out of gas behind a proxy is no revert', async () => {
    const failed = await contracts.call('HarborProxy', 'Harbor.burnGas');
    expect(await contracts.explain(failed)).toBe('Out of gas in Oracle.burnGas (called by Harbor)');
  });

  has('a failure without data that its caller caught is not the reason', async () => {
    const outOfGas = await contracts.call('HarborProxy', 'Harbor.burnSomeGas');
    expect(await contracts.explain(outOfGas)).toBe(
      'Reverted without a reason in Harbor.burnSomeGas (called by HarborProxy)',
    );
    const silent = await contracts.call('HarborProxy', 'Harbor.giveUp');
    expect(await contracts.explain(silent)).toBe('Reverted without a reason in Harbor.giveUp (called by HarborProxy)');
    expect(await contracts.getTree(silent)).toEqual([
      ['HarborProxy', 'passed', null],
      ['Harbor', 'threw', 'Harbor.giveUp'],
      ['Oracle', 'threw', 'Oracle.silent'],
    ]);
  });

  has('a revert without data is not attributed to an inner call where the steps are not known', async () => {
    const failed = await contracts.call('HarborProxy', 'Harbor.silent');
    expect(await contracts.explain(failed, false)).toBe('Reverted without a reason');
  });

  has('a revert without data says so', async () => {
    const failed = await contracts.call('HarborProxy', 'Harbor.silent');
    expect(await contracts.explain(failed)).toBe('Reverted without a reason in Oracle.silent (called by Harbor)');
  });

  has('an error that replaces another one was thrown by the contract that did so', async () => {
    const failed = await contracts.call('HarborProxy', 'Harbor.wrap', [99n]);
    expect(await contracts.explain(failed)).toBe('Reverted: Wrapped() in Harbor.wrap (called by HarborProxy)');
  });

  has('a failure that was swallowed before is not the reason', async () => {
    const { HarborProxy, Oracle } = contracts.addresses;
    const failed = await contracts.call('Router', 'Router.failAfter', [HarborProxy, Oracle]);
    expect(await contracts.explain(failed)).toBe('Reverted without a reason');
  });

  has('the call that threw is marked in the tree, and those that passed its failure on', async () => {
    const failed = await contracts.call('Router', 'Router.price', [contracts.addresses['HarborProxy'], 99n]);
    expect(await contracts.getTree(failed)).toEqual([
      ['Router', 'passed', null],
      ['HarborProxy', 'passed', null],
      ['Harbor', 'passed', null],
      ['Oracle', 'threw', 'Oracle.read'],
    ]);
    const caught = await contracts.call('HarborProxy', 'Harbor.tryPrice', [99n], false);
    expect(await contracts.getTree(caught)).toEqual([
      ['HarborProxy', null, null],
      ['Harbor', null, null],
      ['Oracle', 'threw', 'Oracle.read'],
    ]);
  });

  has('a failure that the transaction caught is listed, and none where nothing failed', async () => {
    const caught = await contracts.call('HarborProxy', 'Harbor.tryPrice', [99n], false);
    expect(await contracts.explainSwallowed(caught)).toEqual(['Reverted: StalePrice(age: 99) in Oracle.read']);
    const fine = await contracts.call('HarborProxy', 'Harbor.tryPrice', [1n], false);
    expect(await contracts.explainSwallowed(fine)).toEqual([]);
  });
});
