// What a replay needs of a transaction and its block, from the node's responses.
import { hexToBytes, isAddress, isHash, parseQuantity, toLowerHex } from '../../base/hex.ts';
import {
  optionalAddress,
  readBigInt,
  requireAddress,
  requireBigInt,
  requireHash,
  requireObject,
  type WireObject,
} from '../evm/responseFields.ts';
import { getCallData } from '../evm/toBlockRecord.ts';
import {
  type Authorization,
  HARDFORKS,
  type Hardfork,
  type ReplayBlock,
  type ReplayTransaction,
} from './replay/replayTypes.ts';

/** Types of transactions that a replay understands; 0x7e is a deposit of OP Stack. */
const KNOWN_TYPES: readonly bigint[] = [0n, 1n, 2n, 3n, 4n, 0x7en];

/** `null` for a type of transaction that another chain defines. */
export function parseReplayTransaction(wire: WireObject, receipt: WireObject | null): ReplayTransaction | null {
  const type = parseQuantity(wire['type']) ?? 0n;
  if (!KNOWN_TYPES.includes(type)) return null;
  const isDeposit = type === 0x7en;
  const to = optionalAddress(wire, 'to');
  const list = (key: string): readonly WireObject[] =>
    Array.isArray(wire[key]) ? wire[key].map(entry => requireObject(entry, key)) : [];
  return {
    hash: toLowerHex(requireHash(wire, 'hash')),
    from: toLowerHex(requireAddress(wire, 'from')),
    to: to === null ? null : toLowerHex(to),
    nonce: parseQuantity(wire['nonce']),
    gasLimit: readBigInt(wire, 'gas'),
    gasPrice: isDeposit
      ? 0n
      : (parseQuantity(receipt?.['effectiveGasPrice']) ??
        parseQuantity(wire['gasPrice']) ??
        requireBigInt(wire, 'maxFeePerGas')),
    value: readBigInt(wire, 'value'),
    input: hexToBytes(getCallData(wire)),
    accessList: list('accessList').map(entry => ({
      address: toLowerHex(requireAddress(entry, 'address')),
      slots: (Array.isArray(entry['storageKeys']) ? entry['storageKeys'] : []).filter(isHash).map(toLowerHex),
    })),
    authorizations: list('authorizationList').map(parseAuthorization),
    blobVersionedHashes: (Array.isArray(wire['blobVersionedHashes']) ? wire['blobVersionedHashes'] : []).filter(isHash),
    isDeposit,
    mint: isDeposit ? (parseQuantity(wire['mint']) ?? 0n) : 0n,
  };
}

const parseAuthorization = (wire: WireObject): Authorization => ({
  chainId: requireBigInt(wire, 'chainId'),
  address: toLowerHex(requireAddress(wire, 'address')),
  nonce: requireBigInt(wire, 'nonce'),
  yParity: parseQuantity(wire['yParity']) ?? requireBigInt(wire, 'v'),
  r: requireBigInt(wire, 'r'),
  s: requireBigInt(wire, 's'),
});

export function parseReplayBlock(wire: WireObject, receipt: WireObject | null): ReplayBlock {
  const beneficiary = wire['miner'] ?? wire['author'];
  const hardforks = getPermittedHardforks(wire);
  const excessBlobGas = parseQuantity(wire['excessBlobGas']);
  return {
    number: requireBigInt(wire, 'number'),
    hash: toLowerHex(requireHash(wire, 'hash')),
    parentHash: toLowerHex(requireHash(wire, 'parentHash')),
    timestamp: requireBigInt(wire, 'timestamp'),
    beneficiary: isAddress(beneficiary) ? toLowerHex(beneficiary) : `0x${'0'.repeat(40)}`,
    gasLimit: requireBigInt(wire, 'gasLimit'),
    baseFee: parseQuantity(wire['baseFeePerGas']),
    difficulty: parseQuantity(wire['difficulty']) ?? 0n,
    prevRandao: isHash(wire['mixHash']) ? hexToBytes(wire['mixHash']) : new Uint8Array(32),
    blobBaseFee:
      parseQuantity(receipt?.['blobGasPrice']) ??
      (excessBlobGas === null ? null : getBlobBaseFee(excessBlobGas, hardforks[0] ?? 'osaka')),
    hardforks,
  };
}

/** The hardforks that the fields of a block's header permit, newest first. */
function getPermittedHardforks(wire: WireObject): readonly Hardfork[] {
  const has = (key: string) => wire[key] !== undefined && wire[key] !== null;
  const [oldest, newest]: readonly [Hardfork, Hardfork] = has('requestsHash')
    ? ['prague', 'osaka']
    : has('excessBlobGas')
      ? ['cancun', 'osaka'] // Hardhat 2 leaves out `requestsHash`
      : has('withdrawalsRoot')
        ? ['shanghai', 'shanghai']
        : has('baseFeePerGas')
          ? ['london', parseQuantity(wire['difficulty']) === 0n ? 'shanghai' : 'london']
          : ['chainstart', 'berlin'];
  return HARDFORKS.slice(HARDFORKS.indexOf(oldest), HARDFORKS.indexOf(newest) + 1).toReversed();
}

/** EIP-4844's constant, as EIP-7691 changed it; later blob schedules change only what blobs cost. */
const BLOB_UPDATE_FRACTIONS = { cancun: 3_338_477n, prague: 5_007_716n } as const;

/** EIP-4844's `fake_exponential`. */
function getBlobBaseFee(excessBlobGas: bigint, hardfork: Hardfork): bigint {
  const denominator = hardfork === 'cancun' ? BLOB_UPDATE_FRACTIONS.cancun : BLOB_UPDATE_FRACTIONS.prague;
  let sum = 0n;
  for (let index = 1n, term = denominator; term > 0n; index++) {
    sum += term;
    term = (term * excessBlobGas) / (denominator * index);
  }
  return sum / denominator;
}
