// JSON Schema 2020-12 as plain data.

export type JsonSchema = Readonly<Record<string, unknown>>;

export const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** An object with these properties; all are required except those named as optional. */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  return { type: 'object', required: Object.keys(properties).filter(name => !optional.includes(name)), properties };
}
