// `node test/support/chain/start.ts`: starts and fills the test chain, prints it as one line of JSON, runs until it is stopped.
import { parseArgs } from 'node:util';
import { createBadInputFault, formatFault } from '../../../src/base/errors.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { DEFAULT_BLOCKS, fillChain, MAX_BLOCKS, MIN_BLOCKS } from './fillChain.ts';

const USAGE = `Usage: node test/support/chain/start.ts [--port N] [--blocks N]

  --port N     TCP port on 127.0.0.1 (default: a free one)
  --blocks N   blocks to fill, ${MIN_BLOCKS} to ${MAX_BLOCKS} (default ${DEFAULT_BLOCKS})

When the chain is ready, one line of JSON (the TestChain of test/support/chain/testChain.ts) is written to standard output.
SIGTERM or SIGINT (Ctrl+C) ends it and deletes its files.
`;

interface Arguments {
  readonly port: number;
  readonly blocks: number;
  readonly help: boolean;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, blocks: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  return {
    port: wholeNumber('--port', values.port ?? '0', 0, 65_535),
    blocks: wholeNumber('--blocks', values.blocks ?? String(DEFAULT_BLOCKS), MIN_BLOCKS, MAX_BLOCKS),
    help: values.help ?? false,
  };
}

function wholeNumber(field: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw createBadInputFault([
    { field, message: `${field} must be a whole number from ${least} to ${most}, not "${text}".` },
  ]);
}

async function run({ port, blocks }: Arguments): Promise<void> {
  let stopping = false;
  let anvil: Anvil | undefined;
  const stop = () => {
    stopping = true;
    void anvil?.stop();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    anvil = await startAnvil({ port });
    if (stopping) return await anvil.stop();
    const chain = await fillChain(anvil, { blocks });
    await anvil.rpc('evm_setAutomine', [true]); // as the user of a sample workspace expects it
    process.stdout.write(`${JSON.stringify(chain)}\n`);
    await anvil.ended;
    if (!stopping) fail('Anvil ended by itself. Start the chain again.', 1);
  } catch (error) {
    await anvil?.stop();
    if (!stopping) throw error; // else the fill failed only because its node was stopped
  } finally {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
  }
}

function fail(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}

let given: Arguments | undefined;
try {
  given = readArguments();
} catch (error) {
  fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, 2);
}
if (given?.help) process.stdout.write(USAGE);
else if (given !== undefined) await run(given).catch(error => fail(formatFault(error), 1));
