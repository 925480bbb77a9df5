// One question of a page part, asked anew when it changes: its answer so far, its fault, its end.
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { HexLensError } from '../../base/errors.ts';
import type { ExtensionMessage, Question } from '../../protocol/messages.ts';
import type { PageChannel } from './pageChannel.ts';
import { type CollectedReply, createReplyCollector, emptyReply, type ReplyCollector } from './replyCollector.ts';

export class RequestController implements ReactiveController {
  reply: CollectedReply = emptyReply;
  fault: HexLensError | null = null;
  isLoading = false;
  /** Something of an answer is there, if only of the one before. */
  hasReply = false;
  readonly #host: ReactiveControllerHost;
  readonly #onMessage: ((message: ExtensionMessage) => void) | undefined;
  #key = '';
  #cancel: (() => void) | null = null;
  #queue: ExtensionMessage[] = [];
  #frame = 0;
  #ended = false;

  constructor(host: ReactiveControllerHost, onMessage?: (message: ExtensionMessage) => void) {
    this.#host = host;
    this.#onMessage = onMessage;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.cancel();
    this.#key = '';
  }

  /** Stops what is under way; what has arrived stays. */
  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#queue = [];
    this.#ended = false;
    this.isLoading = false;
    this.#host.requestUpdate();
  }

  /** Asks unless the same was asked with the same `round`. `null` asks nothing. */
  request(link: PageChannel, question: Question | null, round: number | string): void {
    const key = question === null ? '' : `${round} ${JSON.stringify(question)}`;
    if (key === this.#key) return;
    const same = this.#key.replace(/^\S+ /, '') === key.replace(/^\S+ /, '');
    this.cancel();
    this.#key = key;
    this.fault = null;
    // The same question again: what it answered before stays until the new answer is there.
    if (!same) {
      this.reply = emptyReply;
      this.hasReply = false;
    }
    if (question === null) return;
    this.isLoading = true;
    const collector = createReplyCollector();
    this.#cancel = link.ask(question, {
      answer: message => {
        if (message.type === 'rows') {
          this.#queue.push(message);
          this.#drain(collector);
          return;
        }
        if (collector.take(message)) {
          this.reply = collector.current();
          this.hasReply = true;
        }
        this.#onMessage?.(message);
        this.#host.requestUpdate();
      },
      done: () => {
        this.#ended = true;
        this.#drain(collector);
      },
      fault: fault => this.#end(fault),
    });
    this.#host.requestUpdate();
  }

  /** One run per frame: the first rows are painted before the rest is read, and scrolling goes on meanwhile. */
  #drain(collector: ReplyCollector): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const run = this.#queue.shift();
      if (run !== undefined && collector.take(run)) {
        this.reply = collector.current();
        this.#host.requestUpdate();
      }
      if (this.#queue.length > 0) this.#drain(collector);
      else if (this.#ended) this.#end(null);
    });
  }

  #end(fault: HexLensError | null): void {
    this.#cancel = null;
    this.isLoading = false;
    this.fault = fault;
    this.#host.requestUpdate();
  }
}
