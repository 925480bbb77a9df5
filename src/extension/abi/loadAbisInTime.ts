// The ABIs of the workspace for what is shown in a moment: reading thousands of artifacts takes longer.
import type { Clock } from '../../base/clock.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';
import type { AbiProvider } from './abiProvider.ts';

/** Waits until all artifacts are read, at most `maxMs`; then or when that fails what was read so far, `null` when nothing was. */
export async function loadAbisInTime(
  abis: Pick<AbiProvider, 'load' | 'current'>,
  clock: Clock,
  maxMs: number,
  signal?: AbortSignal,
): Promise<AbiRegistry | null> {
  const over = new AbortController();
  const late = clock
    .sleep(maxMs, AbortSignal.any(signal === undefined ? [over.signal] : [signal, over.signal]))
    .then(() => abis.current());
  const loaded = abis.load().catch(() => abis.current());
  return Promise.race([loaded, late]).finally(() => over.abort());
}
