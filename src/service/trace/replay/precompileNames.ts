// Names of the precompiled contracts, as the EIPs have them, by address.

export const PRECOMPILE_NAMES: Readonly<Record<number, string>> = {
  1: 'ecrecover',
  2: 'sha256',
  3: 'ripemd160',
  4: 'identity',
  5: 'modexp',
  6: 'ecAdd',
  7: 'ecMul',
  8: 'ecPairing',
  9: 'blake2f',
  10: 'pointEvaluation',
  11: 'bls12G1Add',
  12: 'bls12G1Msm',
  13: 'bls12G2Add',
  14: 'bls12G2Msm',
  15: 'bls12PairingCheck',
  16: 'bls12MapFpToG1',
  17: 'bls12MapFp2ToG2',
  256: 'p256Verify',
};

/** The name of the precompiled contract at an address; `null` for every other address. */
export const getPrecompileName = (address: string): string | null =>
  address.length === 42 ? (PRECOMPILE_NAMES[Number(address)] ?? null) : null;
