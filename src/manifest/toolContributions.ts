// The language-model tools for package.json: inputs have the JSON Schemas of the API, words for models stay English.
import { getToolSchema, LOOK_UP_CHAIN_SCHEMA } from '../api/chainNames.ts';
import { getParameters, type OperationId, operationIds, operations } from '../api/operations/operations.ts';
import { nlsText } from './nlsText.ts';

/** Parameters of all operations by name; where two kinds share a name, either may be given. */
function parameterSchemas(): Readonly<Record<string, unknown>> {
  const byName = new Map<string, Map<string, OperationId[]>>();
  for (const id of operationIds)
    for (const [name, parameter] of Object.entries(getParameters(id))) {
      const schema = JSON.stringify(getToolSchema(parameter));
      const kinds = byName.get(name) ?? new Map<string, OperationId[]>();
      byName.set(name, kinds.set(schema, [...(kinds.get(schema) ?? []), id]));
    }
  return Object.fromEntries(
    [...byName].map(([name, kinds]) => {
      const schemas = [...kinds].map(([schema, ids]) => {
        const { description, ...rest } = JSON.parse(schema) as Readonly<Record<string, unknown>>;
        return { ...rest, description: kinds.size === 1 ? description : `${ids.join(', ')}: ${String(description)}` };
      });
      return [name, schemas.length === 1 ? schemas[0] : { anyOf: schemas }];
    }),
  );
}

const signature = (id: OperationId): string =>
  Object.entries(getParameters(id))
    .map(([name, { required }]) => (required ? name : `${name}?`))
    .join(', ');

/** `contributes.languageModelTools`. */
export const languageModelTools = [
  {
    name: 'hexlens_lookup',
    displayName: nlsText('Look up on-chain'),
    userDescription: nlsText('Says what an address, hash, block number, ENS name or selector is on your chains.'),
    toolReferenceName: 'hexlens',
    canBeReferencedInPrompt: true,
    icon: '$(search)',
    tags: ['blockchain', 'ethereum'],
    modelDescription:
      'Says what one piece of text is on the configured EVM chains: an address (balance, account or contract, token), a transaction or block hash, a block number, an ENS name, a function selector or event topic, or an explorer link. Use it when code or logs hold raw hex. Read-only. Do not use it for lists (transfers, logs, NFTs): use hexlens_call. Never give it private keys.',
    inputSchema: {
      type: 'object',
      properties: {
        text: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'Address, hash, block number, ENS name, selector, topic or explorer link.',
        },
        chain: LOOK_UP_CHAIN_SCHEMA,
      },
      required: ['text'],
    },
  },
  {
    name: 'hexlens_call',
    displayName: nlsText('Read blockchain data'),
    userDescription: nlsText(
      'Runs one of the read-only operations of HexLens: blocks, logs, NFTs, balances, Aptos data.',
    ),
    toolReferenceName: 'hexlensCall',
    canBeReferencedInPrompt: true,
    icon: '$(server)',
    tags: ['blockchain', 'ethereum', 'aptos'],
    modelDescription: `Runs one read-only operation over the configured chains and answers its JSON, one page at a time (pass "cursor" for the next one; keep "limit" small). Operations with their parameters, optional ones with "?": ${operationIds.map(id => `${id}(${signature(id)})`).join('; ')}.`,
    inputSchema: {
      type: 'object',
      properties: {
        operation: {
          type: 'string',
          enum: operationIds,
          enumDescriptions: operationIds.map(id => operations[id].summary),
        },
        parameters: { type: 'object', properties: parameterSchemas(), additionalProperties: false },
      },
      required: ['operation', 'parameters'],
    },
  },
] as const;
