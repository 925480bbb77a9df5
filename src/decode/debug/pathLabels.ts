// Tells loops in a code by its labels: the optimizer may put the beginning of a loop behind its end.

/** Labels on the way from the beginning of a function, without those of rounds of loops that ended. */
export interface LabelPath {
  /** Of the running function. */
  readonly number: number;
  /** Those of the functions that called it are before them. */
  readonly labels: number[];
  readonly firstLabel: number;
}

export class PathLabels {
  /** By label: the function that reached it last, and its index in the path of that. */
  readonly #number: Int32Array;
  readonly #index: Int32Array;

  constructor(codeLength: number) {
    this.#number = new Int32Array(codeLength).fill(-1);
    this.#index = new Int32Array(codeLength);
  }

  /** Whether a loop begins its next round: the label is on the way to here. */
  reach({ number, labels, firstLabel }: LabelPath, label: number): boolean {
    let index = this.#index[label] as number;
    if (this.#number[label] !== number) {
      // Another call of the function may have reached it since.
      index = labels.length - 1;
      while (index >= firstLabel && labels[index] !== label) index--;
    }
    const isAgain = index >= firstLabel && labels[index] === label;
    if (isAgain) labels.length = index;
    this.#number[label] = number;
    this.#index[label] = labels.length;
    labels.push(label);
    return isAgain;
  }
}
