// Writes the sample workspace of `npm start` and the end-to-end tests: files with real addresses and hashes of the test chain.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HexLensError } from '../../../src/base/errors.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { encodeData, tokenAbi } from './contractAbis.ts';
import { getSampleFiles, type SampleLiterals, toJsonText } from './sampleFiles.ts';
import type { TestChain } from './testChain.ts';

export interface SampleWorkspaceOptions {
  /** JSON-RPC URL; when given, `.vscode/settings.json` has it as the node of the chain `local`. */
  readonly nodeUrl?: string;
}

export interface SampleWorkspace {
  readonly folder: string;
  /** Paths relative to the folder, with `/`, in the order written. */
  readonly files: readonly string[];
  readonly literals: SampleLiterals;
}

const DEV_PRIVATE_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/**
 * Creates the folder when it does not exist, and overwrites only the files it writes. Rejects with `bad-input` when
 * `folder` can not be written to.
 */
export async function writeSampleWorkspace(
  folder: string,
  chain: TestChain,
  options: SampleWorkspaceOptions = {},
): Promise<SampleWorkspace> {
  const literals = getSampleLiterals(chain);
  const files = getSampleFiles(chain, literals);
  if (options.nodeUrl !== undefined) {
    files.set('.vscode/settings.json', toJsonText({ 'hexlens.nodes': { local: options.nodeUrl } }));
  }
  try {
    for (const [path, text] of files) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  } catch (cause) {
    throw new HexLensError('bad-input', `The sample workspace can not be written to ${folder}.`, {
      details: String(cause),
      fix: 'Use a folder that can be created or written to.',
      issues: [{ field: 'folder', message: String(cause) }],
      cause,
    });
  }
  return { folder, files: [...files.keys()], literals };
}

export function getSampleLiterals(chain: TestChain): SampleLiterals {
  const { alice, bob, carol } = chain.accounts;
  return {
    wrongChecksum: withOneCaseChanged(bob),
    masked: `${alice.slice(0, 6)}…${alice.slice(-4)}`,
    maskedInLog: `${carol.slice(0, 6)}...${carol.slice(-4)}`,
    devPrivateKey: DEV_PRIVATE_KEY,
    calldata: encodeData(tokenAbi.transfer, [bob, 12_500_000_000_000_000_000n]),
    transferSelector: '0xa9059cbb',
  };
}

/** In mixed case, so that it has a checksum, which is wrong. */
function withOneCaseChanged(address: Hex): Hex {
  const at = address.slice(2).search(/[a-f]/) + 2;
  return `${address.slice(0, at)}${address.charAt(at).toUpperCase()}${address.slice(at + 1)}` as Hex;
}
