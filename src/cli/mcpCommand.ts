// `hexlens mcp`: the MCP server over standard input and output.
import { dirname, join } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Configuration } from '../api/configuration.ts';
import { systemClock } from '../base/clock.ts';
import { lazy } from '../base/lazy.ts';
import { silentLog } from '../base/log.ts';
import { restrictToAllowedHosts } from '../mcp/chainAccess.ts';
import { LineLimit, MAX_LINE_BYTES } from '../mcp/lineLimit.ts';
import { createMcpServer } from '../mcp/mcpServer.ts';
import { ProjectSources } from '../mcp/projectSources.ts';
import { readAbis } from '../mcp/readAbis.ts';
import { createNodeBackend } from '../worker/nodeBackend.ts';
import { fetchReply } from './callCommand.ts';
import { createUsageError } from './configFile.ts';
import { mcpOptions } from './mcpOptions.ts';
import { HELP_HINT, parseFlags } from './options.ts';
import { readConfigured, toConfiguration } from './serveOptions.ts';

export interface McpPlan {
  readonly configuration: Configuration;
  readonly allowedHosts: readonly string[];
  readonly abiPaths: readonly string[];
  /** Where the user allows a host, as the end of a sentence. */
  readonly allowHostHint: string;
}

/** The whole configuration as JSON, set by the extension: it holds addresses and keys of the user's settings. */
const CONFIGURATION_VARIABLE = 'HEXLENS_MCP_CONFIGURATION';

/** Reads flags, environment and configuration file. Throws `bad-input` for wrong use. */
export function planMcp(args: readonly string[], env: NodeJS.ProcessEnv): McpPlan {
  const { values, positionals } = parseFlags(args, mcpOptions, { config: { type: 'string' } }, HELP_HINT);
  if (positionals.length > 0) throw createUsageError(`"${positionals[0]}" is not expected after mcp.`);
  const { options } = readConfigured(mcpOptions, values, env);
  const folder = process.cwd();
  const given = env[CONFIGURATION_VARIABLE];
  return {
    configuration: given === undefined ? toConfiguration(options) : (JSON.parse(given) as Configuration), // our extension's
    allowedHosts: options.allowHost ?? [],
    abiPaths: options.abi ?? [join(folder, 'out'), join(folder, 'artifacts')],
    allowHostHint: given === undefined ? 'with --allow-host HOST' : 'in the setting hexlens.mcp.allowedHosts',
  };
}

/** Of JSON-RPC. */
const INVALID_REQUEST = -32_600;
/** The first call waits no longer for the names of enums. */
const MAX_ENUMS_MS = 2_000;

/** Resolves when the client closes standard input and everything has ended. */
export async function runMcp(
  { configuration, allowedHosts, abiPaths, allowHostHint }: McpPlan,
  version: string,
): Promise<void> {
  const access = restrictToAllowedHosts(configuration, allowedHosts);
  const backend = createNodeBackend({ log: silentLog, addHostHint: allowHostHint });
  backend.configure(access.configuration);
  // Artifacts are in a folder of their project.
  const sources = new ProjectSources(dirname(abiPaths[0] ?? join(process.cwd(), 'out')));
  const server = createMcpServer(
    {
      chains: access.chains,
      refusedChains: access.refusedChains,
      allowHostHint,
      addressBook: configuration.addressBook ?? {},
      loadAbis: lazy(async () => {
        const registry = await readAbis(abiPaths);
        // Builds of a large project take longer: until then their enums are numbers.
        const over = new AbortController();
        const late = systemClock.sleep(MAX_ENUMS_MS, over.signal).catch(() => {});
        await Promise.race([sources.addEnums(registry).finally(() => over.abort()), late]);
        return registry;
      }),
      loadBuilds: () => sources.load(),
      fetchReply: (id, input, signal, report) => fetchReply(backend, id, input, signal, report),
      lookup: (id, input, signal) => backend.lookup(id, input, { signal }),
    },
    version,
  );
  const input = new LineLimit(id => {
    const error = { code: INVALID_REQUEST, message: `The message has more than ${MAX_LINE_BYTES} bytes.` };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  });
  const transport = new StdioServerTransport(process.stdin.pipe(input));
  const closed = new Promise<void>(resolve => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    // The client may end before it has read everything.
    process.stdout.once('error', () => resolve());
  });
  await server.connect(transport);
  await closed;
  await server.close();
  await backend.stop();
}
