// `hexlens serve`: the service on a port until a signal ends it.
import { isLoopbackAddress } from '../base/loopback.ts';
import { readConfigFile } from './configFile.ts';
import { KEYS_FIELD, readKeysField } from './keysField.ts';
import { type ParsedFlags, readOptions } from './options.ts';
import { getCheckedGroups, serveOptions, toConfiguration } from './serveOptions.ts';
import { type RunningServer, type StartServerOptions, startServer } from './startServer.ts';
import { createStreamLog } from './streamLog.ts';
import { createUsageError } from './usageError.ts';

const DEFAULT_PORT = 8547;

export type ServePlan = Omit<StartServerOptions, 'log'> & { readonly log: 'text' | 'json' };

/** What flags, environment and file ask for. Throws `bad-input` for wrong use. */
export function planServe({ values, positionals }: ParsedFlags, env: NodeJS.ProcessEnv): ServePlan {
  if (positionals.length > 0) throw createUsageError(`"${positionals[0]}" is not expected after serve.`);
  const path = values['config'] ?? (env['HEXLENS_CONFIG'] || undefined);
  const fields = [...Object.values(serveOptions).map(({ field }) => field), KEYS_FIELD];
  const file = path === undefined ? null : readConfigFile(String(path), fields);
  const chosen = readOptions(serveOptions, { flags: values, env, file, folder: process.cwd() });
  const { port = DEFAULT_PORT, host, key, hostName, cors, log = 'text' } = chosen;
  const open = host !== undefined && !isLoopbackAddress(host);
  if (!open && hostName !== undefined)
    throw createUsageError(
      'Names for other machines need an address that they reach.',
      'Give --host too, or leave them out.',
    );
  return {
    ...{
      port,
      host,
      key,
      log,
      configuration: toConfiguration(chosen),
      ownsProcess: true,
      checkedGroups: getCheckedGroups(chosen),
    },
    keys: file === null ? [] : readKeysField(file, open),
    ...(hostName !== undefined && { hostNames: hostName }),
    ...(cors !== undefined && { allowedOrigins: cors }),
  };
}

/** Resolves when the service is ready; signals end the process. */
export async function runServe({ log: form, ...options }: ServePlan): Promise<void> {
  const log = createStreamLog(process.stderr, form);
  // Whoever started us may read the first line and close the pipe.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  const server: RunningServer = await startServer({ ...options, log });
  let asked = false;
  const stop = (signal: NodeJS.Signals) => {
    if (asked) process.exit(130); // asked twice: at once
    asked = true;
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
