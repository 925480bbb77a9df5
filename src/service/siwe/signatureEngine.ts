// Who signed: loads a signature engine at first use, tests it before it is trusted, and recovers addresses with it.
import { bytesToHex, type Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';

export interface SignatureEngine {
  readonly name: 'wasm' | 'js';
  keccak256(bytes: Uint8Array): Uint8Array;
  /**
   * The key (65 bytes, uncompressed) that made `signature` (65 bytes `yParity || r || s`, bounds checked before) over
   * `digest`; `null` when no key can have made it.
   */
  recoverPublicKey(signature: Uint8Array, digest: Uint8Array): Uint8Array | null;
}

/** The account of a signature, in lower case; `null` when no key can have made it. */
export function recoverAddress(engine: SignatureEngine, signature: Uint8Array, digest: Uint8Array): Hex | null {
  const key = engine.recoverPublicKey(signature, digest);
  return key === null ? null : bytesToHex(engine.keccak256(key.subarray(1)).subarray(12));
}

/** "hello world" as EIP-191 bytes, signed by the first account of every Hardhat and Foundry chain. */
const vector = {
  signed: '\x19Ethereum Signed Message:\n11hello world',
  digest: '0xd9eba16ed0ecae432b71fe008c98cc872bb4cc214d3220a36f365326cf807d68',
  signature:
    '00a461f509887bd19e312c0c58467ce8ff8e300d3c1a90b608a760c5b80318eaf15fe57c96f9175d6cd4daad4663763baa7e78836e067d0163e9a2ccf2ff753f5b',
  address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
} as const;

/** What is wrong with an engine that gives other answers than the known ones; `null` for a good one. */
export function findEngineDefect(engine: SignatureEngine): string | null {
  const digest = engine.keccak256(new TextEncoder().encode(vector.signed));
  if (bytesToHex(digest) !== vector.digest) return 'it hashes wrongly';
  const signature = new Uint8Array(Buffer.from(vector.signature, 'hex'));
  if (recoverAddress(engine, signature, digest) !== vector.address) return 'it recovers a wrong account';
  signature[0] = 1; // the other parity is another key
  if (recoverAddress(engine, signature, digest) === vector.address) return 'it does not look at the parity';
  signature.fill(0);
  return engine.recoverPublicKey(signature, digest) === null ? null : 'it takes a signature of zeros';
}

export interface SignatureEngineLoader {
  /** The engine of this loader: the fast one, or where that can not be had the plain one. Loaded once. */
  load(): Promise<SignatureEngine>;
}

export interface SignatureEngineLoaderDeps {
  readonly log: Log;
  /** For tests; WebAssembly when absent. */
  readonly createWasmEngine?: () => Promise<SignatureEngine>;
}

/** Nothing is loaded until `load` is called: a verification is rare, and the engine is most of a bundle's size. */
export function createSignatureEngineLoader({
  log,
  createWasmEngine: createFast = fast,
}: SignatureEngineLoaderDeps): SignatureEngineLoader {
  let loading: Promise<SignatureEngine> | null = null;
  const load = async (): Promise<SignatureEngine> => {
    try {
      const engine = await createFast();
      const wrong = findEngineDefect(engine);
      if (wrong === null) return engine;
      log.warn(`The fast signature engine is not used: ${wrong}. Verifications take longer.`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      log.warn(`The fast signature engine can not be loaded (${why}). Verifications take longer.`);
    }
    const { plainEngine: jsSignatureEngine } = await import('./jsSignatureEngine.ts');
    const wrong = findEngineDefect(jsSignatureEngine);
    if (wrong !== null) throw new Error(`There is no signature engine that can be trusted: ${wrong}.`);
    return jsSignatureEngine;
  };
  return {
    load() {
      loading ??= load().catch(error => {
        loading = null;
        throw error;
      });
      return loading;
    },
  };
}

async function fast(): Promise<SignatureEngine> {
  const { createFastEngine: createWasmSignatureEngine } = await import('./wasmSignatureEngine.ts');
  return createWasmSignatureEngine();
}
