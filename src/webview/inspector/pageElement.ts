// Base classes of elements that show something of the page's target.
import { LitElement } from 'lit';
import type { CallParams, CallPart } from '../../protocol/messages.ts';
import { getTraceTarget, type PageContext } from './pageContext.ts';
import { RequestController } from './requestController.ts';

export class PageElement extends LitElement {
  static override properties: Record<string, object> = { context: { attribute: false } };
  declare context: PageContext;
}

type TracedMethod = 'revertReason' | 'innerFailures' | 'stack' | 'stateChanges';

/** Shows what the trace of a transaction, or of the page's simulated call, tells. */
export class TracedElement<M extends TracedMethod> extends PageElement {
  static override properties: Record<string, object> = { hash: {} };
  hash = '';
  protected readonly request: RequestController<M>;
  /** `null` until they arrive. */
  protected details: CallPart<M> | null = null;

  constructor(method: M) {
    super();
    this.request = new RequestController(this, method, details => {
      this.details = details;
    });
  }

  override willUpdate(): void {
    const { channel, refreshCount } = this.context;
    const target: CallParams<TracedMethod> = getTraceTarget(this.context, this.hash);
    this.request.request(channel, target as CallParams<M>, refreshCount);
  }
}
