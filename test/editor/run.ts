// `npm run test:editor`: runs the Mocha suites in a real VS Code through @vscode/test-electron.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath, runTests } from '@vscode/test-electron';
import { writeSampleWorkspace } from '../support/chain/sampleWorkspace.ts';
import { bundleSuite } from './bundleSuite.ts';
import { ensureChromium } from './chromium.ts';
import { projectNode } from './editorServer.ts';
import { EDITOR_VARIABLE, ensureVSCodeServer } from './installCodeServer.ts';
import { codeShim, results, root } from './paths.ts';
import { asProgram, onTermination, runQuietly } from './processes.ts';
import { quietSettings } from './quietSettings.ts';
import type { SuiteSummary } from './suite/index.ts';
import { type RunningChain, startTestChain } from './testChainProcess.ts';

const usage = `node test/editor/run.ts [--desktop | --floor] [--vsix FILE] [--extension FOLDER] [--workspace FOLDER] [--grep TEXT]
  --desktop    downloads desktop VS Code (VSCODE_VERSION, default stable) in place of the npm-hosted one
  --floor      runs in the oldest supported VS Code and Node (engines in package.json) in place of the newest
  --vsix       installs FILE and tests the installed extension
  --extension  tests the extension in FOLDER (default: this repository)
  --workspace  folder that is opened, without a chain (default: the sample workspace of a test chain)
  --grep       runs only tests whose title contains TEXT`;

interface Run {
  readonly executable: string;
  /** Folder of the extension that VS Code loads in development mode. */
  readonly extension: string;
  readonly workspace: string;
  /** File with the TestChain as JSON, for the suites that need one. */
  readonly chain: string | undefined;
  readonly extensionsFolder: string;
  readonly userData: string;
  readonly report: string;
  readonly grep: string | undefined;
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      desktop: { type: 'boolean', default: false },
      floor: { type: 'boolean', default: false },
      vsix: { type: 'string' },
      extension: { type: 'string', default: root },
      workspace: { type: 'string' },
      grep: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return true;
  }
  if (values.vsix !== undefined && !existsSync(values.vsix)) {
    throw new Error(`${values.vsix} does not exist. Make it first: npm run package.`);
  }
  if (values.floor) process.env[EDITOR_VARIABLE] = 'floor';
  const executable = values.desktop ? await desktopVSCode() : await npmHostedVSCode();
  // Short, because VS Code creates a socket in its data folder, whose path is limited to about 100 characters.
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-run-'));
  const startingChain = values.workspace === undefined ? startTestChain() : Promise.resolve(undefined);
  startingChain.catch(() => {}); // reported where it is awaited
  const cleanUp = async () => {
    const testChain = await startingChain.catch(() => undefined);
    await testChain?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  onTermination(cleanUp);
  try {
    const run: Run = {
      executable,
      extension: values.vsix === undefined ? resolve(values.extension) : await emptyExtension(folder),
      workspace: resolve(values.workspace ?? join(folder, 'workspace')),
      chain: values.workspace === undefined ? join(folder, 'chain.json') : undefined,
      extensionsFolder: join(folder, 'extensions'),
      userData: join(folder, 'user'),
      report: join(results, reportName(values)),
      grep: values.grep,
    };
    for (const needed of [run.extensionsFolder, join(run.userData, 'User'), results]) {
      await mkdir(needed, { recursive: true });
    }
    await writeFile(join(run.userData, 'User', 'settings.json'), JSON.stringify(quietSettings));
    const installing = values.vsix === undefined ? undefined : install(resolve(values.vsix), run, values.desktop);
    const [testChain, suite] = await Promise.all([startingChain, bundleSuite(), installing]);
    if (testChain !== undefined) {
      await writeSampleWorkspace(run.workspace, testChain.chain, { nodeUrl: testChain.chain.url });
      await writeFile(join(folder, 'chain.json'), JSON.stringify(testChain.chain));
    }
    return await Promise.race([test(suite, run), chainLost(testChain)]);
  } finally {
    await cleanUp();
  }
}

/** Rejects when the chain exits during the tests, because all hovers would fail without a reason. */
async function chainLost(testChain: RunningChain | undefined): Promise<never> {
  if (testChain === undefined) return new Promise(() => {});
  await testChain.ended;
  throw new Error('The test chain ended while the tests ran.');
}

async function npmHostedVSCode(): Promise<string> {
  const progress = (line: string) => console.log(line);
  await ensureVSCodeServer({ progress });
  await ensureChromium({ progress });
  return codeShim;
}

async function desktopVSCode(): Promise<string> {
  const version = process.env['VSCODE_VERSION'] ?? 'stable';
  try {
    return await downloadAndUnzipVSCode({ version, cachePath: join(root, '.vscode-test') });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Desktop VS Code (${version}) could not be downloaded: ${why}. Without a connection to its download site, use the npm-hosted one: npm run test:editor.`,
    );
  }
}

function reportName(options: { readonly desktop: boolean; readonly floor: boolean; readonly vsix?: string }): string {
  const { desktop, floor, vsix } = options;
  return `editor-suite${desktop ? '-desktop' : ''}${floor ? '-floor' : ''}${vsix === undefined ? '' : '-vsix'}.json`;
}

/** VS Code needs an extension in development to run tests; for an installed extension under test this is an empty one. */
async function emptyExtension(folder: string): Promise<string> {
  const extension = join(folder, 'nothing');
  const manifest = { name: 'nothing', publisher: 'hexlens-test', version: '0.0.0', engines: { vscode: '*' } };
  await mkdir(extension);
  await writeFile(join(extension, 'package.json'), JSON.stringify(manifest));
  return extension;
}

async function install(vsix: string, run: Run, desktop: boolean): Promise<void> {
  const [cli = run.executable, ...args] = desktop
    ? resolveCliArgsFromVSCodeExecutablePath(run.executable, { reuseMachineInstall: true })
    : [];
  const places = ['--extensions-dir', run.extensionsFolder, '--user-data-dir', run.userData];
  await runQuietly(cli, [...args, ...places, '--install-extension', vsix, '--force']);
  console.log(`Installed ${vsix}`);
}

async function test(suite: string, run: Run): Promise<boolean> {
  await rm(run.report, { force: true });
  const started = performance.now();
  const exitCode = await runTests({
    vscodeExecutablePath: run.executable,
    extensionDevelopmentPath: run.extension,
    extensionTestsPath: suite,
    extensionTestsEnv: {
      HEXLENS_HOST_REPORT: run.report,
      HEXLENS_HOST_GREP: run.grep,
      HEXLENS_TEST_CHAIN: run.chain,
      HEXLENS_TEST_NODE: projectNode(),
      HEXLENS_TEST_ROOT: root,
      HEXLENS_TEST_TIME_FACTOR: process.env['HEXLENS_TEST_TIME_FACTOR'],
    },
    launchArgs: [run.workspace, `--extensions-dir=${run.extensionsFolder}`, `--user-data-dir=${run.userData}`],
  }).catch((error: unknown) => {
    // Failures of tests are in the report and already printed.
    if (existsSync(run.report)) return 1;
    throw error;
  });
  if (!existsSync(run.report)) throw new Error('VS Code ended without running the tests; see its output above.');
  const summary = JSON.parse(await readFile(run.report, 'utf8')) as SuiteSummary;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const skipped = summary.pending === 0 ? '' : `, ${summary.pending} skipped`;
  console.log(`${summary.passes} passed, ${summary.failures} failed${skipped} in ${seconds} s`);
  return exitCode === 0 && summary.failures === 0;
}

await asProgram(import.meta.url, async () => {
  if (!(await main())) process.exitCode = 1;
});
