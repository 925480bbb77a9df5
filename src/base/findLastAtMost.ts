/** The last index of ascending values at which the value is at most `value`; -1 where there is none. */
export function findLastAtMost(values: ArrayLike<number>, value: number, length = values.length): number {
  let [low, high] = [-1, length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((values[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
