// Asynchronous work over a list, with a bound on how much of it is under way at once.

/**
 * Calls `work` for every item, at most `limit` at a time, and resolves with the results in the order of the items. The
 * first failure rejects, and items whose work has not started by then are left out.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let hasFailed = false;
  const run = async () => {
    while (next < items.length && !hasFailed) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, run));
  return results;
}
