// The tools that decode data of contracts and call their read-only functions.
import { AGENT_CHAIN_SCHEMA } from '../api/chainNames.ts';
import { HexLensError } from '../base/errors.ts';
import { type Hex, isAddress, isHex } from '../base/hex.ts';
import { type AbiItem, formatAbiItem } from '../decode/abiItem.ts';
import type { AbiRegistry } from '../decode/abiRegistry.ts';
import { type DecodedItems, decodeErrorResult, decodeEventLog, decodeFunctionData } from '../decode/decodeAbi.ts';
import { decodeCallResult, encodeCall } from '../decode/encodeCall.ts';
import { getEnumMember } from '../decode/formatDecodedItem.ts';
import { findDeclaredFunction, parseFunctionDeclaration } from '../decode/functionDeclaration.ts';
import { toPlainValues } from '../decode/plainValues.ts';
import { findSecretReason } from '../view/checkDisclosure.ts';
import { selectChain } from './chainAccess.ts';
import { getText, type McpSources, type McpTool, rejectArgument, requireText, type ToolArguments } from './mcpTool.ts';

/** Longer data is refused: it would not fit in a reply either. */
const MAX_DATA_LENGTH = 200_000;
const HASH_LENGTH = 66;

const toDecodings = (items: DecodedItems, registry: AbiRegistry) =>
  items.map(({ item, values, isFromWorkspace }) => ({
    signature: formatAbiItem(item),
    declaredBy: item.source,
    isFromWorkspace,
    arguments: toPlainValues(values, value => getEnumMember(value, registry)),
  }));

function requireData(args: ToolArguments): Hex {
  const text = requireText(args, 'data');
  if (!isHex(text) || text.length % 2 !== 0 || text.length > MAX_DATA_LENGTH)
    return rejectArgument('data', 'must be 0x hex data of whole bytes');
  return text.toLowerCase() as Hex;
}

function getTopics(args: ToolArguments): readonly string[] {
  const { topics } = args;
  if (topics === undefined || topics === null) return [];
  const isTopic = (topic: unknown) => typeof topic === 'string' && isHex(topic) && topic.length === HASH_LENGTH;
  if (!Array.isArray(topics) || topics.length > 4 || !topics.every(isTopic))
    return rejectArgument('topics', 'must be a list of up to 4 words of 32 bytes in 0x hex');
  return topics.map(topic => String(topic).toLowerCase());
}

/** A declaration in the human-readable form, or the canonical signature of a function that an ABI declares. */
function findFunction(text: string, registry: AbiRegistry): AbiItem {
  const parsed = parseFunctionDeclaration(text, 'the call');
  if (parsed === null)
    return rejectArgument(
      'function',
      'must be a declaration with types, such as "balanceOf(address) view returns (uint256)", not only a name',
    );
  return findDeclaredFunction(parsed, registry);
}

function getBlock(args: ToolArguments): number | undefined {
  const { block } = args;
  if (block === undefined || block === null || block === '' || block === 'latest') return undefined;
  const number = Number(block);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  return rejectArgument('block', 'must be a block number, or "latest"');
}

/** Any letter case; `undefined` when it is absent. */
function getAddress(args: ToolArguments): Hex | undefined {
  const text = getText(args, 'address');
  if (text === undefined || isAddress(text)) return text;
  return rejectArgument('address', 'must be 20 bytes in 0x hex');
}

const ADDRESS_PARAMETER = {
  type: 'string',
  maxLength: 42,
  description: 'Contract that the data belongs to, if it is known: its own ABI then decides.',
} as const;

/** The ABIs, in which those of the named contract decide. */
async function loadRegistry(args: ToolArguments, sources: McpSources): Promise<AbiRegistry> {
  const [registry, address] = [await sources.loadAbis(), getAddress(args)];
  return address === undefined ? registry : registry.prefer(new Set(registry.idsOf('', address)));
}

async function readContract(args: ToolArguments, sources: McpSources, signal: AbortSignal): Promise<unknown> {
  const address = getAddress(args) ?? rejectArgument('address', 'is required');
  const registry = await loadRegistry(args, sources);
  const item = findFunction(requireText(args, 'function'), registry);
  const values = Array.isArray(args['args']) ? args['args'] : [];
  const secretReason = findSecretReason([JSON.stringify(values)]);
  if (secretReason !== null) throw new HexLensError('bad-input', secretReason, {});
  const data = encodeCall(item, values);
  const block = getBlock(args);
  const input = {
    chain: selectChain(sources, args).selector,
    address: address.toLowerCase() as Hex,
    data: [data],
    ...(block !== undefined && { block }),
  };
  const [result] = (await sources.lookup('contractCalls', input, signal)).results;
  if (result?.outcome !== 'returned') {
    const revert = result?.outcome === 'reverted' ? result.data : null;
    return {
      reverted: true,
      message: result?.message ?? null,
      error: revert === null ? null : toDecodings(decodeErrorResult(registry, revert), registry),
      data: revert,
    };
  }
  const { output } = result;
  if (output === '0x') return { problem: 'The call returned nothing: there is no contract with this function.' };
  const results = decodeCallResult(item, output);
  return results === null
    ? { data: output }
    : { result: toPlainValues(results, value => getEnumMember(value, registry)) };
}

export function createContractTools(sources: McpSources): readonly McpTool[] {
  const decodeCall: McpTool = {
    name: 'decode_call',
    title: 'Decode calldata',
    description:
      'Decodes calldata (4 bytes of selector and ABI-encoded arguments) with the ABIs of the user’s workspace and well-known interfaces. Needs no chain.',
    properties: { data: { type: 'string', description: 'Calldata in 0x hex.' }, address: ADDRESS_PARAMETER },
    required: ['data'],
    async run(args) {
      const registry = await loadRegistry(args, sources);
      return toDecodings(decodeFunctionData(registry, requireData(args)), registry);
    },
  };
  const decodeLog: McpTool = {
    name: 'decode_log',
    title: 'Decode a log',
    description: 'Decodes the topics and data of an event log with the ABIs of the workspace. Needs no chain.',
    properties: {
      topics: { type: 'array', items: { type: 'string' }, maxItems: 4, description: 'topic0 first, in 0x hex.' },
      data: { type: 'string', description: 'Data of the log in 0x hex; 0x when it has none.' },
      address: ADDRESS_PARAMETER,
    },
    required: ['topics', 'data'],
    async run(args) {
      const log = { topics: getTopics(args), data: requireData(args) };
      const registry = await loadRegistry(args, sources);
      return toDecodings(decodeEventLog(registry, log), registry);
    },
  };
  const decodeError: McpTool = {
    name: 'decode_error',
    title: 'Decode an error',
    description:
      'Decodes the data of a reverted call: Error(string), Panic(uint256) and custom errors of the workspace. Needs no chain.',
    properties: { data: { type: 'string', description: 'Revert data in 0x hex.' }, address: ADDRESS_PARAMETER },
    required: ['data'],
    async run(args) {
      const registry = await loadRegistry(args, sources);
      return toDecodings(decodeErrorResult(registry, requireData(args)), registry);
    },
  };
  const readContractTool: McpTool = {
    name: 'read_contract',
    title: 'Read a contract',
    description:
      'Calls a view function of a contract with eth_call and decodes the result. It never sends a transaction. Example: function "balanceOf(address) view returns (uint256)", args ["0x…"].',
    properties: {
      chain: AGENT_CHAIN_SCHEMA,
      address: { type: 'string', maxLength: 42, description: 'Address of the contract.' },
      function: {
        type: 'string',
        maxLength: 2_000,
        description:
          'Declaration of the function with the types that it returns, or its signature where an ABI of the workspace has it.',
      },
      args: { type: 'array', description: 'One value per parameter; numbers as decimal text, tuples as lists.' },
      block: { type: ['integer', 'string'], description: 'Block number; the newest block when absent.' },
    },
    required: ['address', 'function'],
    run: (args, { signal }) => readContract(args, sources, signal),
  };
  return [decodeCall, decodeLog, decodeError, readContractTool];
}
