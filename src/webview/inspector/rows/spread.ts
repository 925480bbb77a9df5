// Counts of numbers in equal parts of their range.

export interface Spread {
  readonly counts: readonly number[];
  /** Where the first part begins. */
  readonly first: number;
  /** Whole numbers per part. */
  readonly width: number;
}

export function spread(numbers: readonly number[], most: number): Spread {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (number < first) first = number;
    if (number > last) last = number;
  }
  if (first > last) return { counts: [], first: 0, width: 1 };
  const width = Math.max(1, Math.ceil((last - first + 1) / most));
  const counts = new Array<number>(Math.floor((last - first) / width) + 1).fill(0);
  for (const number of numbers) {
    const at = Math.floor((number - first) / width);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return { counts, first, width };
}
