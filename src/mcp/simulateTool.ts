// The tool that says what a call would do, without signing or sending it.
import { AGENT_CHAIN_SCHEMA } from '../api/chainNames.ts';
import { getAddressFacts } from '../api/configuration.ts';
import { listWords } from '../api/parseSimulationJson.ts';
import type { Simulation } from '../api/traceTarget.ts';
import { fetchMovements } from '../decode/fetchMovements.ts';
import { fetchSimulation, parseSimulation, type SimulationTexts } from '../decode/simulationInput.ts';
import { toReturnedJson } from '../decode/trace/returnedValues.ts';
import { toMovementSource } from '../decode/trace/traceMovements.ts';
import { selectChain } from './chainAccess.ts';
import { explainTrace } from './explainTool.ts';
import {
  getText,
  type McpSources,
  type McpTool,
  rejectArgument,
  rejectSecretTexts,
  requireHash,
  type ToolArguments,
} from './mcpTool.ts';

const MAX_ARGUMENTS = 64;
const MAX_OVERRIDES = 32;

const text = (description: string) => ({ type: 'string', description }) as const;

function getList(args: ToolArguments, name: string, limit: number): readonly unknown[] | undefined {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.length <= limit) return value;
  return rejectArgument(name, `must be a list of at most ${limit} values`);
}

function getTexts(args: ToolArguments): SimulationTexts {
  const amount = (name: string) => (typeof args[name] === 'number' ? String(args[name]) : getText(args, name));
  const overrides = getList(args, 'overrides', MAX_OVERRIDES);
  return {
    from: getText(args, 'from'),
    to: getText(args, 'to'),
    data: getText(args, 'data'),
    function: getText(args, 'function'),
    args: getList(args, 'args', MAX_ARGUMENTS),
    value: amount('value'),
    gas: amount('gas'),
    gasPrice: amount('gasPrice'),
    block: amount('block'),
    overrides: overrides?.map(String),
  };
}

/** Throws `bad-input` where one of the arguments, data and overrides, which go to the node, is a known key. */
export const rejectSecrets = (simulation: Simulation): void => rejectSecretTexts(listWords(simulation));

export const createSimulateTool = (sources: McpSources): McpTool => ({
  name: 'simulate_call',
  title: 'Simulate a call',
  description:
    'Says what a call would do if it were sent: what it returns or why it fails and where (stack of Solidity by the build of the project), its tree of calls, what it moves and changes, and gas. It is run on the state of the chain and never signed or sent: no key is needed. Read-only.',
  properties: {
    chain: AGENT_CHAIN_SCHEMA,
    from: text('Address that calls; any address.'),
    to: text('Contract or account that is called.'),
    function: text('Declaration such as "transfer(address,uint256)", with args; in place of data.'),
    args: { type: 'array', maxItems: MAX_ARGUMENTS, description: 'One per parameter: text or JSON.' },
    data: text('Calldata in 0x hex.'),
    value: text('Amount in wei, or with a unit: "1.5 ether".'),
    gas: text('Gas limit.'),
    block: text('Number of the block that it runs after; the newest one when absent.'),
    overrides: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_OVERRIDES,
      description: '0xADDRESS.balance=1ether, .nonce=5, .code=0x…, .0xSLOT=0x…: state in place of that of the chain.',
    },
    hash: text('A transaction whose call is simulated, with what the other arguments change of it.'),
  },
  async run(args, { signal }) {
    const { selector } = selectChain(sources, args);
    const texts = getTexts(args);
    const base =
      getText(args, 'hash') === undefined
        ? null
        : await fetchSimulation(sources.lookup, selector, requireHash(args), signal);
    const simulation = parseSimulation(texts, base);
    rejectSecrets(simulation);
    const { trace, explanation } = await explainTrace(sources, { chain: selector, simulation }, signal);
    const movements =
      trace.status === 'failed'
        ? []
        : await fetchMovements(
            toMovementSource(trace),
            trace.chain,
            address => sources.lookup('tokenUnit', { chain: selector, address }, signal),
            account => getAddressFacts(sources.addressBook, account, selector)[0]?.name,
          );
    return {
      ...explanation,
      returned: toReturnedJson(trace, await sources.loadAbis(), texts.function),
      movements,
    };
  },
});
