// `hexlens serve`: runs the service on a port until a signal ends it.
import type { LogFields } from '../base/log.ts';
import { isLoopbackAddress } from '../base/loopback.ts';
import { createUsageError } from './configFile.ts';
import { readKeysField } from './keysField.ts';
import type { ParsedFlags } from './options.ts';
import { getCheckedGroups, readConfigured, serveOptions, toConfiguration } from './serveOptions.ts';
import { type StartServerOptions, startServer } from './startServer.ts';

/** The first properties of a JSON line. */
const COMMON_FIELDS = ['time', 'level', 'message'] as const;

/** Lines are collected for this long, or up to this length: each write to a pipe blocks the process for a moment. */
const FLUSH_MS = 20;
const MAX_BUFFERED_LENGTH = 16 * 1024;

/** Writes one line per event, as text or JSON, in batches; `flush` writes the collected lines. */
function createStreamLog(stream: { write(text: string): unknown }, format: 'text' | 'json') {
  let buffer = '';
  let flushTimer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(flushTimer);
    flushTimer = undefined;
    const text = buffer;
    buffer = '';
    if (text !== '') stream.write(text);
  };
  /** A server under load writes many lines in a millisecond. */
  let formatted = { at: 0, text: '' };
  const formatNow = () => {
    const at = Date.now();
    if (at !== formatted.at) formatted = { at, text: new Date(at).toISOString() };
    return formatted.text;
  };
  const formatLine = (level: string, message: string, fields: LogFields) => {
    const time = formatNow();
    if (format === 'text') return `${time} ${level} ${message}\n`;
    return `${JSON.stringify({ ...fields, time, level, message }, [...COMMON_FIELDS, ...Object.keys(fields)])}\n`;
  };
  const writeLine =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      buffer += formatLine(level, message, fields);
      if (level !== 'info' || buffer.length > MAX_BUFFERED_LENGTH) flush();
      else flushTimer ??= setTimeout(flush, FLUSH_MS);
    };
  return { debug() {}, info: writeLine('info'), warn: writeLine('warn'), error: writeLine('error'), flush };
}

const DEFAULT_PORT = 8547;

export type ServePlan = Omit<StartServerOptions, 'log'> & { readonly log: 'text' | 'json' };

/** Reads flags, environment and configuration file. Throws `bad-input` for wrong use. */
export function planServe({ values, positionals }: ParsedFlags, env: NodeJS.ProcessEnv): ServePlan {
  if (positionals.length > 0) throw createUsageError(`"${positionals[0]}" is not expected after serve.`);
  const { file, options } = readConfigured(serveOptions, values, env);
  const { port = DEFAULT_PORT, host, key, hostName, cors, log = 'text' } = options;
  const isOpenToNetwork = host !== undefined && !isLoopbackAddress(host);
  if (!isOpenToNetwork && hostName !== undefined)
    throw createUsageError(
      'Names for other machines need an address that they reach.',
      'Give --host too, or leave them out.',
    );
  return {
    port,
    host,
    key,
    keys: file === null ? [] : readKeysField(file, isOpenToNetwork),
    log,
    configuration: toConfiguration(options),
    hostNames: hostName,
    allowedOrigins: cors,
    ownsProcess: true,
    checkedGroups: getCheckedGroups(options),
  };
}

/** Resolves when the service is ready. The process ends on SIGINT or SIGTERM. */
export async function runServe({ log: logFormat, ...options }: ServePlan): Promise<void> {
  const log = createStreamLog(process.stderr, logFormat);
  // A parent process may read the first line and close the pipe.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  const server = await startServer({ ...options, log });
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(130); // the second signal ends the process at once
    isStopping = true;
    log.info(`${signal}: stopping.`);
    log.flush();
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('exit', log.flush);
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  if (options.host !== undefined && !isLoopbackAddress(options.host))
    log.warn('Other machines can reach the service, and nothing is encrypted: put a proxy that speaks TLS before it.');
  process.stdout.write(`${JSON.stringify({ url: server.url, key: server.key })}\n`);
}
