// Runs forge for a side build of a project.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs the first of the commands that exists. What it printed where it failed, `missing` where there is none, `null` where it
 * succeeded. Rejects when aborted.
 */
export async function runForgeBuild(
  commands: readonly string[],
  args: readonly string[],
  project: string,
  signal: AbortSignal,
): Promise<string | null> {
  for (const command of commands) {
    const result = await run(command, args, project, signal);
    if (result !== 'missing') return result;
  }
  return 'missing';
}

async function run(command: string, args: readonly string[], cwd: string, signal: AbortSignal): Promise<string | null> {
  const child = spawn(command, args, { cwd, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0 ? null : output.trim();
  } catch (error) {
    signal.throwIfAborted();
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : String(error);
  }
}
