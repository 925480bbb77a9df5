// Conformance: what hosts of the service really answered goes through the client without loss, whatever its types.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { basePaths } from '../../src/api/operations/operation.ts';
import { type Input, type OperationId, type Operations, operations } from '../../src/api/operations/operations.ts';
import { getWireName, type Parameters } from '../../src/api/operations/parameters.ts';
import type { AnyRecord } from '../../src/api/records/record.ts';
import type { ReplyShape } from '../../src/api/wire/reply.ts';
import { decodeRequest } from '../../src/api/wire/request.ts';
import { HexLensError } from '../../src/base/errors.ts';
import { createClient } from '../../src/client/client.ts';

const FOLDER = new URL('../../../shared/vectors/service/', import.meta.url);

/** The recordings are named after the operations of the official SDKs. */
const IDS: Readonly<Record<string, OperationId>> = {
  'auth-verifyChallengeEvm': 'verifySignIn',
  'evm-getWalletNFTTransfers': 'walletNftTransfers',
  'evm-getContractLogs': 'contractLogs',
  'evm-getNFTTokenIdOwners': 'nftOwners',
  'evm-getNFTContractTransfers': 'contractNftTransfers',
  'evm-getWalletNFTs': 'walletNfts',
  'evm-getNFTTransfersFromToBlock': 'nftTransfers',
  'evm-getErc20Mints': 'erc20Mints',
  'evm-getNFTTransfers': 'tokenNftTransfers',
  'evm-getBlock': 'block',
  'evm-getWalletNFTCollections': 'walletNftCollections',
  'evm-getNFTLowestPrice': 'nftLowestPrice',
  'evm-getNativeBalancesForAddresses': 'walletBalances',
  'aptos-getCoinTransfersByCoinType': 'aptosCoinTransfers',
  'aptos-getCoinTransfersByOwnerAddresses': 'aptosWalletCoinTransfers',
  'aptos-getCoinTransfersByBlockHeights': 'aptosBlockCoinTransfers',
  'aptos-getNFTTransfersByWallets': 'aptosWalletNftTransfers',
  'aptos-getNFTsByCreators': 'aptosNftsByCreators',
  'aptos-getNFTOwnersByCollection': 'aptosCollectionOwners',
  'aptos-getNFTByOwners': 'aptosWalletNfts',
};

interface Recorded {
  readonly name: string;
  readonly quality: string;
  /** `null` for errors that belong to no operation. */
  readonly id: OperationId | null;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string | readonly string[]>>;
    readonly body: unknown;
  };
  readonly response: { readonly status: number; readonly body: unknown };
}

function load(): Recorded[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(file => {
      const name = file.replace(/\.json$/, '');
      const { quality, request, response } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
      return { name, quality, id: IDS[name.replace(/-\d+$/, '')] ?? null, request, response };
    });
}

const recorded = load();
const answers = recorded.filter(({ response }) => response.status < 400);
const errors = recorded.filter(({ response }) => response.status >= 400);
/** Some requests are only known up to a placeholder. */
const whole = recorded.filter(({ id, request }) => id !== null && !request.path.includes('{'));

function pairsOf({ query }: Recorded['request']): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : value.map(item => [name, item]),
  );
}

function decode({ id, request }: Recorded) {
  const base = id === null ? '' : basePaths[operations[id].group][0];
  return decodeRequest(request.method, base + request.path, pairsOf(request), request.body ?? undefined);
}

const clientOf = ({ response }: Recorded) =>
  createClient({ send: async () => ({ status: response.status, headers: {}, body: response.body }) });

type Wire = Readonly<Record<string, unknown>>;

/** Whether a decoded value says the same as what came, determined from the JavaScript value alone. */
function same(raw: unknown, value: unknown): boolean {
  if (value instanceof Date) {
    const seconds = /^\d{9,10}$/.test(String(raw)) ? Number(raw) * 1000 : Date.parse(String(raw));
    const utc = /[zZ]|[+-]\d\d:?\d\d$/.test(String(raw)) ? seconds : Date.parse(`${raw}Z`);
    return value.getTime() === seconds || value.getTime() === utc;
  }
  if (typeof value === 'bigint') return BigInt(String(raw)) === value;
  if (typeof value === 'number') return Number(raw) === value;
  if (typeof value === 'boolean') return String(raw).toLowerCase() === String(value);
  if (typeof value === 'string') return String(raw).toLowerCase() === value.toLowerCase();
  return JSON.stringify(typeof raw === 'string' ? JSON.parse(raw) : raw) === JSON.stringify(value);
}

/** Every value that came and is not in the decoded record, as paths. */
function lost(kind: AnyRecord, raw: Wire, value: Wire | null, at: string): string[] {
  if (value === null) return [at];
  return kind.wires.flatMap(([property, wire, field]) => {
    const came = raw[wire];
    if (came === null || came === undefined) return value[property] === null ? [] : [`${at}.${wire} was made up`];
    const got = value[property];
    const item = (field.kind as { readonly item?: AnyRecord }).item;
    if (Array.isArray(came) && item !== undefined) {
      const list = got as readonly unknown[] | null;
      if (list?.length !== came.length) return [`${at}.${wire}`];
      return came.flatMap((entry, i) => {
        if ('wires' in item) return lost(item, entry as Wire, list[i] as Wire, `${at}.${wire}[${i}]`);
        return same(entry, list[i]) ? [] : [`${at}.${wire}[${i}]`];
      });
    }
    return got !== null && same(came, got) ? [] : [`${at}.${wire}: ${JSON.stringify(came)}`];
  });
}

function pairsOfRecords(shape: ReplyShape<AnyRecord>['shape'], body: unknown, output: unknown) {
  if (shape === 'record') return [[body as Wire, output as Wire]] as const;
  const raw = (Array.isArray(body) ? body : (body as Wire)['result']) as readonly Wire[];
  const decoded = (shape === 'array' ? output : (output as Wire)['result']) as readonly Wire[];
  expect(decoded).toHaveLength(raw.length);
  return raw.map((entry, i) => [entry, decoded[i] ?? null] as const);
}

if (recorded.length === 0) {
  console.warn(`SKIPPED: no recorded answers at ${FOLDER.pathname}: conformance with real hosts is not tested.`);
  test.skip('recorded answers (folder ../shared/vectors/service is absent)', () => {});
} else {
  describe('recorded answers', () => {
    test.each(answers)('$name: nothing is lost', async recording => {
      if (recording.id === null) throw new Error(`No operation is known for ${recording.name}`);
      const operation = operations[recording.id];
      const { input } = decode(recording);
      const output: unknown = await clientOf(recording).call(recording.id, input as Input<typeof recording.id>);
      const reply: ReplyShape<AnyRecord> = operation.reply;
      const { body } = recording.response;
      for (const [raw, value] of pairsOfRecords(reply.shape, body, output)) {
        const missing = lost(reply.record, raw, value, reply.record.name);
        // Examples of the documentation hold an address or the word "string" in the place of a hash.
        const placeholder = recording.quality.startsWith('spec-example') ? /_hash: "(string|0x[0-9a-f]{40})"$/i : /^$/;
        expect(missing.filter(path => !placeholder.test(path))).toEqual([]);
      }
      if (reply.shape !== 'page') return;
      const envelope = Array.isArray(body) ? {} : (body as Wire);
      const page = output as Wire;
      expect(page['cursor']).toBe(envelope['cursor'] || null);
      for (const [name, wire] of [
        ['total', 'total'],
        ['page', 'page'],
        ['pageSize', 'page_size'],
      ] as const)
        expect(page[name], wire).toBe(envelope[wire] == null ? null : Number(envelope[wire]));
      for (const [name, wire] of [
        ['status', 'status'],
        ['blockExists', 'block_exists'],
        ['indexComplete', 'index_complete'],
      ] as const)
        expect(page[name], wire).toBe(envelope[wire] ?? null);
    });
  });

  describe('recorded errors', () => {
    const CODES: Readonly<Record<number, string>> = {
      400: 'bad-input',
      401: 'unauthorized',
      404: 'not-found',
      410: 'removed',
    };
    test.each(errors)('$name: a readable fault', async recording => {
      const id = recording.id ?? 'nftTransfers';
      const client = clientOf(recording);
      // The answer is what is tested; any input that may be sent will do.
      const anything = validInputs[id];
      const error = await client.call(id, anything as Input<typeof id>).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(HexLensError);
      const fault = error as HexLensError;
      expect(fault.code).toBe(CODES[recording.response.status]);
      expect(fault.message).toMatch(/^[A-Za-z_\d[].{8,}/);
      expect(fault.message).not.toMatch(/\[object|undefined|^null$/);
      const message = (recording.response.body as Wire | null)?.['message'];
      if (fault.code === 'bad-input') {
        for (const part of [message].flat()) expect(fault.message).toContain(part);
      }
      const quota = /consumed/.test(String(message));
      if (fault.code === 'unauthorized') expect(/quota/.test(fault.message)).toBe(quota);
    });
  });

  describe('recorded requests', () => {
    test.each(whole.filter(({ response }) => response.status < 400))('$name: is understood', recording => {
      const { id, input } = decode(recording);
      expect(id).toBe(recording.id);
      const given = input as Wire;
      const parameters: Parameters = operations[id].parameters;
      const byWire = new Map(
        Object.entries(parameters).map(([name, parameter]) => [getWireName(name, parameter), name]),
      );
      const unread: string[] = [];
      for (const [key, value] of Object.entries({
        ...recording.request.query,
        ...(recording.request.body as object),
      })) {
        if (value === '') continue;
        const name = byWire.get(key.replace(/\[\]$/, ''));
        if (name === undefined) unread.push(key);
        else if (key === 'chain') expect(given[name]).toMatch(/^[a-z0-9]/);
        else if (Array.isArray(value)) {
          expect(value.every((item, i) => same(item, (given[name] as readonly unknown[])[i]))).toBe(true);
          expect(given[name]).toHaveLength(value.length);
        } else expect(same(value, given[name]), key).toBe(true);
      }
      expect(unread.filter(key => key !== 'network')).toEqual([]); // the SDK adds `network` to every Aptos request
      const literal = operations[id].path.split('/').filter(segment => !segment.startsWith(':')).length;
      const values = recording.request.path.split('/').length - literal;
      expect(Object.values(parameters).filter(parameter => parameter.in === 'path')).toHaveLength(values);
    });

    test.each(whole.filter(({ response }) => response.status === 400))(
      '$name: is refused by us as well, or is understood',
      recording => {
        try {
          expect(decode(recording).id).toBe(recording.id);
        } catch (error) {
          expect(error).toBeInstanceOf(HexLensError);
          expect((error as HexLensError).code).toBe('bad-input');
        }
      },
    );
  });
}

const ADDRESS = `0x${'ab'.repeat(20)}` as const;
const ACCOUNT = `0x${'cd'.repeat(32)}` as const;
const HASH = 'ef'.repeat(32);
type DescribedId = { [Id in OperationId]: Operations[Id] extends { readonly ours: true } ? never : Id }[OperationId];
/** One valid input per operation of the description. */
const validInputs: { readonly [Id in DescribedId]: Input<Id> } & { readonly [Id in OperationId]?: Input<Id> } = {
  verifySignIn: { message: 'message', signature: '0x00' },
  walletNftTransfers: { address: ADDRESS },
  contractLogs: { address: ADDRESS },
  nftOwners: { address: ADDRESS, tokenId: 1n },
  contractNftTransfers: { address: ADDRESS },
  walletNfts: { address: ADDRESS },
  nftTransfers: {},
  erc20Mints: {},
  tokenNftTransfers: { address: ADDRESS, tokenId: 1n },
  block: { block: 1 },
  transaction: { hash: ACCOUNT },
  walletNftCollections: { address: ADDRESS },
  nftLowestPrice: { address: ADDRESS },
  walletBalances: { walletAddresses: [ADDRESS] },
  aptosCoinTransfers: { coinType: '0x1::aptos_coin::AptosCoin', limit: 1 },
  aptosWalletCoinTransfers: { ownerAddresses: [ACCOUNT], limit: 1 },
  aptosBlockCoinTransfers: { blockHeights: [1n], limit: 1 },
  aptosWalletNftTransfers: { walletAddresses: [ACCOUNT], limit: 1 },
  aptosNftsByCreators: { creatorAddresses: [ACCOUNT], limit: 1 },
  aptosCollectionOwners: { collectionDataIdHash: HASH, limit: 1 },
  aptosWalletNfts: { ownerAddresses: [ACCOUNT], limit: 1 },
};
