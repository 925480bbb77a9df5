// The session of an inspector that is closed: whatever is still on its way, it sends nothing more to the node.
import { expect, test } from 'vitest';
import type { ChannelMessage } from '../../../src/base/callChannel.ts';
import { createSyntheticBlock } from '../../support/chain/syntheticBlock.ts';
import { connectPanel, ok } from '../webview/connectedPanel.ts';

const target = { kind: 'block', chain: 'local', block: '18000000' } as const;
const messages: readonly ChannelMessage[] = [
  { type: 'notify', method: 'ready', params: null },
  { type: 'call', id: 1, method: 'operation', params: { target } },
];

test('a block that arrives after the panel was closed does not poll its chain again', async () => {
  const block = Promise.withResolvers<void>();
  const requested: string[] = [];
  let polls = 0;
  let otherLookups = 0;
  const { session } = connectPanel({
    target,
    answersLate: true,
    async reply(request) {
      requested.push(request.operation);
      await block.promise;
      return ok(createSyntheticBlock({ transactions: 1, logs: 0 }));
    },
    lookup(id, input) {
      if (id === 'chainStatus' && (input as { readonly isPoll?: boolean }).isPoll === true) polls++;
      else otherLookups++;
    },
  });
  for (const message of messages) session.receive(message);
  await expect.poll(() => requested).toEqual(['block']);
  expect(polls).toBe(1);
  session.dispose();
  block.resolve();
  // The coin of the chain is looked up for the table, just after the session learned which block it is.
  await expect.poll(() => otherLookups).toBeGreaterThan(0);
  expect(polls).toBe(1);
});
