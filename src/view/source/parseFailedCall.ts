// Finds the call in what a node, a library or a log prints of one that failed: leniently, as each prints it in its own way.
import type { Simulation } from '../../api/traceTarget.ts';
import { type Hex, isAddress, isHex, parseQuantity, toLowerHex, toQuantity } from '../../base/hex.ts';
import { parseWei } from '../../decode/simulationInput.ts';

type Field = 'from' | 'to' | 'data' | 'value' | 'gas' | 'block';

/** How the fields are named: `from: 0x…` and `"from": "0x…"`, `From:` of Hardhat, `--from` of cast, `data=` of ethers. */
const FIELD_NAMES: Readonly<Record<Field, string>> = {
  from: 'from|sender',
  to: 'to|contract(?: call| address)?|address',
  data: 'data|input|calldata',
  value: 'value|amount',
  gas: 'gas(?:limit|[ _]limit)?',
  block: 'block(?:number|tag|[ _]number)?',
};

const MAX_TEXT_LENGTH = 400_000;
const AMOUNT = '0x[0-9a-f]{1,64}|[\\d_]{1,78}(?:\\.\\d{1,18})?(?:\\s?(?:wei|gwei|eth(?:er)?))?';
const VALUES: Readonly<Record<Field, string>> = {
  from: '0x[0-9a-f]{40}',
  to: '0x[0-9a-f]{40}',
  data: '0x[0-9a-f]*',
  value: AMOUNT,
  gas: AMOUNT,
  block: '0x[0-9a-f]{1,15}|\\d{1,15}',
};

/** All values of a field, in the order of the text. */
function findValues(text: string, field: Field): readonly string[] {
  const before = '(?<![\\w.-]|-(?!-))';
  // Between name and value: quotes, a colon or an equals sign, Hardhat's name of the contract, `<UnrecognizedContract>`.
  const between = '["\']?\\s*[:=]?\\s*(?:<?[A-Z][\\w$]{0,60}>?(?:#[\\w$<>-]{0,60})?\\s*\\(?\\s*)?["\']?';
  const pattern = `${before}(?:--)?(?:${FIELD_NAMES[field]})${between}(${VALUES[field]})(?![\\w])`;
  return [...text.matchAll(new RegExp(pattern, 'gi'))].flatMap(match => match[1] ?? []);
}

/** The call, with what the text says of it; `null` where it names neither a receiver nor data. */
export function parseFailedCall(text: string): Simulation | null {
  const given = text.slice(0, MAX_TEXT_LENGTH);
  const find = (field: Field) => findValues(given, field);
  const [from] = find('from');
  const [to] = find('to');
  // A log may print a short form too, or the data of the error beside that of the call.
  const datas = find('data').filter(value => value.length % 2 === 0);
  const data = datas.find(value => value.length >= 10) ?? datas[0];
  if (data === undefined && to === undefined) return null;
  if (to === undefined && (data?.length ?? 0) < 10) return null;
  const amount = (field: 'value' | 'gas'): Hex | null => {
    const wei = find(field).map(parseWei)[0];
    return wei === null || wei === undefined || wei === 0n ? null : toQuantity(wei);
  };
  const [value, gas] = [amount('value'), amount('gas')];
  const [block] = find('block');
  const number = block === undefined ? null : block.startsWith('0x') ? parseQuantity(block) : BigInt(block);
  return {
    from: isAddress(from) ? toLowerHex(from) : ZERO_SENDER,
    to: isAddress(to) ? toLowerHex(to) : null,
    data: isHex(data) ? toLowerHex(data) : '0x',
    ...(value !== null && { value }),
    ...(gas !== null && { gas }),
    ...(number !== null && { block: Number(number) }),
  };
}

/** The sender of an `eth_call` that names none. */
const ZERO_SENDER: Hex = `0x${'0'.repeat(40)}`;
