// How many random cases a test tries: few in each run, more where there is time.

/** `HEXLENS_TEST_ROUNDS=10` tries ten times as many. */
const factor = Number(process.env['HEXLENS_TEST_ROUNDS'] ?? 1);
if (!(factor > 0 && Number.isFinite(factor)))
  throw new Error(`HEXLENS_TEST_ROUNDS is "${factor}": it must be a number above 0, such as 10.`);

/** At least one. */
export const scaleRounds = (rounds: number): number => Math.ceil(rounds * factor);
