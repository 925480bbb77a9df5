// The schemas of the OpenAPI document accept what the service sends, and reject other bodies.
import fc from 'fast-check';
import Schema from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { type Input, operationIds, operations } from '../../src/api/operations/operations.ts';
import { getWireName, type Parameters } from '../../src/api/operations/parameters.ts';
import type { JsonSchema } from '../../src/api/records/jsonSchema.ts';
import { decimalTokenIds } from '../../src/api/records/valueKinds.ts';
import { encodeFaultBody } from '../../src/api/wire/faultBody.ts';
import { groupQueryValues } from '../../src/api/wire/queryString.ts';
import { encodeReply } from '../../src/api/wire/reply.ts';
import { encodeRequest } from '../../src/api/wire/request.ts';
import { faults, HexLensError } from '../../src/base/errors.ts';
import { arbitraryInput, arbitraryOutput } from './arbitraries.ts';
import { accepts, bodySchema, found, inlined } from './openApiDocument.ts';

describe.each(operationIds)('%s', id => {
  const operation = operations[id];
  const rendered = found(id).operation;

  test('has schemas that accept any valid request', () => {
    const parameters = Object.entries(operation.parameters as Parameters);
    fc.assert(
      fc.property(arbitraryInput(id), input => {
        const wire = encodeRequest(id, input as Input<typeof id>);
        const query = groupQueryValues(wire.query);
        for (const [name, parameter] of parameters) {
          const key = getWireName(name, parameter);
          const texts = parameter.in === 'query' ? query.get(key) : undefined;
          if (texts === undefined) continue;
          const schema = rendered.parameters.find(candidate => candidate.name === key)?.schema as {
            readonly type: string;
          };
          const typed =
            schema.type === 'array'
              ? texts
              : schema.type === 'integer'
                ? Number(texts[0])
                : schema.type === 'boolean'
                  ? texts[0] === 'true'
                  : texts[0];
          expect(accepts(schema, typed), `${key}=${texts}`).toBe(true);
        }
        if (wire.body !== null)
          expect(accepts(rendered.requestBody?.content['application/json'].schema, wire.body)).toBe(true);
      }),
      { seed: 20261120, numRuns: 60 },
    );
  });

  test('has schemas that accept any reply of the service', () => {
    const schema = inlined(bodySchema(id, operation.reply.status)) as JsonSchema;
    fc.assert(
      fc.property(arbitraryOutput(operation.reply), output => {
        const body: unknown = JSON.parse(JSON.stringify(encodeReply(operation.reply, output, decimalTokenIds)));
        expect(Schema.Check(schema, body)).toBe(true);
      }),
      { seed: 20261120, numRuns: 40 },
    );
  });

  test('has schemas that reject other replies', () => {
    const schema = bodySchema(id, operation.reply.status);
    for (const wrong of [null, 'x', 7, operation.reply.shape === 'array' ? {} : []])
      expect(accepts(schema, wrong)).toBe(false);
    if (operation.reply.shape === 'page') {
      expect(accepts(schema, {})).toBe(false);
      expect(accepts(schema, { result: [{}] })).toBe(false);
    }
  });

  test('has schemas that accept every error of the service', () => {
    for (const [code, { status }] of Object.entries(faults)) {
      if (code === 'cancelled') continue;
      const fault = new HexLensError(code as keyof typeof faults, 'No.', {
        issues: [{ field: 'a', message: 'a is wrong' }],
      });
      expect(accepts(bodySchema(id, status), encodeFaultBody(operation.group, fault)), code).toBe(true);
    }
  });
});
