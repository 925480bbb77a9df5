// The units of the tokens that a part shows amounts of: asked once each, a few per page, while the rows are there already.
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type AmountUnits, MAX_UNITS_PER_PAGE } from '../../protocol/amountUnits.ts';
import type { PageChannel } from './pageChannel.ts';

export class AmountUnitsController implements ReactiveController {
  /** Another object whenever something came. */
  units: AmountUnits = {};
  readonly #host: ReactiveControllerHost;
  readonly #asked = new Set<string>();
  #chain = '';
  #cancels: (() => void)[] = [];

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels = [];
    // What was not answered is asked again by whoever comes back.
    this.#asked.clear();
    for (const contract of Object.keys(this.units)) this.#asked.add(contract);
  }

  /** Asks for those that were not asked for yet, until there are `MOST_UNITS` of them. Addresses in any case. */
  request(link: PageChannel, chain: string, contracts: Iterable<string>): void {
    if (chain !== this.#chain) {
      this.hostDisconnected();
      this.#chain = chain;
      this.#asked.clear();
      this.units = {};
    }
    const missing: string[] = [];
    for (const text of contracts) {
      if (this.#asked.size >= MAX_UNITS_PER_PAGE) break;
      const contract = text.toLowerCase();
      if (this.#asked.has(contract) || !/^0x[0-9a-f]{40}$/.test(contract)) continue;
      this.#asked.add(contract);
      missing.push(contract);
    }
    if (missing.length === 0) return;
    const cancel = link.ask(
      { kind: 'units', chain, contracts: missing },
      {
        answer: message => {
          if (message.type !== 'units') return;
          this.units = { ...this.units, ...message.units };
          this.#host.requestUpdate();
        },
        done: () => {
          this.#cancels = this.#cancels.filter(other => other !== cancel);
        },
      },
    );
    this.#cancels.push(cancel);
  }
}
