// One call of an element: ended when its parameters change, made once per refresh, and the last reply while the node is down.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { CallListener } from '../../../src/base/callChannel.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import type { PageCalls, PageChannel } from '../../../src/protocol/messages.ts';
import { StaleReplyEvent } from '../../../src/webview/inspector/components/faultMessage.ts';
import { RequestController } from '../../../src/webview/inspector/requestController.ts';

interface Call {
  readonly params: unknown;
  readonly listener: CallListener<PageCalls['raw']>;
  isCancelled: boolean;
}

function createFixture() {
  const calls: Call[] = [];
  const parts: unknown[] = [];
  const stale: StaleReplyEvent[] = [];
  const channel = {
    start(_method: string, params: unknown, listener: CallListener<PageCalls['raw']>) {
      const call = { params, listener, isCancelled: false };
      calls.push(call);
      return () => {
        call.isCancelled = true;
      };
    },
  } as unknown as PageChannel;
  const host = Object.assign(new EventTarget(), {
    ...{ addController() {}, removeController() {}, requestUpdate() {} },
    updateComplete: Promise.resolve(true),
  });
  host.addEventListener('stale-reply', event => event instanceof StaleReplyEvent && stale.push(event));
  const controller = new RequestController(host, 'raw', part => parts.push(part));
  const request = (block: string, refresh = 0) =>
    controller.request(channel, { target: { kind: 'block', chain: 'local', block } }, refresh);
  return { calls, parts, stale, controller, request };
}

test('calls once for the same parameters and refresh, and ends the call before for others', () => {
  const { calls, controller, request } = createFixture();
  request('1');
  request('1');
  expect(calls).toHaveLength(1);
  request('2');
  expect(calls.map(({ isCancelled }) => isCancelled)).toEqual([true, false]);
  request('2', 1);
  expect(calls.map(({ isCancelled }) => isCancelled)).toEqual([true, true, false]);
  expect(controller.isLoading).toBe(true);
  controller.cancel();
  expect(calls.at(-1)?.isCancelled).toBe(true);
  expect(controller.isLoading).toBe(false);
});

test('shows the last reply with its time while the node does not respond, and other faults as they are', async () => {
  const { calls, parts, stale, controller, request } = createFixture();
  const before = Date.now();
  request('1');
  calls[0]?.listener.onPart?.({ kind: 'raw', text: '{}' } as never);
  calls[0]?.listener.onDone?.();
  await expect.poll(() => controller.isLoading).toBe(false);
  request('1', 1);
  calls[1]?.listener.onFault?.(new HexLensError('node-unreachable', 'The node does not respond.'));
  expect(controller.fault).toBeNull();
  expect(parts).toHaveLength(2);
  expect(stale[0]?.fault.code).toBe('node-unreachable');
  expect(stale[0]?.readAt).toBeGreaterThanOrEqual(before);
  expect(stale[0]?.readAt).toBeLessThanOrEqual(Date.now());
  request('1', 2);
  calls[2]?.listener.onFault?.(new HexLensError('bad-input', 'There is no such block.'));
  expect(controller.fault?.code).toBe('bad-input');
  expect(stale).toHaveLength(1);
});
