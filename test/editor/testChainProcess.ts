// Runs the test chain in a process of its own, which is terminated with this process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestChain } from '../support/chain/testChain.ts';
import { projectNode } from './editorServer.ts';
import { root } from './paths.ts';
import { onTermination, stopProcess } from './processes.ts';

export interface RunningChain {
  readonly chain: TestChain;
  /** Resolves when the chain's process has ended, by {@link stop} or by itself. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts and fills the chain, by default at a free port; rejects with its output when it fails. */
export async function startTestChain(port = 0): Promise<RunningChain> {
  const guard = join(import.meta.dirname, 'end-with-parent.cjs');
  const program = join(root, 'test', 'support', 'chain', 'start.ts');
  const child = spawn(projectNode(), ['--require', guard, program, '--port', String(port)], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl+C must not reach the chain directly, because the editor is closed first.
    detached: true,
  });
  const ended = once(child, 'exit');
  const stop = () => stopProcess(child, 10_000).finally(forget);
  const forget = onTermination(stop);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const line = await firstLine(child.stdout);
  if (line === undefined) {
    await stop();
    throw new Error(`The test chain did not start. ${stderr.trim()}`);
  }
  return { chain: JSON.parse(line) as TestChain, ended, stop };
}

/** Keeps reading the stream, because a process that writes to a closed stream fails. */
function firstLine(stream: Readable): Promise<string | undefined> {
  return new Promise(resolve => {
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.includes('\n')) return;
      text += chunk;
      if (text.includes('\n')) resolve(text);
    });
    stream.once('close', () => resolve(undefined));
  });
}
