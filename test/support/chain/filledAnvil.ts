// An Anvil with the filled test chain, started from a state that is saved once per run of the tests.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Hex } from '../../../src/base/hex.ts';
import { makeOncePerRun } from '../makeOncePerRun.ts';
import { type Anvil, BLOCK_INTERVAL, startAnvil } from './anvil.ts';
import { fillChain } from './fillChain.ts';
import type { TestChain } from './testChain.ts';

export interface FilledAnvilOptions {
  /** Number of the head block; default 36. */
  readonly blocks?: number;
  /** Default 31337. */
  readonly chainId?: number;
}

/** All of the scenario, and as many blocks of traffic. */
export const FILLED_BLOCKS = 36;

/** The folder of each chain's saved state. */
const folders = new Map<string, Promise<string>>();

/**
 * Blocks, receipts, old states and traces are those of the chain that was filled; a test of the chain compares them. Not
 * for tests of reorgs: Anvil does not replace the blocks of a loaded state as it replaces blocks that it mined.
 */
export async function startFilledAnvil({
  blocks = FILLED_BLOCKS,
  chainId = 31_337,
}: FilledAnvilOptions = {}): Promise<{ anvil: Anvil; chain: TestChain }> {
  const name = `chain-${chainId}-${blocks}`;
  const made = folders.get(name) ?? makeOncePerRun(name, folder => saveFilledChain(folder, chainId, blocks));
  folders.set(name, made);
  const folder = await made;
  const chain = JSON.parse(readFileSync(join(folder, CHAIN), 'utf8')) as TestChain;
  const anvil = await startAnvil({ chainId, args: ['--load-state', join(folder, STATE)] });
  // Its clock starts at the genesis block.
  await anvil.rpc('evm_setNextBlockTimestamp', [chain.head.timestamp + BLOCK_INTERVAL]);
  return { anvil, chain: { ...chain, url: anvil.url } };
}

const CHAIN = 'chain.json';
const STATE = 'state.json';

async function saveFilledChain(folder: string, chainId: number, blocks: number): Promise<void> {
  const anvil = await startAnvil({ chainId });
  try {
    writeFileSync(join(folder, CHAIN), JSON.stringify(await fillChain(anvil, { blocks })));
    const withOldStates = true;
    const state = await anvil.rpc<Hex>('anvil_dumpState', [withOldStates]);
    writeFileSync(join(folder, STATE), gunzipSync(Buffer.from(state.slice(2), 'hex')));
  } finally {
    await anvil.stop();
  }
}
