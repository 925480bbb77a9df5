// Counts round trips to nodes as a slow link has them: what is sent at the same time arrives together.
import { stat } from 'node:fs/promises';
import type { HttpPort, HttpRequest, HttpResponse } from '../../src/base/httpPort.ts';

/** Turns of the event loop without a new request after which all of a round are sent: promises and timers of 0 ms have run. */
const QUIET_TURNS = 25;

/** Files that the client reads meanwhile take turns of another thread, which a busy machine lets wait. */
async function endOfTurn(): Promise<void> {
  await stat(import.meta.dirname);
  await new Promise(resolve => setImmediate(resolve));
}

/** Holds requests until the client waits for nothing but them, then sends all of them: that is one round trip. */
export class RoundTripCounter implements HttpPort {
  readonly #http: HttpPort;
  /** The methods of each round trip. */
  readonly rounds: string[][] = [];
  #round: Promise<void> | null = null;
  #labels: string[] = [];
  #underWay = 0;
  #arrivals = 0;

  constructor(http: HttpPort) {
    this.#http = http;
  }

  get count(): number {
    return this.rounds.length;
  }

  /** Forgets what was counted. */
  reset(): void {
    this.rounds.length = 0;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    this.#arrivals++;
    this.#labels.push(request.logLabel);
    this.#round ??= this.#startRound();
    await this.#round;
    this.#underWay++;
    try {
      return await this.#http.send(request);
    } finally {
      this.#underWay--;
    }
  }

  async #startRound(): Promise<void> {
    let seen = -1;
    for (let turns = 0; turns < QUIET_TURNS; turns++) {
      // Also while responses of the round before are still under way: their callers may send more.
      if (seen !== this.#arrivals || this.#underWay > 0) turns = 0;
      seen = this.#arrivals;
      await endOfTurn();
    }
    this.rounds.push(this.#labels);
    this.#labels = [];
    this.#round = null;
  }
}
