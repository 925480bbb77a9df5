// One call of an element, repeated when its parameters change: the reply so far, its fault, its end.
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type HexLensError, isNodeFault } from '../../base/errors.ts';
import type { CallMethod, CallParams, CallPart, PageChannel, RowsPart, TablesPart } from '../../protocol/messages.ts';
import { StaleReplyEvent } from './components/faultMessage.ts';
import { createLastReplies, type LastReplies, type LastReply } from './lastReplies.ts';
import { type CollectedReply, createReplyCollector, emptyReply, type ReplyCollector } from './replyCollector.ts';

const isTablePart = (part: CallPart<CallMethod>): part is TablesPart | RowsPart =>
  'kind' in part && (part.kind === 'tables' || part.kind === 'rows');

/** What elements show of a request of any method. */
export type RequestState = Pick<RequestController<CallMethod>, 'cancel' | 'fault' | 'hasReply' | 'isLoading' | 'reply'>;

const repliesByChannel = new WeakMap<PageChannel, LastReplies>();

/** All elements of a page share one. */
function getLastReplies(channel: PageChannel): LastReplies {
  const replies = repliesByChannel.get(channel) ?? createLastReplies();
  repliesByChannel.set(channel, replies);
  return replies;
}

/** After another chain has taken the place of the one that they were read from. */
export const forgetReplies = (channel: PageChannel): boolean => repliesByChannel.delete(channel);

/**
 * While the node does not respond, the reply that was shown last stays, or comes back when the user returns to it; the host
 * element then dispatches `stale-reply`.
 */
export class RequestController<M extends CallMethod> implements ReactiveController {
  /** The tables of methods that return some. */
  reply: CollectedReply = emptyReply;
  fault: HexLensError | null = null;
  isLoading = false;
  /** Part of a reply has arrived, if only of the call before a refresh. */
  hasReply = false;
  readonly #host: ReactiveControllerHost & EventTarget;
  readonly #method: M;
  readonly #onPart: ((part: CallPart<M>) => void) | undefined;
  #lastReplies: LastReplies | null = null;
  #refresh: number | string = '';
  /** The newest block when the call was made, or as its reply tells; `null` while that does not matter. */
  #head: number | null = null;
  /** No block was known when the call was made. */
  #isHeadUnknown = false;
  /** The parameters as JSON; '' while nothing is requested. */
  #params = '';
  #cancelCall: (() => void) | null = null;
  /** Any part has arrived since the parameters changed. */
  #hasPart = false;
  /** Parts of the running call that are no tables. */
  #parts: CallPart<M>[] = [];
  #rowsQueue: RowsPart[] = [];
  #frame = 0;
  #isDone = false;

  constructor(host: ReactiveControllerHost & EventTarget, method: M, onPart?: (part: CallPart<M>) => void) {
    this.#host = host;
    this.#method = method;
    this.#onPart = onPart;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.cancel();
    this.#params = '';
  }

  /** Cancels a running call; what has arrived stays. */
  cancel(): void {
    this.#cancelCall?.();
    this.#cancelCall = null;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#rowsQueue = [];
    this.#isDone = false;
    this.isLoading = false;
    this.#host.requestUpdate();
  }

  /**
   * Calls the method, unless the same call was made with the same `refresh` and `head`. `null` requests nothing. Another head
   * refreshes only what is there: a running call ends first. Returns whether a call has begun.
   */
  request(
    channel: PageChannel,
    params: CallParams<M> | null,
    refresh: number | string,
    head: number | null = null,
  ): boolean {
    const json = params === null ? '' : JSON.stringify(params);
    const isRefresh = json === this.#params;
    const isBehind = head !== null && this.#head !== null && head !== this.#head;
    if (isRefresh && this.#head === null) this.#head = head;
    const isCurrent = refresh === this.#refresh && (!isBehind || this.isLoading || !this.#hasPart);
    if (isRefresh && (isCurrent || params === null)) return false;
    this.cancel();
    this.#head = head;
    this.#isHeadUnknown = head === null;
    this.#params = json;
    this.#refresh = refresh;
    this.fault = null;
    // A refresh shows the old reply until the new one arrives.
    if (!isRefresh) {
      this.reply = emptyReply;
      this.hasReply = false;
      this.#hasPart = false;
    }
    if (params === null) return false;
    this.isLoading = true;
    this.#parts = [];
    this.#lastReplies = getLastReplies(channel);
    const collector = createReplyCollector();
    this.#cancelCall = channel.start(this.#method, params, {
      onPart: part => this.#addPart(collector, part),
      onDone: () => {
        this.#isDone = true;
        this.#readRows(collector);
      },
      onFault: fault => this.#end(fault),
    });
    this.#host.requestUpdate();
    return true;
  }

  #addPart(collector: ReplyCollector, part: CallPart<M>): void {
    this.#hasPart = true;
    if (isTablePart(part)) {
      if (part.kind === 'rows') {
        this.#rowsQueue.push(part);
        this.#readRows(collector);
        return;
      }
      collector.add(part);
      this.reply = collector.current();
      this.hasReply = true;
      // The chain may have been reported only after the reply was read.
      if (this.#isHeadUnknown && part.readAt !== undefined) this.#head = part.readAt;
    } else this.#parts.push(part);
    this.#onPart?.(part);
    this.#host.requestUpdate();
  }

  /** One chunk per frame: the first rows are painted before the rest is read, and scrolling stays smooth. */
  #readRows(collector: ReplyCollector): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const part = this.#rowsQueue.shift();
      if (part !== undefined && collector.add(part)) {
        this.reply = collector.current();
        this.#host.requestUpdate();
      }
      if (this.#rowsQueue.length > 0) this.#readRows(collector);
      else if (this.#isDone) this.#end(null);
    });
  }

  #end(fault: HexLensError | null): void {
    this.#cancelCall = null;
    this.isLoading = false;
    const key = `${this.#method} ${this.#params}`;
    const stale = isNodeFault(fault) ? this.#lastReplies?.get(key) : undefined;
    if (fault !== null && stale !== undefined) this.#showStale(stale, fault);
    else {
      if (fault === null) this.#lastReplies?.set(key, { reply: this.reply, parts: this.#parts, readAt: Date.now() });
      this.fault = fault;
    }
    this.#host.requestUpdate();
  }

  #showStale({ reply, parts, readAt }: LastReply, fault: HexLensError): void {
    this.fault = null;
    this.reply = reply;
    this.hasReply = reply !== emptyReply;
    for (const part of parts) this.#onPart?.(part as CallPart<M>); // stored under this method
    this.#host.dispatchEvent(new StaleReplyEvent(fault, readAt));
  }
}
