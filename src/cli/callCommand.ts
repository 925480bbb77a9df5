// `hexlens call`: executes one operation, embedded or at a remote service, and prints its reply as JSON.
import { once } from 'node:events';
import type { Configuration } from '../api/configuration.ts';
import { type ApiGroup, basePaths } from '../api/operations/operation.ts';
import { type Input, type OperationId, operations } from '../api/operations/operations.ts';
import { checkDatedChanges } from '../api/wire/checkDatedChanges.ts';
import { type InputTexts, parseInputTexts } from '../api/wire/inputTexts.ts';
import { encodeRequest, type WireReply } from '../api/wire/request.ts';
import { FILTERED_HEADER, INDEX_HEADER, SCAN_HEADER } from '../api/wire/responseHeaders.ts';
import { type FaultCode, getFaultCode, HexLensError, isFault, toFault } from '../base/errors.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { faultFromReply } from '../client/client.ts';
import type { Backend } from '../worker/backend.ts';
import { createUsageError } from './configFile.ts';
import { extractParameters, toFlagError } from './operationFlags.ts';
import { parseFlags, readSecretFile } from './options.ts';
import { runWithBackend } from './runWithBackend.ts';
import { readConfigured, sourceOptions, toConfiguration } from './serveOptions.ts';

const REPORT_INTERVAL_MS = 5_000;
/** An index without progress for this long is not waited for. */
const MAX_WAIT_WITHOUT_PROGRESS_MS = 30_000;

/**
 * Repeats a request over an index that is behind the chain until it has caught up, or makes no progress any more.
 *
 * @param send Sends the request; the service waits for its index for a moment each time.
 * @param report Receives the progress of the index in a sentence.
 * @param now Milliseconds of a monotonic clock.
 */
export async function waitForIndex(
  send: () => Promise<WireReply>,
  report: (sentence: string) => void,
  now: () => number = () => performance.now(),
): Promise<WireReply> {
  let reportedAt = now();
  let progressedAt = reportedAt;
  let previousProgress: string | undefined;
  while (true) {
    const reply = await send();
    const progress = reply.headers[INDEX_HEADER];
    if (progress === undefined) return reply;
    const time = now();
    if (progress !== previousProgress) {
      previousProgress = progress;
      progressedAt = time;
    }
    if (time - progressedAt > MAX_WAIT_WITHOUT_PROGRESS_MS) {
      report(`The index of the chain makes no progress (${progress}): this is what it holds.`);
      return reply;
    }
    if (time - reportedAt < REPORT_INTERVAL_MS) continue;
    reportedAt = time;
    report(`Waiting for the index of the chain (${progress}).`);
  }
}

const printProgress = (sentence: string) => process.stderr.write(`hexlens: ${sentence}\n`);

/** Rejects with the fault of an error reply. `report` receives the progress of the index in a sentence. */
export async function fetchReply<Id extends OperationId>(
  backend: Pick<Backend, 'call'>,
  id: Id,
  input: Input<Id>,
  signal: AbortSignal,
  report: (sentence: string) => void = printProgress,
): Promise<WireReply> {
  try {
    const request = encodeRequest(id, input);
    const reply = await waitForIndex(() => backend.call(request, { signal }), report);
    if (reply.status >= 400) throw faultFromReply(reply, operations[id].group);
    return reply;
  } catch (error) {
    const { code, message } = toFault(error);
    // The usual fix names a command of the editor.
    throw code === 'unauthorized' && operations[id].group !== 'auth'
      ? new HexLensError(code, message, { fix: 'Give the key of the service with --key or HEXLENS_API_KEY.' })
      : error;
  }
}

interface WirePage {
  readonly cursor?: unknown;
  readonly result?: unknown;
}

/** Records from `input.cursor` or the first page on. Rejects when a page fails, and when a cursor repeats. */
async function* readWireRecords<Id extends OperationId>(
  backend: Pick<Backend, 'call'>,
  id: Id,
  input: Input<Id>,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, void> {
  const seenCursors = new Set<unknown>();
  let pageInput = input;
  while (true) {
    const { body, headers } = await fetchReply(backend, id, pageInput, signal);
    if (operations[id].reply.shape !== 'page') {
      yield* Array.isArray(body) ? body : [body];
      return;
    }
    const { cursor, result }: WirePage = body !== null && typeof body === 'object' ? body : {};
    const records: readonly unknown[] = Array.isArray(result) ? result : [];
    yield* records;
    if (typeof cursor !== 'string' || cursor === '') return;
    // Such a page may be empty though it is not the last one.
    const isPartialPage = Number(headers[FILTERED_HEADER] ?? 0) > 0 || headers[SCAN_HEADER] !== undefined;
    if (records.length === 0 && !isPartialPage) return;
    if (seenCursors.has(cursor)) {
      throw new HexLensError('host-error', 'The service gave the same cursor twice: the pages would never end.', {
        fix: 'Request fewer records at a time with --limit, and report it to the operator of the service.',
      });
    }
    seenCursors.add(cursor);
    pageInput = { ...pageInput, cursor };
  }
}

interface CallPlan {
  readonly id: OperationId;
  readonly input: Input<OperationId>;
  readonly configuration: Configuration;
  readonly allPages: boolean;
  readonly pretty: boolean;
}

const callFlags = {
  url: { type: 'string' },
  key: { type: 'string' },
  'key-file': { type: 'string' },
  config: { type: 'string' },
  all: { type: 'boolean' },
  pretty: { type: 'boolean' },
} as const;

/** Reads flags, environment and configuration file. Throws `bad-input` for wrong use, naming every wrong parameter. */
export function planCall(id: OperationId, args: readonly string[], env: NodeJS.ProcessEnv): CallPlan {
  const { texts, rest } = extractParameters(id, args);
  const helpHint = `See hexlens call ${id} --help.`;
  const { values, positionals } = parseFlags(rest, sourceOptions, callFlags, helpHint);
  if (positionals.length > 0)
    throw createUsageError(`"${positionals[0]}" is not expected: give parameters by name.`, helpHint);
  const configuration = toConfiguration(readConfigured(sourceOptions, values, env).options);
  const url = values['url'] ?? (env['HEXLENS_URL'] || undefined);
  const keyFile = values['key-file'] ?? (env['HEXLENS_API_KEY'] ? undefined : env['HEXLENS_API_KEY_FILE']);
  const key = values['key'] ?? (keyFile ? readSecretFile(String(keyFile)) : env['HEXLENS_API_KEY']) ?? '';
  const input = parseInput(id, texts);
  if (configuration.strictDates) checkDatedChanges(encodeRequest(id, input));
  return {
    id,
    input,
    configuration: url === undefined ? configuration : toRemoteConfiguration(configuration, String(url), String(key)),
    allPages: values['all'] === true,
    pretty: values['pretty'] === true,
  };
}

function parseInput(id: OperationId, texts: InputTexts): Input<OperationId> {
  try {
    return parseInputTexts(id, texts);
  } catch (error) {
    throw toFlagError(error);
  }
}

/** For a service of ours, `text` is its origin; a URL with a path is the base URL of the group at another host. */
function toRemoteConfiguration(configuration: Configuration, text: string, key: string): Configuration {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw createUsageError(
      '--url must be the address of a service.',
      'Write it as http://127.0.0.1:8547, without user or query.',
    );
  if (url.protocol === 'http:' && key !== '' && !isLoopbackHost(url.hostname))
    throw createUsageError('--url is not encrypted, and the key would be sent in the clear.', 'Use https://.');
  const base = url.href.replace(/(?<!\/)\/+$/, '');
  const getBaseUrl = (group: ApiGroup) => (url.pathname === '/' ? `${base}${basePaths[group][0]}` : base);
  return {
    ...configuration,
    groups: {
      auth: { mode: 'remote', baseUrl: getBaseUrl('auth') },
      evm: { mode: 'remote', baseUrl: getBaseUrl('evm') },
      aptos: { mode: 'remote', baseUrl: getBaseUrl('aptos') },
    },
    keys: key === '' ? {} : { [url.origin]: key },
  };
}

/** Characters that a terminal obeys or hides, which JSON leaves as they are: C1 controls, direction marks, line separators. */
const TERMINAL_CHARACTERS = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The same JSON, with escapes for characters that would change what the terminal shows. */
export function stringifyForTerminal(value: unknown, indent?: number): string {
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(TERMINAL_CHARACTERS, text =>
    text.split('').map(toEscape).join(''),
  );
}

/** Writes a line, and waits while the reader of the pipe is slower. */
async function printLine(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
}

/** Resolves when the whole output is written. */
export async function runCall({ id, input, configuration, allPages, pretty }: CallPlan): Promise<void> {
  // The reader of a pipe may close it early: `hexlens call ... --all | head`.
  process.stdout.on('error', () => process.exit(0));
  const print = async (backend: Backend, signal: AbortSignal) => {
    if (allPages) {
      for await (const record of readWireRecords(backend, id, input, signal))
        await printLine(stringifyForTerminal(record));
    } else {
      const { body } = await fetchReply(backend, id, input, signal);
      await printLine(stringifyForTerminal(body, pretty ? 2 : undefined));
    }
  };
  try {
    await runWithBackend(configuration, print, 'with --node NAME=URL or --url URL');
  } catch (error) {
    // The usual fix is about a node, but a remote service did not answer.
    if (configuration.groups.evm.mode === 'embedded' || !isFault(error, 'node-unreachable')) throw error;
    throw new HexLensError('node-unreachable', toFault(error).message, {
      fix: 'Start the service (hexlens serve), or correct --url.',
    });
  }
}

const EXIT_CODES: Readonly<Partial<Record<FaultCode, number>>> = {
  'bad-input': 2,
  'no-node': 2,
  'not-found': 3,
  removed: 3,
  unauthorized: 4,
  forbidden: 4,
  'egress-refused': 4,
  cancelled: 130,
};

/** The exit code of the process, so that scripts need not read texts. */
export const getExitCode = (error: unknown): number => EXIT_CODES[getFaultCode(error)] ?? 1;
