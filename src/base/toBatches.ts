/** Pieces of `size` items, in their order; the last may be shorter. */
export function* toBatches<T>(items: readonly T[], size: number): Iterable<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
