// The HTTP service of the window, over the same worker and with its own key.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getExtension, getTestChain } from './extensionHost.ts';
import { until } from './siweActions.ts';

const run = <T>(command: string) => vscode.commands.executeCommand<T>(`hexlens.${command}`);

async function copied(command: 'copyHttpUrl' | 'copyHttpKey'): Promise<string> {
  await vscode.env.clipboard.writeText('');
  await run(command);
  return vscode.env.clipboard.readText();
}

describe('the HTTP service', () => {
  const chain = getTestChain();
  const section = () => vscode.workspace.getConfiguration('hexlens.http');
  const block = async (url: string, key: string): Promise<number> => {
    try {
      return (await fetch(`${url}/api/v2/block/1?chain=local`, { headers: { 'x-api-key': key } })).status;
    } catch {
      return 0;
    }
  };

  before(async function () {
    if (chain === undefined) this.skip();
    await getExtension().activate();
    await section().update('port', 0, vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    await run('stopHttp');
    await section().update('port', undefined, vscode.ConfigurationTarget.Global);
  });

  it('starts, serves requests with its key only, and stops', async () => {
    const url = await run<string>('startHttp');
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(await copied('copyHttpUrl'), url);
    const key = await copied('copyHttpKey');
    assert.match(key, /^[\w-]{32}$/);
    assert.deepEqual([await block(url, key), await block(url, 'wrong')], [200, 401]);
    assert.equal(await run<string>('startHttp'), url);
    await run('stopHttp');
    assert.equal(await block(url, key), 0);
  });

  it('keeps its key between starts and restarts with the worker', async () => {
    const first = await run<string>('startHttp');
    const key = await copied('copyHttpKey');
    await run('stopHttp');
    const url = await run<string>('startHttp');
    assert.equal(await copied('copyHttpKey'), key);
    await run('restartBackend');
    await until(
      () => block(url, key),
      status => status === 200,
      'the service was restarted',
    );
    assert.equal(await copied('copyHttpUrl'), url);
    assert.ok(first !== '');
  });
});
