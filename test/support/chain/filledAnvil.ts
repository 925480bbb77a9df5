// An Anvil with the filled test chain: the first is filled, later ones of this process start from its saved state.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Hex } from '../../../src/base/hex.ts';
import { createTemporaryFolder } from '../temporaryFolder.ts';
import { type Anvil, BLOCK_INTERVAL, startAnvil } from './anvil.ts';
import { DEFAULT_BLOCKS, fillChain } from './fillChain.ts';
import type { TestChain } from './testChain.ts';

export interface FilledAnvilOptions {
  /** Number of the head block; default 60. */
  readonly blocks?: number;
  /** Default 31337. */
  readonly chainId?: number;
}

interface SavedChain {
  readonly file: string;
  readonly chain: TestChain;
}

const saved = new Map<string, SavedChain>();

/**
 * Blocks, receipts, old states and traces are those of the chain that was filled; a test of the chain compares them. Not
 * for tests of reorgs: Anvil does not replace the blocks of a loaded state as it replaces blocks that it mined.
 */
export async function startFilledAnvil({
  blocks = DEFAULT_BLOCKS,
  chainId = 31_337,
}: FilledAnvilOptions = {}): Promise<{ anvil: Anvil; chain: TestChain }> {
  const key = `${chainId} ${blocks}`;
  const known = saved.get(key);
  if (known !== undefined) {
    const anvil = await startAnvil({ chainId, args: ['--load-state', known.file] });
    // Its clock starts at the genesis block.
    await anvil.rpc('evm_setNextBlockTimestamp', [known.chain.head.timestamp + BLOCK_INTERVAL]);
    return { anvil, chain: { ...known.chain, url: anvil.url } };
  }
  const anvil = await startAnvil({ chainId });
  try {
    const chain = await fillChain(anvil, { blocks });
    saved.set(key, { file: await saveState(anvil), chain });
    return { anvil, chain };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

async function saveState(anvil: Anvil): Promise<string> {
  const withOldStates = true;
  const state = await anvil.rpc<Hex>('anvil_dumpState', [withOldStates]);
  const file = join(createTemporaryFolder('hexlens-chain-'), 'state.json');
  writeFileSync(file, gunzipSync(Buffer.from(state.slice(2), 'hex')));
  return file;
}
