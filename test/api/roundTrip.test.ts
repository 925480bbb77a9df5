// Property: every valid input and every reply can be encoded and decoded.
import fc from 'fast-check';
import Value from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { basePaths } from '../../src/api/operations/operation.ts';
import { type Input, operationIds, operations } from '../../src/api/operations/operations.ts';
import { applyPrecedence } from '../../src/api/operations/parameters.ts';
import { decimalTokenIds } from '../../src/api/records/valueKinds.ts';
import { formatQueryString, parseQueryString } from '../../src/api/wire/queryString.ts';
import { decodeReply, encodeReply, replySchema } from '../../src/api/wire/reply.ts';
import { decodeRequest, encodeRequest } from '../../src/api/wire/request.ts';
import { scaleRounds } from '../support/rounds.ts';
import { arbitraryInput, arbitraryOutput } from './arbitraries.ts';

const seed = { seed: 20261120, numRuns: scaleRounds(60) };

describe.each(operationIds)('%s', id => {
  const operation = operations[id];
  const precedence = 'precedence' in operation ? operation.precedence : [];

  test('decodes any encoded input, at every base path', () => {
    fc.assert(
      fc.property(arbitraryInput(id), fc.constantFrom(...basePaths[operation.group]), (input, base) => {
        // A base with the network says it instead of the query.
        const network = (input as { readonly network?: string }).network ?? 'local';
        if (base.endsWith(':network')) Object.assign(input, { network });
        const wire = encodeRequest(id, input as Input<typeof id>);
        const decoded = decodeRequest(
          wire.method,
          base.replace(':network', network) + wire.path,
          parseQueryString(
            formatQueryString(wire.query.filter(([name]) => name !== 'network' || !base.endsWith(':network'))),
          ),
          wire.body ?? undefined,
        );
        expect(decoded.id).toBe(id);
        expect(decoded.input).toEqual(applyPrecedence(input, precedence));
      }),
      seed,
    );
  });

  test('encodes any reply to its schema and decodes it', () => {
    const schema = replySchema(operation.reply);
    fc.assert(
      fc.property(arbitraryOutput(operation.reply), output => {
        const body: unknown = JSON.parse(JSON.stringify(encodeReply(operation.reply, output, decimalTokenIds)));
        expect([...Value.Errors(schema, body)]).toEqual([]);
        expect(decodeReply(operation.reply, body)).toEqual(output);
      }),
      { ...seed, numRuns: scaleRounds(30) },
    );
  });

  test('never throws for any body', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ result: fc.array(fc.anything()) })), body => {
        decodeReply(operation.reply, body);
      }),
      seed,
    );
  });
});
