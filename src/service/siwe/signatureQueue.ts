// Signatures whose accounts are to be recovered, in memory that threads share: whichever is free takes the next one.
import { bytesToHex, type Hex, hexToBytes } from '../../base/hex.ts';
import { recoverAddress, type SignatureEngine } from './signatureEngine.ts';

const SIGNATURE_BYTES = 65;
const DIGEST_BYTES = 32;
const ADDRESS_BYTES = 20;
/** A signature, a digest, 1 where a key fits, and then its address. */
const SLOT_BYTES = SIGNATURE_BYTES + DIGEST_BYTES + 1 + ADDRESS_BYTES;
/** A signature with the number n is in the slot n modulo this, once the one before is no longer needed. */
const SLOTS = 256;

/** Places of numbers: how many signatures were added and taken, and 1 while the adding thread waits for a message. */
const ADDED = 0;
const TAKEN = 1;
const IS_WAITING = 2;
/** From here on, one for each slot: 1 + the number of the signature that was done there last. */
const DONE = 3;
const BYTES_START = 4 * (DONE + SLOTS);

export class SignatureQueue {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #bytes: Uint8Array;

  /** @param memory Of the queue that another thread created. */
  constructor(memory = new SharedArrayBuffer(BYTES_START + SLOTS * SLOT_BYTES)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory, 0, DONE + SLOTS);
    this.#bytes = new Uint8Array(memory, BYTES_START);
  }

  /** How many no thread has taken. */
  get length(): number {
    return (Atomics.load(this.#numbers, ADDED) - Atomics.load(this.#numbers, TAKEN)) | 0;
  }

  /** Of the next signature. It may be added when the one `SLOTS` before is no longer needed. */
  get nextNumber(): number {
    return Atomics.load(this.#numbers, ADDED);
  }

  /** Only one thread may add. */
  add(signature: Uint8Array, digest: Uint8Array): void {
    const number = this.nextNumber;
    const start = getStart(number);
    this.#bytes.set(signature, start);
    this.#bytes.set(digest, start + SIGNATURE_BYTES);
    Atomics.store(this.#numbers, ADDED, (number + 1) | 0);
  }

  wakeThreads(): void {
    Atomics.notify(this.#numbers, ADDED);
  }

  /** The number of a signature that is the caller's now; `null` when there is none. */
  take(): number | null {
    for (;;) {
      const number = Atomics.load(this.#numbers, TAKEN);
      if (number === Atomics.load(this.#numbers, ADDED)) return null;
      if (Atomics.compareExchange(this.#numbers, TAKEN, number, (number + 1) | 0) === number) return number;
    }
  }

  isTaken(number: number): boolean {
    return ((Atomics.load(this.#numbers, TAKEN) - number) | 0) > 0;
  }

  /** The account of a signature, `null` when no key fits, and `undefined` when it is not done. */
  getResult(number: number): Hex | null | undefined {
    if (Atomics.load(this.#numbers, DONE + getSlot(number)) !== ((number + 1) | 0)) return undefined;
    const start = getStart(number) + SIGNATURE_BYTES + DIGEST_BYTES;
    return this.#bytes[start] === 1 ? bytesToHex(this.#bytes.slice(start + 1, start + 1 + ADDRESS_BYTES)) : null;
  }

  /** Whether threads are to send a message when one is done. */
  setWaiting(isWaiting: boolean): void {
    Atomics.store(this.#numbers, IS_WAITING, isWaiting ? 1 : 0);
  }

  /** The rest of a thread's life: does what it can take, sleeps while there is nothing, and calls `onDone` when that is waited for. */
  work(engine: SignatureEngine, onDone: () => void): never {
    for (;;) {
      const number = this.take();
      if (number === null) {
        Atomics.wait(this.#numbers, ADDED, Atomics.load(this.#numbers, TAKEN));
        continue;
      }
      const start = getStart(number);
      const digestStart = start + SIGNATURE_BYTES;
      const end = digestStart + DIGEST_BYTES;
      const address = recoverAddress(
        engine,
        this.#bytes.subarray(start, digestStart),
        this.#bytes.subarray(digestStart, end),
      );
      this.#bytes[end] = address === null ? 0 : 1;
      if (address !== null) this.#bytes.set(hexToBytes(address), end + 1);
      Atomics.store(this.#numbers, DONE + getSlot(number), (number + 1) | 0);
      if (Atomics.exchange(this.#numbers, IS_WAITING, 0) === 1) onDone();
    }
  }
}

/** The number before this one in the same slot. */
export const getPreviousInSlot = (number: number): number => (number - SLOTS) | 0;

const getSlot = (number: number): number => number & (SLOTS - 1);
const getStart = (number: number): number => getSlot(number) * SLOT_BYTES;
