// Property: a server decodes what the client encodes, and the client decodes what the server encodes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { basePaths } from '../../src/api/operations/operation.ts';
import { type Input, operationIds, operations } from '../../src/api/operations/operations.ts';
import { applyPrecedence } from '../../src/api/operations/parameters.ts';
import { decimalTokenIds } from '../../src/api/records/valueKinds.ts';
import { encodeFaultBody } from '../../src/api/wire/faultBody.ts';
import { formatQueryString, parseQueryString } from '../../src/api/wire/queryString.ts';
import { encodeReply } from '../../src/api/wire/reply.ts';
import { decodeRequest, type WireRequest } from '../../src/api/wire/request.ts';
import { HexLensError } from '../../src/base/errors.ts';
import { createClient } from '../../src/client/client.ts';
import { arbitraryInput, arbitraryOutput } from './arbitraries.ts';

const seed = { seed: 20261120, numRuns: 40 };

function received({ group, method, path, query, body }: WireRequest) {
  return decodeRequest(
    method,
    basePaths[group][0] + path,
    parseQueryString(formatQueryString(query)),
    body ?? undefined,
  );
}

describe.each(operationIds)('%s', id => {
  const operation = operations[id];
  const precedence = 'precedence' in operation ? operation.precedence : [];

  test('passes input and output over the wire unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryInput(id), arbitraryOutput(operation.reply), async (input, output) => {
        let seen: unknown;
        const client = createClient({
          async send(request) {
            seen = received(request);
            const body: unknown = JSON.parse(JSON.stringify(encodeReply(operation.reply, output, decimalTokenIds)));
            return { status: operation.reply.status, headers: {}, body };
          },
        });
        const answer: unknown = await client[id](input as never); // the generator follows the same table as Input
        expect(seen).toEqual({ id, input: applyPrecedence(input, precedence) });
        expect(answer).toEqual(output);
      }),
      seed,
    );
  });

  test('preserves code and message of a fault of our own service', async () => {
    const fault = new HexLensError('no-node', 'No node is set for polygon.', { fix: 'Add one to hexlens.nodes.' });
    const client = createClient({
      send: async () => ({
        status: fault.status,
        headers: { 'x-hexlens-fault': fault.code },
        body: encodeFaultBody(operation.group, fault),
      }),
    });
    const [input] = fc.sample(arbitraryInput(id), { numRuns: 1, seed: 1 });
    await expect(client.call(id, input as Input<typeof id>)).rejects.toMatchObject({
      code: 'no-node',
      message: 'No node is set for polygon. Add one to hexlens.nodes.',
    });
  });

  test('sends nothing for invalid input', async () => {
    const client = createClient({ send: () => expect.fail('sent') });
    await expect(client[id]({ nonsense: 1 } as never)).rejects.toMatchObject({ code: 'bad-input' });
  });
});
