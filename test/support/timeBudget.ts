// How long tests wait for states: one generous budget, so that slow and busy machines pass too.

/** `HEXLENS_TEST_TIME_FACTOR=3` triples every budget, for machines that are slower still. */
export const timeFactor = readFactor(process.env['HEXLENS_TEST_TIME_FACTOR']);

/** The longest wait for one state. A run in which nothing hangs never uses it up. */
export const budgetMs = 90_000 * timeFactor;

function readFactor(text: string | undefined): number {
  const factor = Number(text ?? 1);
  if (factor > 0 && Number.isFinite(factor)) return factor;
  throw new Error(`HEXLENS_TEST_TIME_FACTOR is "${text}": it must be a number above 0, such as 3.`);
}
