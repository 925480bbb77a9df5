// A target as a command for a terminal: `cast` of Foundry, or `curl` against the service.
import { basePaths } from '../../api/operations/operation.ts';
import { operations } from '../../api/operations/operations.ts';
import { parseInputTexts } from '../../api/wire/inputTexts.ts';
import { encodeRequest } from '../../api/wire/request.ts';
import { getTargetChain, getTargetRequest, type InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { EditorPorts } from './inspectorPorts.ts';

/** In single quotes nothing is special to a shell but the single quote. */
const quoted = (text: string) =>
  /^[\w./:?=&%@,+-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** `null` where cast has no command for it. */
export function formatCastCommand(target: InspectorTarget, { nodeUrl }: Pick<EditorPorts, 'nodeUrl'>): string | null {
  const url = nodeUrl(getTargetChain(target) ?? 'local');
  const rpc = url === null ? '' : ` --rpc-url ${quoted(url)}`;
  if (target.kind === 'block') return `cast block ${target.block} --full${rpc}`;
  if (target.kind === 'transaction') return `cast receipt ${target.hash}${rpc}`;
  if (target.kind === 'address') return `cast balance --ether ${target.address}${rpc}`;
  if (target.operation !== 'contractLogs') return null;
  const { address, topic0, topic1, topic2, topic3, fromBlock, toBlock } = target.parameters;
  const topics = [topic0, topic1, topic2, topic3].filter(topic => typeof topic === 'string');
  const range = [
    typeof fromBlock === 'string' ? ` --from-block ${quoted(fromBlock)}` : ' --from-block earliest',
    typeof toBlock === 'string' ? ` --to-block ${quoted(toBlock)}` : '',
  ].join('');
  return `cast logs --address ${quoted(String(address))}${range}${topics.map(topic => ` ${quoted(topic)}`).join('')}${rpc}`;
}

/** The key stands as `$HEXLENS_API_KEY`: a copied command ends up in histories and chats. */
export function formatCurlCommand(
  target: InspectorTarget,
  { serviceUrl }: Pick<EditorPorts, 'serviceUrl'>,
): string | null {
  const request = getTargetRequest(target);
  if (request === null) return null;
  const { group } = operations[request.operation];
  const { method, path, query, body } = encodeRequest(
    request.operation,
    parseInputTexts(request.operation, request.texts),
  );
  const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const url = `${serviceUrl(group)}${basePaths[group][0]}${path}${search === '' ? '' : `?${search}`}`.replaceAll(
    "'",
    '%27',
  );
  const data = body === null ? '' : ` -H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`;
  return `curl -sS${method === 'POST' ? ' -X POST' : ''} -H "X-API-Key: $HEXLENS_API_KEY"${data} '${url}'`;
}
