// One tool per operation of the service, made of its descriptor.
import { getToolSchema } from '../api/chainNames.ts';
import type { AnyOperation } from '../api/operations/operation.ts';
import { type OperationId, operationIds, operations } from '../api/operations/operations.ts';
import type { Parameters } from '../api/operations/parameters.ts';
import { parseInputTexts, toInputTexts } from '../api/wire/inputTexts.ts';
import { toWireName } from '../api/wire/wireName.ts';
import { HexLensError } from '../base/errors.ts';
import { translate } from '../base/localize.ts';
import { findSecretReason } from '../view/checkDisclosure.ts';
import { selectChains } from './chainAccess.ts';
import { getText, type McpSources, type McpTool } from './mcpTool.ts';

function createOperationTool(id: OperationId, sources: McpSources): McpTool {
  const operation: AnyOperation = operations[id];
  const parameters: Parameters = operation.parameters;
  const entries = Object.entries(parameters);
  const pages =
    'cursor' in parameters ? ' Returns one page: pass its "cursor" for the next one, and keep "limit" small.' : '';
  return {
    name: toWireName(id),
    title: translate(operation.title),
    description: `${operation.summary}${pages} Read-only.`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, parameter]) => [name, getToolSchema(parameter)])),
      required: entries.filter(([, { required }]) => required).map(([name]) => name),
    },
    async run(args, { signal, report }) {
      const named = getText(args, 'chain');
      const [chain] = operation.group === 'evm' ? selectChains(sources, named) : []; // refuses what is not allowed
      const texts = toInputTexts(
        chain === undefined || named === undefined ? args : { ...args, chain: chain.selector },
      );
      const secretReason = findSecretReason(Object.values(texts).flat());
      if (secretReason !== null) throw new HexLensError('bad-input', secretReason, {});
      const { body } = await sources.fetchReply(id, parseInputTexts(id, texts), signal, report);
      return body;
    },
  };
}

export const createOperationTools = (sources: McpSources): readonly McpTool[] =>
  operationIds.map(id => createOperationTool(id, sources));
