// Random valid inputs and records for every operation, derived from their kinds.
import fc from 'fast-check';
import { type OperationId, operations } from '../../src/api/operations/operations.ts';
import { type AnyParameter, isListKind, type Parameters } from '../../src/api/operations/parameters.ts';
import type { AnyField, AnyRecord } from '../../src/api/records/record.ts';
import type { ListValueKind, ValueKind } from '../../src/api/records/valueKinds.ts';
import type { ReplyShape } from '../../src/api/wire/reply.ts';
import type { Hex } from '../../src/base/hex.ts';

const hexDigits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: min, maxLength: max });
const hexOf = (bytes: number) => hexDigits(bytes * 2, bytes * 2).map(digits => `0x${digits}` as Hex);
const uint = (bits: bigint) => fc.bigInt({ min: 0n, max: (1n << bits) - 1n });
const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
const words = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter(text => text.length > 0);

const identifier = fc.string({ unit: fc.constantFrom(...'abcXYZ_019'), minLength: 1, maxLength: 12 });
const structTag: fc.Arbitrary<string> = fc.letrec<{ tag: string }>(tie => ({
  tag: fc
    .tuple(
      hexDigits(1, 64),
      identifier,
      identifier,
      fc.option(fc.array(tie('tag'), { minLength: 1, maxLength: 2 }), { nil: null, depthSize: 'small' }),
      fc.constantFrom(',', ', '),
      fc.constantFrom('', '/path', '%2F', ' & more=1?#'),
    )
    .map(
      ([address, module, name, args, comma, odd]) =>
        `0x${address}::${module}::${name}${args === null ? odd.trim() : `<${args.join(comma)}>`}`,
    ),
})).tag;

const parameterArbitraries: Readonly<Record<string, (hint: string) => fc.Arbitrary<unknown>>> = {
  integer: hint => {
    const [, min = '0', max = '0'] = /from (\d+) to (\d+)/.exec(hint) ?? [];
    return fc.integer({ min: Number(min), max: Number(max) });
  },
  blockNumber: () => fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  blockNumberText: () => fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  flag: () => fc.boolean(),
  choice: hint => fc.constantFrom(...hint.replace(/^(only|one of) /, '').split(', ')),
  evmAddress: () => hexOf(20),
  hash32: () => hexOf(32),
  eventTopic: () => hexOf(32),
  indexedTopic: () => hexOf(32),
  blockId: () => fc.oneof(fc.nat({ max: Number.MAX_SAFE_INTEGER }), hexOf(32)),
  tokenId: () => uint(256n),
  chain: () => fc.constantFrom('eth', 'bsc testnet', 'local', 'arbitrum', '0x7a69', '0x2105'),
  date: () => dates,
  opaque: () => words,
  text: () => words,
  aptosAddress: () => hexOf(32),
  aptosHash: () => hexDigits(64, 64),
  coinType: () => structTag,
  aptosNetwork: () => fc.constantFrom('mainnet', 'testnet', 'devnet', 'local', 'my-net'),
  uint64: () => uint(64n),
};

function ofKind(kind: { readonly name: string; readonly hint: string }): fc.Arbitrary<unknown> {
  const make = parameterArbitraries[kind.name];
  if (make === undefined) throw new Error(`No generator for parameters of kind ${kind.name}`);
  return make(kind.hint);
}

function ofParameter({ kind }: AnyParameter): fc.Arbitrary<unknown> {
  return isListKind(kind)
    ? fc.array(ofKind(kind.item), { minLength: kind.bounds.min, maxLength: Math.min(kind.bounds.max, 6) })
    : ofKind(kind);
}

/** Any valid input of an operation, in normal form. */
export function arbitraryInput(id: OperationId): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const parameters: Parameters = operations[id].parameters;
  const required: string[] = [];
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    model[name] = ofParameter(parameter);
    if (parameter.required) required.push(name);
  }
  return fc.record(model, { requiredKeys: required }).map(value => ({ ...value }));
}

const valueArbitraries: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text: words,
  hex: hexDigits(0, 40).map(digits => `0x${digits}`),
  address: hexOf(20),
  hash: hexOf(32),
  checksummed: hexOf(20),
  amount: uint(256n),
  count: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  number: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  decimal: fc.constantFrom('0', '1.5', '450118.365610976663088772'),
  flag: fc.boolean(),
  boolean: fc.boolean(),
  stringFlag: fc.boolean(),
  time: dates,
  tokenId: uint(256n),
  jsonText: fc.dictionary(identifier, fc.oneof(fc.string(), fc.integer(), fc.boolean())).map(value => ({ ...value })),
  json: fc.constantFrom({ name: 'Ape', attributes: [] }, [1, 2]),
};

function ofValue(kind: ValueKind<unknown>): fc.Arbitrary<unknown> {
  if ('wires' in kind) return arbitraryRecord(kind as AnyRecord);
  if ('item' in kind) return fc.array(ofValue((kind as ListValueKind<unknown>).item), { maxLength: 2 });
  const found = valueArbitraries[kind.name];
  if (found === undefined) throw new Error(`No generator for values of kind ${kind.name}`);
  return found;
}

/** Any record of a kind: fields that may be null sometimes are. */
export function arbitraryRecord(kind: AnyRecord): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, field] of Object.entries(kind.fields as Readonly<Record<string, AnyField>>)) {
    model[name] = field.absence === 'always' ? ofValue(field.kind) : fc.option(ofValue(field.kind), { nil: null });
  }
  return fc.record(model).map(value => ({ ...value }));
}

export function arbitraryOutput(reply: ReplyShape<AnyRecord>): fc.Arbitrary<unknown> {
  if (reply.shape === 'record') return arbitraryRecord(reply.record);
  const records = fc.array(arbitraryRecord(reply.record), { maxLength: 4 });
  if (reply.shape === 'array') return records;
  const aptos = reply.envelope === 'aptos';
  return fc
    .record({
      result: records,
      cursor: fc.option(words, { nil: null }),
      total: aptos ? fc.constant(null) : fc.option(fc.nat(), { nil: null }),
      page: aptos ? fc.constant(null) : fc.nat(),
      pageSize: aptos ? fc.constant(null) : fc.nat(),
      status: reply.envelope === 'status' ? fc.constantFrom('SYNCED', 'SYNCING') : fc.constant(null),
      blockExists: reply.envelope === 'transfers' ? fc.boolean() : fc.constant(null),
      indexComplete: reply.envelope === 'transfers' ? fc.boolean() : fc.constant(null),
      hasNextPage: fc.boolean(),
    })
    .map(page => ({ ...page, hasNextPage: aptos ? page.hasNextPage : page.cursor !== null }));
}
