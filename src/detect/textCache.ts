// Keeps what was read of a text, since its literals are classified one after another.

interface Entry<T> {
  readonly text: string;
  readonly from: number;
  readonly value: T;
}

/**
 * What was read of the two parts of texts that were read last: of a document, and in turn with it of what a string in it holds, or
 * of what is around a run of rows.
 */
export class TextCache<T> {
  readonly #partLength: number;
  readonly #read: (text: string, from: number) => T;
  #last: Entry<T> | null = null;
  #previous: Entry<T> | null = null;

  /** Longer texts are read in parts of that length; `read` gets where a part starts. */
  constructor(partLength: number, read: (text: string, from: number) => T) {
    this.#partLength = partLength;
    this.#read = read;
  }

  /** For the part of the text that has a place. */
  get(text: string, at: number): T {
    const from = at - (at % this.#partLength);
    const isKnown = (entry: Entry<T> | null) => entry !== null && entry.from === from && entry.text === text;
    if (!isKnown(this.#last)) {
      const known = isKnown(this.#previous) ? this.#previous : null;
      this.#previous = this.#last;
      this.#last = known ?? { text, from, value: this.#read(text, from) };
    }
    return (this.#last as Entry<T>).value;
  }
}
