// A command ends with its answer: over an index that is behind, it is asked for again until that is not, as long as it moves.

import type { WireReply } from '../api/wire/request.ts';
import { INDEX_HEADER } from '../api/wire/responseHeaders.ts';

/** Milliseconds after which it is said, again and again, what is waited for. */
const SAY_MS = 5_000;
/** An index that stands still so long does not go on by being waited for. */
const STILL_MS = 30_000;

/** `ask` waits for the index for a moment by itself. `say` hears how far it is, in a sentence. */
export async function waitForIndex(
  ask: () => Promise<WireReply>,
  say: (sentence: string) => void,
  time: () => number = () => performance.now(),
): Promise<WireReply> {
  let [said, moved] = [time(), time()];
  for (let before: string | undefined; ; ) {
    const reply = await ask();
    const index = reply.headers[INDEX_HEADER];
    if (index === undefined) return reply;
    const now = time();
    if (index !== before) [before, moved] = [index, now];
    if (now - moved > STILL_MS) {
      say(`The index of the chain stands still (${index}): this is what it holds.`);
      return reply;
    }
    if (now - said < SAY_MS) continue;
    said = now;
    say(`Waiting for the index of the chain (${index}).`);
  }
}
