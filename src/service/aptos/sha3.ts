// SHA3-256 (FIPS 202): addresses of paired metadata; Electron's own crypto does not have it.

const ROUNDS = 24;
/** Bytes of one block. */
const RATE = 136;
const MASK = (1n << 64n) - 1n;

/** Round constants of iota, as low and high halves, made by the LFSR of FIPS 202, section 3.2.5. */
const [IOTA_LOW, IOTA_HIGH] = roundConstants();

function roundConstants(): readonly [Int32Array, Int32Array] {
  const low = new Int32Array(ROUNDS);
  const high = new Int32Array(ROUNDS);
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    let constant = 0n;
    for (let j = 0; j < 7; j++) {
      if ((register & 1) === 1) constant |= 1n << ((1n << BigInt(j)) - 1n);
      register = ((register << 1) ^ ((register >> 7) * 0x171)) & 0xff;
    }
    constant &= MASK;
    low[round] = Number(constant & 0xffffffffn) | 0;
    high[round] = Number(constant >> 32n) | 0;
  }
  return [low, high];
}

/** Where each lane goes (pi) and how far it turns on the way (rho), from lane 1 on. */
const PI: number[] = [];
const RHO: number[] = [];
for (let t = 0, x = 1, y = 0; t < 24; t++) {
  [x, y] = [y, (2 * x + 3 * y) % 5];
  PI.push(x + 5 * y);
  RHO.push((((t + 1) * (t + 2)) / 2) % 64);
}

/** `lanes[2 * i]` is the low half of lane `i`, the next one its high half. */
function permute(lanes: Int32Array): void {
  const column = new Int32Array(10);
  const row = new Int32Array(10);
  const at = (array: Int32Array, index: number) => array[index] as number;
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < 10; i++) {
      column[i] = at(lanes, i) ^ at(lanes, i + 10) ^ at(lanes, i + 20) ^ at(lanes, i + 30) ^ at(lanes, i + 40);
    }
    for (let x = 0; x < 5; x++) {
      const left = 2 * ((x + 4) % 5);
      const right = 2 * ((x + 1) % 5);
      const low = at(column, right);
      const high = at(column, right + 1);
      const thetaLow = at(column, left) ^ ((low << 1) | (high >>> 31));
      const thetaHigh = at(column, left + 1) ^ ((high << 1) | (low >>> 31));
      for (let i = 2 * x; i < 50; i += 10) {
        lanes[i] = at(lanes, i) ^ thetaLow;
        lanes[i + 1] = at(lanes, i + 1) ^ thetaHigh;
      }
    }
    let low = at(lanes, 2);
    let high = at(lanes, 3);
    for (let t = 0; t < 24; t++) {
      const target = 2 * (PI[t] as number);
      const turn = RHO[t] as number;
      const nextLow = at(lanes, target);
      const nextHigh = at(lanes, target + 1);
      const [a, b] = turn < 32 ? [low, high] : [high, low];
      const bits = turn % 32;
      lanes[target] = bits === 0 ? a : (a << bits) | (b >>> (32 - bits));
      lanes[target + 1] = bits === 0 ? b : (b << bits) | (a >>> (32 - bits));
      low = nextLow;
      high = nextHigh;
    }
    for (let y = 0; y < 50; y += 10) {
      for (let i = 0; i < 10; i++) row[i] = at(lanes, y + i);
      for (let i = 0; i < 10; i++) lanes[y + i] = at(row, i) ^ (~at(row, (i + 2) % 10) & at(row, (i + 4) % 10));
    }
    lanes[0] = at(lanes, 0) ^ (IOTA_LOW[round] as number);
    lanes[1] = at(lanes, 1) ^ (IOTA_HIGH[round] as number);
  }
}

export function sha3_256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length] = 0x06;
  padded[padded.length - 1] = (padded[padded.length - 1] as number) | 0x80;
  const lanes = new Int32Array(50);
  const words = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let i = 0; i < RATE / 4; i++) lanes[i] = (lanes[i] as number) ^ words.getInt32(block + 4 * i, true);
    permute(lanes);
  }
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (let i = 0; i < 8; i++) out.setInt32(4 * i, lanes[i] as number, true);
  return digest;
}
