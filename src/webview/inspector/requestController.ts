// One call of an element, repeated when its parameters change: the reply so far, its fault, its end.
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { HexLensError } from '../../base/errors.ts';
import type { CallMethod, CallParams, CallPart, RowsPart, TablesPart } from '../../protocol/messages.ts';
import type { PageChannel } from '../../protocol/pageChannel.ts';
import { type CollectedReply, createReplyCollector, emptyReply, type ReplyCollector } from './replyCollector.ts';

const isTablePart = (part: CallPart<CallMethod>): part is TablesPart | RowsPart =>
  'kind' in part && (part.kind === 'tables' || part.kind === 'rows');

/** What elements show of a request of any method. */
export type RequestState = Pick<RequestController<CallMethod>, 'cancel' | 'isLoading' | 'reply'>;

export class RequestController<M extends CallMethod> implements ReactiveController {
  /** The tables of methods that return some. */
  reply: CollectedReply = emptyReply;
  fault: HexLensError | null = null;
  isLoading = false;
  /** Part of a reply has arrived, if only of the call before a refresh. */
  hasReply = false;
  readonly #host: ReactiveControllerHost;
  readonly #method: M;
  readonly #onPart: ((part: CallPart<M>) => void) | undefined;
  #refresh: number | string = '';
  /** The parameters as JSON; '' while nothing is requested. */
  #params = '';
  #cancelCall: (() => void) | null = null;
  #rowsQueue: RowsPart[] = [];
  #frame = 0;
  #isDone = false;

  constructor(host: ReactiveControllerHost, method: M, onPart?: (part: CallPart<M>) => void) {
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

  /** Calls the method, unless the same call was made with the same `refresh`. `null` requests nothing. */
  request(channel: PageChannel, params: CallParams<M> | null, refresh: number | string): void {
    const json = params === null ? '' : JSON.stringify(params);
    const isRefresh = json === this.#params;
    if (isRefresh && (refresh === this.#refresh || params === null)) return;
    this.cancel();
    this.#params = json;
    this.#refresh = refresh;
    this.fault = null;
    // A refresh shows the old reply until the new one arrives.
    if (!isRefresh) {
      this.reply = emptyReply;
      this.hasReply = false;
    }
    if (params === null) return;
    this.isLoading = true;
    const collector = createReplyCollector();
    this.#cancelCall = channel.call(this.#method, params, {
      onPart: part => this.#addPart(collector, part),
      onDone: () => {
        this.#isDone = true;
        this.#readRows(collector);
      },
      onFault: fault => this.#end(fault),
    });
    this.#host.requestUpdate();
  }

  #addPart(collector: ReplyCollector, part: CallPart<M>): void {
    if (isTablePart(part)) {
      if (part.kind === 'rows') {
        this.#rowsQueue.push(part);
        this.#readRows(collector);
        return;
      }
      collector.add(part);
      this.reply = collector.current();
      this.hasReply = true;
    }
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
    this.fault = fault;
    this.#host.requestUpdate();
  }
}
