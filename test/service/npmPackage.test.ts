// The npm package as a user gets it: packed, installed from the tarball in an empty folder, without network, and used.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { BUILT_VARIABLE } from '../testFolders.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = createTemporaryFolder('hexlens-npm-');
const run = (command: string, args: readonly string[], cwd = folder) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const runNode = (...args: readonly string[]) => run(process.execPath, args);
const cli = join(folder, 'node_modules/hexlens/dist/cli.js');
/** What the compiler reports of the program. */
function compile(): string {
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd: folder });
  return String(stdout);
}
let anvil: Anvil;
let files: readonly string[] = [];

beforeAll(async () => {
  if (process.env[BUILT_VARIABLE] === undefined) run(process.execPath, ['esbuild.mjs'], root);
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', 'src/client'], root);
  run(process.execPath, ['scripts/npmPackage.ts'], root);
  const packed = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder, join(root, 'out/npm')]));
  files = packed[0].files.map(({ path }: { path: string }) => path);
  writeFileSync(join(folder, 'package.json'), '{"name":"user","version":"1.0.0","private":true,"type":"module"}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed[0].filename]);
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

it('has what is used, no dependencies and no install scripts', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/hexlens/package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'hexlens', version, bin: { hexlens: 'dist/cli.js' } });
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['scripts']));
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['dependencies']));
  expect(readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))).toEqual(['hexlens']);
  expect(
    files.filter(
      file =>
        !/^(dist\/\w+\.js|types\/[\w/]+\.d\.ts|package\.json|README\.md|LICENSE|THIRD-PARTY-NOTICES\.txt)$/.test(file),
    ),
  ).toEqual([]);
  for (const thread of ['sqliteWorkerThread', 'signatureThread']) expect(files).toContain(`dist/${thread}.js`); // loaded by their paths
  expect(files.length).toBeLessThan(50);
  expect(files.filter(file => /extension|webview|hovers/.test(file))).toEqual([]);
});

it('has the text of the license of every bundled package', () => {
  const notices = readFileSync(join(folder, 'node_modules/hexlens/THIRD-PARTY-NOTICES.txt'), 'utf8');
  const sections = notices.split(`\n${'-'.repeat(80)}\n\n`);
  const sectionOf = (name: string) => sections.find(section => section.startsWith(`${name} `)) ?? '';
  for (const name of ['pg', 'pg-types', 'pgpass'])
    expect(sectionOf(name), name).toMatch(/permission is hereby granted/i);
  expect(sectionOf('@vscode/codicons')).toMatch(
    /Microsoft Corporation.*CC BY 4\.0[\s\S]*Attribution 4\.0 International/,
  );
});

it('runs on the command line', () => {
  expect(run(join(folder, 'node_modules/.bin/hexlens'), ['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
  const block = JSON.parse(runNode(cli, 'call', 'block', '--block', '0', '--node', `local=${anvil.url}`));
  expect(block.number).toBe(0);
});

it('serves, and its typed client reads from the service', async () => {
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--port', '0', '--data', join(folder, 'data'), '--node', `local=${anvil.url}`],
    { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url, key } = JSON.parse(String(line));
    writeFileSync(
      join(folder, 'program.ts'),
      `import { createClient, HexLensError } from 'hexlens';
       const client = createClient({ url: ${JSON.stringify(url)}, apiKey: ${JSON.stringify(key)} });
       const block = await client.block({ block: 0, chain: 'local' });
       const hash: string | null = block.hash;
       let owners = 0;
       for await (const page of client.pages('nftTransfers', { chain: 'local', fromBlock: 0 })) owners += page.result.length;
       const refused = await client.block({ block: 99, chain: 'local' }).catch((error: unknown) => error);
       console.log(JSON.stringify([hash, owners, refused instanceof HexLensError && refused.code]));
       await client.close();
       // @ts-expect-error: the parameter is required.
       void (() => client.block({ chain: 'local' }));`,
    );
    const options = { strict: true, module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'], types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
    expect(compile()).toBe('');
    const genesis = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    expect(JSON.parse(runNode('program.js'))).toEqual([genesis.hash, 0, 'not-found']);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
});
