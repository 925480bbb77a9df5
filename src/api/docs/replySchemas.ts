// JSON Schemas of replies, with one named component per record.

import type { AnyOperation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import type { JsonSchema } from '../records/jsonSchema.ts';
import type { AnyRecord } from '../records/record.ts';
import type { ListValueKind, ValueKind } from '../records/valueKinds.ts';
import { type ReplyShape, replySchema } from '../wire/reply.ts';

/** Records and pages by component name, and the schema of each operation's reply in terms of them. */
export interface ReplySchemas {
  readonly components: Readonly<Record<string, JsonSchema>>;
  readonly replies: Readonly<Record<string, JsonSchema>>;
}

export function isRecordKind(kind: ValueKind<unknown>): kind is AnyRecord {
  return 'wires' in kind;
}

export function isListValueKind(kind: ValueKind<unknown>): kind is ListValueKind<unknown> {
  return 'item' in kind;
}

/** The schema or null, in the shorter form of OpenAPI 3.1 where possible: `{type: [T, 'null']}`. */
function orNull(schema: JsonSchema): JsonSchema {
  return typeof schema['type'] === 'string' && !('enum' in schema)
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

/**
 * @param refer Creates the reference to a component: `{ $ref: '#/components/schemas/Block' }`.
 * @throws Error when two components have the same name.
 */
export function createReplySchemas(
  refer: (name: string) => JsonSchema,
  table: readonly AnyOperation[] = Object.values(operations),
): ReplySchemas {
  const components: Record<string, JsonSchema> = {};
  const owners = new Map<string, unknown>();

  function component(name: string, owner: unknown, make: () => JsonSchema): JsonSchema {
    if (!owners.has(name)) {
      owners.set(name, owner);
      components[name] = make();
    } else if (owners.get(name) !== owner) throw new Error(`Two schemas are called ${name}.`);
    return refer(name);
  }

  function toSchema(kind: ValueKind<unknown>): JsonSchema {
    if (isRecordKind(kind)) return component(kind.name, kind, () => toRecordSchema(kind));
    if (isListValueKind(kind)) return { type: 'array', items: toSchema(kind.item) };
    return kind.schema;
  }

  function toRecordSchema(kind: AnyRecord): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const [, wire, field] of kind.wires) {
      const schema = toSchema(field.kind);
      properties[wire] = field.absence === 'null' ? orNull(schema) : schema;
      if (field.absence === 'null' || field.absence === 'always') required.push(wire);
    }
    return { type: 'object', properties, required };
  }

  function toReplySchema(reply: ReplyShape<AnyRecord>): JsonSchema {
    const record = toSchema(reply.record);
    if (reply.shape === 'record') return record;
    if (reply.shape === 'array') return { type: 'array', items: record };
    const { name } = reply.record;
    return component(`${name}Page`, `${name} ${reply.envelope}`, () => {
      const page = replySchema(reply) as { readonly properties: Readonly<Record<string, JsonSchema>> };
      return { ...page, properties: { ...page.properties, result: { type: 'array', items: record } } };
    });
  }

  const replies = Object.fromEntries(
    table.map(({ id, reply }) => [id, toReplySchema(reply as ReplyShape<AnyRecord>)] as const),
  );
  return { components, replies };
}
