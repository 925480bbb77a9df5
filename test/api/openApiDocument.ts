// The rendered OpenAPI document for tests: operations by id, references resolved.
import Schema from 'typebox/schema';
import { expect } from 'vitest';
import { type OpenApiOperation, renderOpenApi } from '../../src/api/docs/openApi.ts';
import type { JsonSchema } from '../../src/api/records/jsonSchema.ts';

export const document = renderOpenApi();
export const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;

export const entries = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
export const byId = new Map(entries.map(entry => [entry.operation.operationId, entry]));

export function found(id: string): {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
} {
  const entry = byId.get(id);
  if (entry === undefined) throw new Error(`The document does not have ${id}.`);
  return entry;
}

/** The value a JSON pointer of the document leads to. */
export function resolve(ref: string): unknown {
  expect(ref).toMatch(/^#\//);
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/')],
      plain,
    );
}

/** Every object in the document, with the way to it. */
export function* walk(value: unknown, way = '#'): Generator<readonly [way: string, node: Record<string, unknown>]> {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) yield [way, value as Record<string, unknown>];
  for (const [key, item] of Object.entries(value)) yield* walk(item, `${way}/${key}`);
}

/** The schema with every reference replaced by what it refers to: no schema of ours refers to itself. */
export function inlined(schema: unknown): unknown {
  if (schema === null || typeof schema !== 'object') return schema;
  if (Array.isArray(schema)) return schema.map(inlined);
  const { $ref } = schema as { readonly $ref?: unknown };
  if (typeof $ref === 'string') return inlined(resolve($ref));
  return Object.fromEntries(Object.entries(schema).map(([key, item]) => [key, inlined(item)]));
}

export const accepts = (schema: unknown, value: unknown): boolean => Schema.Check(inlined(schema) as JsonSchema, value);
export const bodySchema = (id: string, status: string | number): JsonSchema => {
  const response = found(id).operation.responses[String(status)] as { readonly $ref?: string };
  const resolved = response.$ref === undefined ? response : resolve(response.$ref);
  return (resolved as { readonly content: { 'application/json': { schema: JsonSchema } } }).content['application/json']
    .schema;
};
