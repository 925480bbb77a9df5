// `npm start`, as README tells a new contributor: a chain, a workspace for it, and VS Code with HexLens at the address that is printed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { projectNode } from '../editor/editorServer.ts';
import { root } from '../editor/paths.ts';
import { onTermination, stopProcess } from '../editor/processes.ts';
import { vsixUnderTest } from './harness.ts';

it('npm start prints the address of VS Code with a sample workspace, and ends at Ctrl+C', async () => {
  const args = [join(root, 'test/editor/start.ts'), '--browser', '--no-open', '--vsix', vsixUnderTest()];
  const child = spawn(projectNode(), args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const forget = onTermination(() => stopProcess(child));
  try {
    let address: string | undefined;
    for await (const line of createInterface(child.stdout)) {
      address = /^Open (http:\S+)$/.exec(line)?.[1];
      if (address !== undefined) break;
    }
    assert.ok(address !== undefined, 'it ended without an address');
    // The token in the address becomes a cookie.
    const { headers } = await fetch(address, { redirect: 'manual' });
    const response = await fetch(address, { headers: { cookie: headers.getSetCookie().join('; ') } });
    assert.equal(response.status, 200);
    assert.match(await response.text(), /workbench/);
    const exited = once(child, 'exit');
    child.stdout.resume();
    child.kill('SIGINT');
    assert.deepEqual(await exited, [130, null]);
  } finally {
    await stopProcess(child);
    forget();
  }
});
