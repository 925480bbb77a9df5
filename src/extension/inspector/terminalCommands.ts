// Formats a target as a terminal command: `cast` of Foundry, or `curl` for the service.
import { basePaths } from '../../api/operations/operation.ts';
import { operations } from '../../api/operations/operations.ts';
import { parseInputTexts } from '../../api/wire/inputTexts.ts';
import { encodeRequest } from '../../api/wire/request.ts';
import { getTargetChain, getTargetRequest, type InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { EditorPorts } from './inspectorPorts.ts';

/** Within single quotes, a shell interprets only the single quote. */
const quoteForShell = (text: string) =>
  /^[\w./:?=&%@,+-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** `null` when cast has no command for the target. */
export function formatCastCommand(
  target: InspectorTarget,
  { getNodeUrl }: Pick<EditorPorts, 'getNodeUrl'>,
): string | null {
  const url = getNodeUrl(getTargetChain(target) ?? 'local');
  const rpc = url === null ? '' : ` --rpc-url ${quoteForShell(url)}`;
  // After `--` nothing is an option, whatever a link to this target holds.
  if (target.kind === 'block') return `cast block --full${rpc} -- ${quoteForShell(target.block)}`;
  if (target.kind === 'transaction') return `cast receipt${rpc} -- ${quoteForShell(target.hash)}`;
  if (target.kind === 'address') return `cast balance --ether${rpc} -- ${quoteForShell(target.address)}`;
  if (target.kind === 'simulation' || target.operation !== 'contractLogs') return null;
  const { address, topic0, topic1, topic2, topic3, fromBlock, toBlock } = target.parameters;
  // cast takes topics by their position, and no dates.
  const given = [topic0, topic1, topic2, topic3];
  const topics = given.filter(topic => typeof topic === 'string');
  const { blockNumber, fromDate, toDate } = target.parameters;
  const hasOther = [blockNumber, fromDate, toDate].some(text => text !== undefined);
  if (hasOther || topics.some((topic, index) => topic !== given[index])) return null;
  const range = [
    typeof fromBlock === 'string' ? ` --from-block=${quoteForShell(fromBlock)}` : ' --from-block earliest',
    typeof toBlock === 'string' ? ` --to-block=${quoteForShell(toBlock)}` : '',
  ].join('');
  const signature = topics.length === 0 ? '' : ` -- ${topics.map(quoteForShell).join(' ')}`;
  return `cast logs --address=${quoteForShell(String(address))}${range}${rpc}${signature}`;
}

/** The API key is a variable, because copied commands end up in shell histories and chats. */
export function formatCurlCommand(
  target: InspectorTarget,
  { getServiceUrl }: Pick<EditorPorts, 'getServiceUrl'>,
): string | null {
  const request = getTargetRequest(target);
  if (request === null) return null;
  const { group } = operations[request.operation];
  const { method, path, query, body } = encodeRequest(
    request.operation,
    parseInputTexts(request.operation, request.texts),
  );
  const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const url = `${getServiceUrl(group)}${basePaths[group][0]}${path}${search === '' ? '' : `?${search}`}`.replaceAll(
    "'",
    '%27',
  );
  const data = body === null ? '' : ` -H 'content-type: application/json' -d ${quoteForShell(JSON.stringify(body))}`;
  return `curl -sS${method === 'POST' ? ' -X POST' : ''} -H "X-API-Key: $HEXLENS_API_KEY"${data} '${url}'`;
}
