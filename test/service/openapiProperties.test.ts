// The service compared with its own OpenAPI document, over HTTP: valid and invalid inputs made of its schemas.
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfiguration } from '../../src/api/configuration.ts';
import { operationIds } from '../../src/api/operations/operations.ts';
import { silentLog } from '../../src/base/log.ts';
import { type RunningServer, startServer } from '../../src/cli/startServer.ts';
import { accepts, found, plain, resolve } from '../api/openApiDocument.ts';
import { anyText } from '../support/anyText.ts';
import { toBothEndpoints } from '../support/aptos/aptosFixture.ts';
import { type FakeAptosNetwork, startFakeAptosNetwork } from '../support/aptos/fakeAptosNetwork.ts';
import { alice, bob, carol, createSampleLedger, MOON } from '../support/aptos/sampleLedger.ts';
import { scaleRounds } from '../support/rounds.ts';
import { useFilledChain } from '../support/useFilledChain.ts';

const KEY = 'property-key';
const SEED = 20261121;

const world = useFilledChain();
let aptos: FakeAptosNetwork;
let server: RunningServer;
beforeAll(async () => {
  aptos = await startFakeAptosNetwork(createSampleLedger().ledger);
  const nodes = { local: world.anvil.url };
  const configuration = { ...defaultConfiguration, nodes, aptos: { local: toBothEndpoints(aptos) } };
  server = await startServer({ port: 0, key: KEY, configuration, log: silentLog });
});
afterAll(async () => {
  await server?.stop();
  await aptos?.stop();
});

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
}

/** Values of the real chain, so that valid inputs find something. */
const real = () => {
  const { accounts, contracts, transactions, blocks } = world.chain;
  return {
    addresses: [...Object.values(accounts), ...Object.values(contracts), alice, bob, carol, MOON],
    hashes: [...Object.values(transactions), ...Object.values(blocks).map(({ hash }) => hash)],
  };
};

/** Texts that the schema allows, as they are in a URL. */
function textsOf(name: string, schema: Schema): fc.Arbitrary<readonly string[]> {
  if (schema.items !== undefined) {
    const { minItems = 0, maxItems = 3 } = schema;
    const item = textsOf(name, schema.items).map(([text = '']) => text);
    return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) });
  }
  return one(name, schema).map(text => [text]);
}

function one(name: string, schema: Schema): fc.Arbitrary<string> {
  if (name === 'network') return fc.constantFrom('local', 'local', 'local', 'mainnet');
  if (name === 'chain') return fc.constantFrom('local', 'local', 'local', '0x7a69', 'eth', 'bsc testnet');
  // Empty means absent. A wrong cursor would hide every other error.
  if (name === 'cursor') return fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.string({ maxLength: 40 }));
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(part => one(name, part)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = 0, maximum = 1_000 } = schema;
    return fc
      .oneof(
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 150) }),
        fc.maxSafeInteger().filter(value => value >= minimum && value <= maximum),
      )
      .map(String);
  }
  if (schema.type === 'boolean') return fc.boolean().map(String);
  const { pattern, minLength = 1, maxLength = 40 } = schema;
  if (pattern === undefined) {
    const dates = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9000-01-01') });
    if (/date/.test(name)) return dates.map(date => date.toISOString());
    return fc.string({ minLength, maxLength: Math.min(maxLength, 40), unit: 'grapheme' });
  }
  const expression = new RegExp(pattern, 'u');
  const made = fc.stringMatching(expression, { maxLength: 80 });
  const { addresses, hashes } = real();
  const known = [...addresses, ...hashes, '1', '2', '12'].filter(text => expression.test(text));
  return known.length === 0 ? made : fc.oneof(fc.constantFrom(...known), made);
}

/** Invalid values: for every kind of parameter some are wrong. */
const wrongTexts = fc.oneof(
  fc.constantFrom(
    'x',
    '-1',
    '1e99',
    '0x',
    'NaN',
    '1.5',
    'null',
    '[]',
    '{}',
    '%',
    '..',
    '../../etc/passwd',
    '\u0000',
    '💥',
  ),
  fc.constantFrom(`0x${'f'.repeat(39)}`, `0x${'g'.repeat(40)}`, '9'.repeat(400), 'a'.repeat(5_000), "'; DROP TABLE--"),
  anyText({ minLength: 1, maxLength: 60 }),
);

interface TestRequest {
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly body: Readonly<Record<string, unknown>> | null;
}

interface TestResponse {
  readonly status: number;
  readonly text: string;
  readonly type: string | null;
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

async function send(id: string, { values, body }: TestRequest): Promise<TestResponse> {
  const { path, method, operation } = found(id);
  let target = path;
  const query: string[] = [];
  for (const parameter of operation.parameters) {
    const texts = values[parameter.name] ?? [];
    if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, encode(texts[0] ?? ''));
    else for (const text of texts) query.push(`${parameter.name}=${encode(text)}`);
  }
  // `..` and the like would be resolved by the client before they are sent.
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(target)) return { status: 404, text: '{"message":""}', type: null };
  const response = await fetch(`${server.url}${target}?${query.join('&')}`, {
    method: method.toUpperCase(),
    headers: { 'x-api-key': KEY, ...(body !== null && { 'content-type': 'application/json' }) },
    body: body === null ? null : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
}

/** Checks that the document describes the response of the operation: status, type and body. */
function conforms(id: string, { status, text, type }: TestResponse): void {
  if (type === null) return; // never sent
  expect(type).toBe('application/json; charset=utf-8');
  expect(text).not.toMatch(/node_modules|\.ts:\d|\bat .*\(.*:\d+:\d+\)/);
  const { operation } = found(id);
  const named = operation.responses[String(status)] as { readonly $ref?: string } | undefined;
  expect(named, `${id} answered ${status}, which the document does not have: ${text.slice(0, 200)}`).toBeDefined();
  const response = (named?.$ref === undefined ? named : resolve(named.$ref)) as {
    readonly content: { readonly 'application/json': { readonly schema: unknown } };
  };
  expect(
    accepts(response.content['application/json'].schema, JSON.parse(text)),
    `${status} ${text.slice(0, 300)}`,
  ).toBe(true);
  // Nodes and hosts work here: every error is one of the input.
  expect(status, `${id}: ${text.slice(0, 300)}`).toBeLessThan(500);
}

function requests(id: string): fc.Arbitrary<TestRequest> {
  const { operation } = found(id);
  const required = operation.parameters.filter(parameter => parameter.required).map(parameter => parameter.name);
  const model = Object.fromEntries(
    operation.parameters.map(({ name, schema }) => [name, textsOf(name, schema as Schema)]),
  );
  const values = fc.record(model, { requiredKeys: required });
  const fields = operation.requestBody?.content['application/json'].schema as
    | { readonly properties: Readonly<Record<string, Schema>> }
    | undefined;
  if (fields === undefined) return values.map(made => ({ values: { ...made }, body: null }));
  const bodies = fc.record(
    Object.fromEntries(Object.entries(fields.properties).map(([name, schema]) => [name, one(name, schema)])),
  );
  return fc.tuple(values, bodies).map(([made, body]) => ({ values: { ...made }, body: { ...body } }));
}

test('the served document is the tested one, and an independent validator accepts it', async () => {
  const document: unknown = await (await fetch(`${server.url}/openapi.json`)).json();
  expect(document).toEqual(plain);
  const verdict = await new Validator().validate(document as Record<string, unknown>);
  expect(verdict).toMatchObject({ valid: true });
});

describe.each(operationIds)('%s', id => {
  const runs = { seed: SEED, numRuns: scaleRounds(12), endOnFailure: true };

  test('valid inputs get a reply of the document and are never rejected as invalid', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(requests(id), async request => {
        const response = await send(id, request);
        conforms(id, response);
        if ([200, 404].includes(response.status)) answered++;
        // An invalid cursor, an empty range, a chain without a node: an error with a message.
        if (response.status === 400)
          expect(response.text).toMatch(/cursor|node|chain|block|message|signature|Line|date|marketplace/i);
      }),
      runs,
    );
    if (found(id).operation.tags[0] !== 'auth') expect(answered).toBeGreaterThan(runs.numRuns / 10);
  });

  test('an invalid value anywhere is rejected with a message, never an internal error', async () => {
    const { operation } = found(id);
    const names = operation.parameters.map(parameter => parameter.name);
    const inBody = Object.keys(
      (operation.requestBody?.content['application/json'].schema as { properties?: object } | undefined)?.properties ??
        {},
    );
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(requests(id), fc.constantFrom(...names, ...inBody), wrongTexts, async (request, name, wrong) => {
        const changed = inBody.includes(name)
          ? { ...request, body: { ...request.body, [name]: wrong } }
          : { ...request, values: { ...request.values, [name]: [wrong] } };
        const response = await send(id, changed);
        conforms(id, response);
        if (response.status >= 400 && response.status < 500) refused++;
      }),
      runs,
    );
    expect(refused).toBeGreaterThan(runs.numRuns / 4);
  });

  test('a single parameter given twice with different values is rejected', async () => {
    const { operation } = found(id);
    const single = operation.parameters.find(({ name, in: place }) => place === 'query' && name === 'chain');
    if (single === undefined) return;
    const [request] = fc.sample(requests(id), { seed: SEED, numRuns: 1 });
    if (request === undefined) throw new Error('There is no sample.');
    const response = await send(id, { ...request, values: { ...request.values, chain: ['local', 'eth'] } });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('chain must be given once')]);
  });
});
