// Loads a signature engine at first use: WebAssembly if it works, else JavaScript.
import { lazy } from '../../base/lazy.ts';
import type { Log } from '../../base/log.ts';
import { findEngineDefect, type SignatureEngine } from './signatureEngine.ts';

export interface SignatureEngineLoader {
  /** The WebAssembly engine, or the JavaScript one where that does not work. Loaded once. */
  load(): Promise<SignatureEngine>;
}

export interface SignatureEngineLoaderDeps {
  readonly log: Log;
  /** For tests; WebAssembly when absent. */
  readonly createWasmEngine?: () => Promise<SignatureEngine>;
}

/** Loads no engine until `load` is called: verifications are rare and engines are large. */
export function createSignatureEngineLoader({
  log,
  createWasmEngine = loadWasmEngine,
}: SignatureEngineLoaderDeps): SignatureEngineLoader {
  const load = lazy(async (): Promise<SignatureEngine> => {
    try {
      const engine = await createWasmEngine();
      const defect = findEngineDefect(engine);
      if (defect === null) return engine;
      log.warn(`The WebAssembly signature engine is not used: ${defect}. Verifications take longer.`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn(`The WebAssembly signature engine can not be loaded (${reason}). Verifications take longer.`);
    }
    const { jsSignatureEngine } = await import('./jsSignatureEngine.ts');
    const defect = findEngineDefect(jsSignatureEngine);
    if (defect !== null) throw new Error(`No signature engine can be trusted: ${defect}.`);
    return jsSignatureEngine;
  });
  return { load };
}

async function loadWasmEngine(): Promise<SignatureEngine> {
  const { createWasmSignatureEngine } = await import('./wasmSignatureEngine.ts');
  return createWasmSignatureEngine();
}
