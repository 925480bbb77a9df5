// What polling costs a node whose chain does not change: its terminal shows a line for every call.
import { expect, it } from 'vitest';
import { startAnvil } from '../support/chain/anvil.ts';
import { createFakeClock } from '../support/fakeClock.ts';
import { startFaultyNode } from '../support/faultyNode.ts';
import { startService } from '../support/filledChain.ts';

it.each([5, 200])('an idle chain of %d blocks is polled with one call each time', async blocks => {
  const anvil = await startAnvil();
  const node = await startFaultyNode(anvil.url, { client: null });
  const clock = createFakeClock('manual');
  const service = startService({ local: node.url }, { clock });
  try {
    await anvil.rpc('anvil_mine', [`0x${blocks.toString(16)}`]);
    const poll = async () => {
      const before = node.calls.length;
      const status = await service.lookup('chainStatus', { chain: 'local', isPoll: true });
      expect(status).toMatchObject({ value: { head: blocks, problem: null } });
      clock.advance(3_000);
      return node.calls.slice(before).map(({ method }) => method);
    };
    await poll(); // identifies the chain
    await poll(); // notes a block below the head, by which a reset is noticed
    // Five minutes in all, so that whatever is done now and then is counted too.
    for (let round = 0; round < 100; round++) expect(await poll()).toEqual(['eth_getBlockByNumber']);
  } finally {
    await service.stop();
    await node.stop();
    await anvil.stop();
  }
});
