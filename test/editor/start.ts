// `npm start`: a test chain, a sample workspace for it, and VS Code with HexLens.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSampleWorkspace } from '../support/chain/sampleWorkspace.ts';
import { ensureChromium } from './chromium.ts';
import { findDesktopCode, openDesktop } from './desktopEditor.ts';
import { projectNode, startServer } from './editorServer.ts';
import { ensureVSCodeServer } from './installCodeServer.ts';
import { packageProgram, packedExtension, root, sampleWorkspace } from './paths.ts';
import { asProgram, runQuietly } from './processes.ts';
import { unattendedSettings } from './quietSettings.ts';
import { type RunningChain, startTestChain } from './testChainProcess.ts';

const usage = `npm start [-- --browser] [--no-open] [--vsix FILE]
  --browser    VS Code in the browser, even where desktop VS Code is installed
  --no-open    only print the address
  --vsix FILE  in the browser, this package of HexLens; without it, it is packed`;

/** The file that is opened: it has contracts, accounts and transactions. */
const firstFile = 'scripts/check.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      browser: { type: 'boolean', default: false },
      'no-open': { type: 'boolean', default: false },
      vsix: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  if (!existsSync(join(root, 'dist', 'extension.js'))) {
    throw new Error('HexLens is not built yet. Run npm start, which builds it first, or npm run build.');
  }
  print('Starting a test chain: Anvil, filled with tokens, transfers, sales and failures…');
  const running = await startTestChain();
  try {
    const { chain } = running;
    print(`Chain ${chain.chainId} is at ${chain.url}, ${chain.head.number} blocks.`);
    await writeSampleWorkspace(sampleWorkspace, chain, { nodeUrl: chain.url });
    print(`The sample workspace is in ${sampleWorkspace}.`);
    const code = values.browser ? undefined : findDesktopCode();
    if (code !== undefined) await useDesktop(code, running);
    else await useBrowser(running, { vsix: values.vsix ?? (await pack()), open: !values['no-open'] });
  } finally {
    await running.stop();
  }
}

async function useDesktop(code: string, running: RunningChain): Promise<void> {
  print(`Opening VS Code (${code}). Close its window, or press Ctrl+C here, to end everything.`);
  const editor = await openDesktop(code, {
    extension: root,
    workspace: sampleWorkspace,
    openFile: join(sampleWorkspace, firstFile),
  });
  try {
    await Promise.race([editor.closed, chainEnded(running)]);
  } finally {
    await editor.stop();
  }
}

interface BrowserOptions {
  readonly vsix: string;
  readonly open: boolean;
}

async function useBrowser(running: RunningChain, { vsix, open }: BrowserOptions): Promise<void> {
  await ensureVSCodeServer({ progress: print });
  print('Starting VS Code for the browser…');
  const server = await startServer({ settings: unattendedSettings, install: vsix });
  try {
    const shown = server.uri(join(sampleWorkspace, firstFile));
    const url = server.workbenchUrl(sampleWorkspace, [['openFile', shown]]);
    console.log(`\nOpen ${url}\n`);
    print('Move the mouse over any address or hash. Ctrl+C ends everything.');
    if (open && hasDisplay()) await openInBrowser(url).catch(error => print(error.message));
    await Promise.race([server.ended.then(() => ended('The VS Code server')), chainEnded(running)]);
  } finally {
    await server.stop();
  }
}

async function pack(): Promise<string> {
  print('Packing HexLens…');
  await runQuietly(projectNode(), [join(root, packageProgram)], { cwd: root });
  return packedExtension;
}

function hasDisplay(): boolean {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

async function openInBrowser(url: string): Promise<void> {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  try {
    await runQuietly(opener, [url]);
  } catch {
    // Without a default browser Chromium is used, which is installed first when running as root on Debian.
    const chromium = await ensureChromium({ progress: print, hasWindow: true });
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    spawn(chromium, [...sandbox, '--no-first-run', url], { stdio: 'ignore', detached: true }).unref();
  }
}

async function chainEnded(running: RunningChain): Promise<void> {
  await running.ended;
  ended('The test chain');
}

function ended(what: string): never {
  throw new Error(`${what} exited unexpectedly. Run npm start again.`);
}

function print(line: string): void {
  console.log(`[hexlens] ${line}`);
}

await asProgram(import.meta.url, main);
