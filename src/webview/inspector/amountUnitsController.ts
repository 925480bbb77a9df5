// Units of the tokens that an element shows amounts of: each requested once, while the rows are shown already.
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type AmountUnits, isAmountToken, MAX_UNITS_PER_PAGE } from '../../protocol/amountUnits.ts';
import type { PageChannel } from '../../protocol/messages.ts';

export class AmountUnitsController implements ReactiveController {
  /** Another object after each arrival. */
  units: AmountUnits = {};
  readonly #host: ReactiveControllerHost;
  readonly #requested = new Set<string>();
  #chain = '';
  #cancelCalls: (() => void)[] = [];

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    for (const cancel of this.#cancelCalls) cancel();
    this.#cancelCalls = [];
    // A reconnected element requests those again that have not arrived.
    this.#requested.clear();
    for (const contract of Object.keys(this.units)) this.#requested.add(contract);
  }

  /** Requests those not requested yet, up to `MAX_UNITS_PER_PAGE` in all. Addresses in any case, or `NATIVE_COIN`. */
  request(channel: PageChannel, chain: string, contracts: Iterable<string>): void {
    if (chain !== this.#chain) {
      this.hostDisconnected();
      this.#chain = chain;
      this.#requested.clear();
      this.units = {};
    }
    const missing: string[] = [];
    for (const text of contracts) {
      if (this.#requested.size >= MAX_UNITS_PER_PAGE) break;
      const contract = text.toLowerCase();
      if (this.#requested.has(contract) || !isAmountToken(contract)) continue;
      this.#requested.add(contract);
      missing.push(contract);
    }
    if (missing.length === 0) return;
    const cancel = channel.start(
      'amountUnits',
      { chain, contracts: missing },
      {
        onPart: units => {
          this.units = { ...this.units, ...units };
          this.#host.requestUpdate();
        },
        onDone: () => {
          this.#cancelCalls = this.#cancelCalls.filter(other => other !== cancel);
        },
      },
    );
    this.#cancelCalls.push(cancel);
  }
}
