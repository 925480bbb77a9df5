// The OpenAPI document: valid OpenAPI 3.1, all references resolve, dated changes are marked.
import { describe, expect, test } from 'vitest';
import { faultStatuses, renderOpenApi } from '../../src/api/docs/openApi.ts';
import { createReplySchemas } from '../../src/api/docs/replySchemas.ts';
import { basePaths } from '../../src/api/operations/operation.ts';
import { operationIds, operations } from '../../src/api/operations/operations.ts';
import { getWireName, isListKind, type Parameters } from '../../src/api/operations/parameters.ts';
import { document, entries, found, plain, resolve, walk } from './openApiDocument.ts';

describe('structure', () => {
  test('is a valid OpenAPI 3.1 document', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    expect(document.info['license']).toEqual({ name: 'MIT', identifier: 'MIT' });
    expect(Object.keys(document).sort()).toEqual([
      'components',
      'info',
      'openapi',
      'paths',
      'security',
      'servers',
      'tags',
    ]);
    for (const name of ['schemas', 'responses', 'securitySchemes'] as const)
      for (const key of Object.keys(document.components[name])) expect(key).toMatch(/^[a-zA-Z0-9._-]+$/);
  });

  test('is plain JSON', () => {
    expect(plain).toEqual(document);
    expect(JSON.stringify(document)).not.toMatch(/~kind|~standard|undefined/);
  });

  test('lists every operation once, under its id, method and path', () => {
    expect(entries.map(({ operation }) => operation.operationId)).toEqual([...operationIds]);
    for (const id of operationIds) {
      const { group, method, path } = operations[id];
      expect(found(id)).toMatchObject({
        method: method.toLowerCase(),
        path: basePaths[group][0] + path.replace(/:([a-z0-9_]+)/g, '{$1}'),
        operation: { tags: [group], summary: operations[id].title },
      });
    }
    for (const { operation } of entries) expect(document.tags.map(tag => tag.name)).toContain(operation.tags[0]);
  });

  test('has unique paths that declare exactly their parameters', () => {
    const shapes = Object.keys(document.paths).map(path => path.replace(/\{[^}]*\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
    for (const { path, operation } of entries) {
      expect(path).toMatch(/^\/[^?#:]*$/);
      const held = [...path.matchAll(/\{([^}]+)\}/g)].map(match => match[1]);
      const declared = operation.parameters.filter(parameter => parameter.in === 'path');
      expect(declared.map(parameter => parameter.name).sort()).toEqual([...held].sort());
      for (const parameter of declared) expect(parameter.required).toBe(true);
    }
  });

  test('lists every parameter once; lists explode', () => {
    for (const id of operationIds) {
      const { parameters, requestBody } = found(id).operation;
      const names = parameters.map(parameter => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
      for (const [name, parameter] of Object.entries(operations[id].parameters as Parameters)) {
        const wire = getWireName(name, parameter);
        if (parameter.in === 'body') {
          expect(requestBody?.content['application/json'].schema).toMatchObject({
            properties: { [wire]: { type: 'string' } },
            required: expect.arrayContaining([wire]),
          });
          continue;
        }
        const rendered = parameters.find(candidate => candidate.name === wire);
        expect(rendered, wire).toMatchObject({
          in: parameter.in,
          required: parameter.required,
          schema: { type: expect.any(String) },
        });
        if (isListKind(parameter.kind)) {
          expect(rendered).toMatchObject({
            style: 'form',
            explode: true,
            schema: { type: 'array', minItems: parameter.kind.bounds.min, maxItems: parameter.kind.bounds.max },
          });
        }
      }
    }
  });

  test('has a required body for POST only', () => {
    for (const { method, operation } of entries)
      expect(operation.requestBody?.required).toBe(method === 'post' ? true : undefined);
  });

  test('resolves every reference and uses every component', () => {
    const used = new Set<string>();
    for (const [way, node] of walk(plain)) {
      if (typeof node['$ref'] !== 'string') continue;
      expect(resolve(node['$ref']), `${way} -> ${node['$ref']}`).toBeDefined();
      used.add(node['$ref']);
    }
    for (const kind of ['schemas', 'responses'] as const)
      for (const name of Object.keys(document.components[kind]))
        expect(used, name).toContain(`#/components/${kind}/${name}`);
  });

  test('has valid schemas only: known keywords and types, valid patterns', () => {
    const keywords = new Set([
      'type',
      'properties',
      'required',
      'items',
      'anyOf',
      'enum',
      'pattern',
      'format',
      'minimum',
      'maximum',
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
      'description',
      '$ref',
    ]);
    const types = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);
    const visit = (schema: Record<string, unknown>, way: string): void => {
      for (const key of Object.keys(schema)) expect(keywords, `${way} has ${key}`).toContain(key);
      for (const type of [schema['type'] ?? []].flat()) expect(types, way).toContain(type);
      if (typeof schema['pattern'] === 'string')
        expect(() => new RegExp(schema['pattern'] as string, 'u')).not.toThrow();
      const {
        properties = {},
        required = [],
        items,
        anyOf = [],
      } = schema as {
        properties?: Record<string, Record<string, unknown>>;
        required?: readonly string[];
        items?: Record<string, unknown>;
        anyOf?: readonly Record<string, unknown>[];
      };
      for (const name of required) expect(Object.keys(properties), way).toContain(name);
      for (const [name, inner] of Object.entries(properties)) visit(inner, `${way}.${name}`);
      if (schema['type'] === 'array') expect(items, way).toBeDefined();
      if (items !== undefined) visit(items, `${way}[]`);
      for (const inner of anyOf) visit(inner, `${way}|`);
    };
    for (const [name, schema] of Object.entries(document.components.schemas))
      visit(schema as Record<string, unknown>, name);
    for (const { operation } of entries)
      for (const parameter of operation.parameters) visit(parameter.schema as Record<string, unknown>, parameter.name);
  });

  test('describes every response, with a schema', () => {
    for (const { operation } of entries) {
      expect(operation.description).not.toBe('');
      expect(Object.keys(operation.responses)).toEqual([
        String(operation.operationId === 'verifySignIn' ? 201 : 200),
        ...faultStatuses.map(([status]) => String(status)),
      ]);
      for (const status of Object.keys(operation.responses)) {
        const response = operation.responses[status] as { readonly $ref?: string };
        const resolved = response.$ref === undefined ? response : resolve(response.$ref);
        expect(resolved).toMatchObject({
          description: expect.stringMatching(/\S/),
          content: { 'application/json': { schema: expect.any(Object) } },
        });
      }
    }
  });

  test('requires the key for every operation, as X-API-Key or bearer', () => {
    expect(document.security).toEqual([{ apiKey: [] }, { bearer: [] }]);
    expect(document.components.securitySchemes['bearer']).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(document.components.securitySchemes['apiKey']).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
    });
  });

  test('names the origin of the document as server', () => {
    expect(document.servers).toEqual([{ url: '/' }]);
  });

  test('rejects two records of one name, and one record in two kinds of page', () => {
    const { block, contractLogs } = operations;
    const reply = { ...contractLogs.reply, envelope: 'status' } as const;
    const twin = { ...block, id: 'twin', reply: { ...block.reply, record: { ...block.reply.record } } };
    const refer = (name: string) => ({ $ref: name });
    expect(() => createReplySchemas(refer, [block, twin])).toThrow('Two schemas are called Block.');
    expect(() => createReplySchemas(refer, [contractLogs, { ...contractLogs, reply }])).toThrow(
      'Two schemas are called ContractLogPage.',
    );
    expect(() => createReplySchemas(refer, [block, block, contractLogs])).not.toThrow();
  });
});

describe('dated changes', () => {
  const parameter = (id: string, name: string) =>
    found(id).operation.parameters.find(candidate => candidate.name === name);

  test('marks a removed parameter as deprecated, with the day', () => {
    for (const [id, name] of [
      ['walletNftTransfers', 'direction'],
      ['contractLogs', 'topic1'],
      ['contractLogs', 'topic2'],
      ['contractLogs', 'topic3'],
    ] as const) {
      expect(parameter(id, name)).toMatchObject({
        deprecated: true,
        'x-until': '2023-09-04',
        description: expect.stringContaining('2023-09-04'),
      });
    }
  });

  test('does not require a parameter that only hosts require', () => {
    expect(parameter('contractLogs', 'topic0')).toMatchObject({ required: false, 'x-required-since': '2023-09-04' });
    expect(parameter('contractLogs', 'topic0')).not.toHaveProperty('deprecated');
  });

  test('marks only the operation as deprecated that the description deprecates, with the day', () => {
    expect(found('erc20Mints').operation).toMatchObject({
      deprecated: true,
      description: expect.stringContaining('2023-09-04'),
    });
    expect(operationIds.filter(id => found(id).operation.deprecated)).toEqual(['erc20Mints']);
    expect(JSON.stringify(renderOpenApi())).not.toMatch(/sunset|2024-1/i);
  });

  test('marks disable_total as soon to be deprecated wherever it is', () => {
    const marked = operationIds.filter(id => 'disableTotal' in operations[id].parameters);
    expect(marked.length).toBeGreaterThan(5);
    for (const id of marked)
      expect(parameter(id, 'disable_total')).toMatchObject({
        deprecated: true,
        description: 'Skip the total count; true when absent. Soon to be deprecated.',
      });
  });

  test('declares the Deprecation header for dated operations', () => {
    const headers = (id: string) => (found(id).operation.responses['200'] as { readonly headers?: object }).headers;
    expect(Object.keys(headers('walletNftTransfers') ?? {})).toEqual(['Deprecation']);
    expect(headers('block')).toBeUndefined();
  });

  test('marks the operations that are additions', () => {
    const marked = entries.filter(({ operation }) => operation['x-ours']).map(({ operation }) => operation.operationId);
    expect(marked).toContain('transaction');
    expect(marked.toSorted()).toEqual(operationIds.filter(id => operations[id].ours).toSorted());
  });
});
