// EIP-4844's check of a point evaluation, by the arithmetic that EIP-2537 gives the EVM package already.
import { NobleBLS } from '@ethereumjs/evm';
import type { KZG } from '@ethereumjs/util';
import { hexToBytes } from '../../../base/hex.ts';

const FIELD = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
const toField = (value: bigint): string => value.toString(16).padStart(128, '0');
const toBytes = (digits: string): Uint8Array => hexToBytes(`0x${digits}`);
const concat = (...parts: readonly Uint8Array[]): Uint8Array => {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
};
const toG2 = (x0: bigint, x1: bigint, y0: bigint, y1: bigint): Uint8Array =>
  toBytes([x0, x1, y0, y1].map(toField).join(''));

const G1 = toBytes(
  toField(0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn) +
    toField(0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n),
);
const G2_X = [
  0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8n,
  0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7en,
] as const;
/** Of the negated generator. */
const G2_NEGATIVE_Y = [
  0x0d1b3cc2c7027888be51d9ef691d77bcb679afda66c73f17f9ee3837a55024f78c71363275a75d75d86bab79f74782aan,
  0x13fa4d4a0ad8b1ce186ed5061789213d993923066dddaf1040bc3ff59f825c78df74f2d75467e25e0f55f8a00fa030edn,
] as const;
const G2_NEGATIVE = toG2(...G2_X, ...G2_NEGATIVE_Y);
const G2 = toG2(...G2_X, FIELD - G2_NEGATIVE_Y[0], FIELD - G2_NEGATIVE_Y[1]);
/** The second point of the ceremony's G2: the generator times its secret. */
const SECRET_G2 = toG2(
  0x185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2n,
  0x15bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72n,
  0x014353bdb96b626dd7d5ee8599d1fca2131569490e28de18e82451a496a9c9794ce26d105941f383ee689bfbbb832a99n,
  0x1666c54b0a32529503432fcae0181b4bef79de09fc63671fda5ed1ba9bfa07899495346f3d7ac9cd23048ef30d0a154fn,
);

function pow(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let factor = base % FIELD, rest = exponent; rest > 0n; rest >>= 1n, factor = (factor * factor) % FIELD)
    if ((rest & 1n) === 1n) result = (result * factor) % FIELD;
  return result;
}

/** 48 bytes with three flags; `null` for what is no point of the curve. */
function decompressG1(hex: string): Uint8Array | null {
  const value = BigInt(hex);
  const [isCompressed, isInfinity, isLarger] = [383n, 382n, 381n].map(bit => ((value >> bit) & 1n) === 1n);
  const x = value & ((1n << 381n) - 1n);
  if (!isCompressed) return null;
  if (isInfinity) return x === 0n && !isLarger ? new Uint8Array(128) : null;
  const square = (x ** 3n + 4n) % FIELD;
  const root = pow(square, (FIELD + 1n) / 4n);
  if (x >= FIELD || (root * root) % FIELD !== square) return null;
  const y = root > FIELD / 2n === isLarger ? root : FIELD - root;
  return toBytes(toField(x) + toField(y));
}

const toScalar = (value: bigint): Uint8Array => toBytes(value.toString(16).padStart(64, '0'));

/** Whether the polynomial that `commitment` commits to has the value `y` at `z`. */
export function verifyKzgProof(commitment: string, z: string, y: string, proof: string): boolean {
  const [point, value] = [BigInt(z), BigInt(y)];
  const committed = decompressG1(commitment);
  const quotient = decompressG1(proof);
  if (point >= ORDER || value >= ORDER || committed === null || quotient === null) return false;
  try {
    const bls = new NobleBLS();
    // e(C - y·G1, -G2) · e(proof, (secret - z)·G2) = 1
    const left = bls.addG1(concat(committed, bls.msmG1(concat(G1, toScalar((ORDER - value) % ORDER)))));
    const right = bls.addG2(concat(SECRET_G2, bls.msmG2(concat(G2, toScalar((ORDER - point) % ORDER)))));
    return bls.pairingCheck(concat(left, G2_NEGATIVE, quotient, right)).at(-1) === 1;
  } catch {
    return false; // a point outside of the subgroup
  }
}

const fail = (): never => {
  throw new Error('The EVM only verifies proofs.');
};

/** As the EVM package takes it, which only verifies proofs. */
export const kzg = {
  blobToKzgCommitment: fail,
  computeBlobProof: fail,
  verifyProof: verifyKzgProof,
  verifyBlobProofBatch: fail,
  computeCells: fail,
  computeCellsAndProofs: fail,
  recoverCellsAndProofs: fail,
  verifyCellKzgProofBatch: fail,
} satisfies KZG;
