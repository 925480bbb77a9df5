// A block of any size as the API encodes it: the same bytes on every run, without a chain.

const hexOf = (seed: number, digits: number): string => {
  let text = '';
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  while (text.length < digits) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state.toString(16).padStart(8, '0');
  }
  return `0x${text.slice(0, digits)}`;
};

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`;

export interface SyntheticBlock {
  readonly transactions: number;
  /** In total, spread evenly. */
  readonly logs: number;
  readonly number?: number;
}

export function createSyntheticBlock({
  transactions,
  logs,
  number = 18_000_000,
}: SyntheticBlock): Record<string, unknown> {
  const place = {
    block_timestamp: '2023-11-14T22:13:20.000Z',
    block_number: String(number),
    block_hash: hexOf(number, 64),
  };
  const addressOf = (seed: number) => hexOf(seed % 400, 40);
  let log = 0;
  const list = Array.from({ length: transactions }, (_, index) => {
    const hash = hexOf(1_000_000 + index, 64);
    const until = Math.round(((index + 1) * logs) / transactions);
    const own: unknown[] = [];
    for (; log < until; log++)
      own.push({
        log_index: String(log),
        transaction_hash: hash,
        transaction_index: String(index),
        address: addressOf(log),
        data: `0x${BigInt(log * 1_000_003)
          .toString(16)
          .padStart(64, '0')}`,
        topic0: log % 5 === 0 ? hexOf(77 + (log % 40), 64) : TRANSFER,
        topic1: word(addressOf(log + 1)),
        topic2: word(addressOf(log + 2)),
        ...place,
      });
    return {
      hash,
      nonce: String(index),
      transaction_index: String(index),
      from_address: addressOf(index),
      to_address: addressOf(index + 7),
      from_address_label: null,
      to_address_label: null,
      value: String(BigInt(index) * 10n ** 15n),
      gas: '210000',
      gas_price: '30000000000',
      input: index % 3 === 0 ? '0x' : `0xa9059cbb${'0'.repeat(24)}${addressOf(index).slice(2)}${'0'.repeat(64)}`,
      receipt_cumulative_gas_used: String(21_000 * (index + 1)),
      receipt_gas_used: String(21_000 + (index % 50) * 1_000),
      receipt_contract_address: null,
      receipt_status: index % 25 === 24 ? '0' : '1',
      ...place,
      logs: own,
    };
  });
  return {
    timestamp: place.block_timestamp,
    number: String(number),
    hash: place.block_hash,
    parent_hash: hexOf(number - 1, 64),
    nonce: '0x0000000000000000',
    sha3_uncles: hexOf(1, 64),
    logs_bloom: '0x',
    transactions_root: hexOf(2, 64),
    state_root: hexOf(3, 64),
    receipts_root: hexOf(4, 64),
    miner: hexOf(5, 40),
    difficulty: '0',
    total_difficulty: '0',
    size: '120000',
    extra_data: '0x',
    gas_limit: '30000000',
    gas_used: '15000000',
    transaction_count: String(transactions),
    base_fee_per_gas: '12000000000',
    transactions: list,
  };
}
