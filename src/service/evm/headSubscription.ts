// New heads that a node announces by itself (`eth_subscribe`) while polls ask for them.
import { getBackOffMs } from '../../base/backOff.ts';
import type { Clock } from '../../base/clock.ts';
import { toFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { OnAnnouncedHead, RpcClient } from './rpcClient.ts';

/** The subscription begins with the second poll within this time, and ends after this time without a poll. */
const MAX_POLL_INTERVAL_MS = 60_000;
/** After a subscription was lost or refused, the next one begins after this. */
const RETRY_WAIT = { firstMs: 1_000, maxMs: 60_000 };
/** A node that is queried over HTTP and has refused a WebSocket is tried again after this: nodes are restarted with other flags. */
const REFUSED_MS = 10 * 60_000;

export interface HeadSubscriptionDeps {
  /** Canonical chain selector under which the node is configured. */
  readonly selector: string;
  readonly rpc: RpcClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Every head from now on is announced. */
  onOpen(): void;
  /** The header as the node sent it. */
  readonly onHead: OnAnnouncedHead;
  /** No further head is announced. */
  onLost(): void;
}

export type HeadSubscription = ReturnType<typeof createHeadSubscription>;

export function createHeadSubscription(deps: HeadSubscriptionDeps) {
  const { selector, rpc, clock, log, onOpen, onHead, onLost } = deps;
  let current: AbortController | null = null;
  let isOpen = false;
  let hasWorked = false;
  let failures = 0;
  let retryAt = 0;
  let polledAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  const renew = () => {
    current?.abort();
    current = null;
    if (!isOpen) return;
    isOpen = false;
    onLost();
  };
  const closeWhenUnused = async (signal: AbortSignal) => {
    while (clock.now() - polledAt < MAX_POLL_INTERVAL_MS) await clock.sleep(MAX_POLL_INTERVAL_MS, signal);
    renew();
  };
  const open = async (controller: AbortController) => {
    const { signal } = controller;
    const onSubscribed = () => {
      isOpen = true;
      hasWorked = true;
      closeWhenUnused(signal).catch(() => {}); // closed for another reason
      onOpen();
    };
    try {
      await rpc.subscribeToHeads?.(
        onSubscribed,
        (header, isOfOtherNode) => {
          if (current !== controller) return;
          failures = 0;
          onHead(header, isOfOtherNode);
        },
        signal,
      );
    } catch (error) {
      if (signal.aborted) return;
      const retryMs = getBackOffMs(++failures, RETRY_WAIT);
      retryAt = clock.now() + (rpc.isWebSocket || hasWorked ? retryMs : REFUSED_MS);
      log.debug(`New heads of ${selector} are polled: ${toFault(error).message}`);
      renew();
    }
  };

  return {
    /** Whether each new head is announced at present. */
    get isOpen() {
      return isOpen;
    },
    /** Called by each poll of a node that takes subscriptions: begins one in the background where there is none. */
    notePoll() {
      const now = clock.now();
      const isPolled = now - polledAt < MAX_POLL_INTERVAL_MS;
      polledAt = now;
      if (isClosed || current !== null || !isPolled || now < retryAt || rpc.subscribeToHeads === undefined) return;
      current = new AbortController();
      void open(current);
    },
    /** Ends it; the next polls begin another one. */
    renew,
    /** Ends it for good. */
    close() {
      isClosed = true;
      renew();
    },
  };
}
