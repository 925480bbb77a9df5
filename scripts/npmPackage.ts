// `npm run package:npm`: the folder out/npm with the command line and the typed client, ready for `npm pack` or `npm publish`.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { MIN_NODE_VERSION } from '../src/cli/nodeVersion.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'out/npm');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const write = (file: string, text: string) => {
  mkdirSync(dirname(join(out, file)), { recursive: true });
  writeFileSync(join(out, file), text);
};

rmSync(out, { recursive: true, force: true });

/** The bundles that the command line needs: it requires them, or starts them as a thread, by their names. */
const bundles = new Set(['cli.js']);
const available = readdirSync(join(root, 'dist')).filter(name => name.endsWith('.js'));
for (const bundle of bundles) {
  const text = read(`dist/${bundle}`);
  for (const name of available)
    if (text.includes(`"./${name}"`) || text.includes(`\`${name.replace('.js', '')}\${`)) bundles.add(name);
  write(`dist/${bundle}`, text);
}

await build({
  entryPoints: [join(root, 'src/client/npmEntry.ts')],
  outfile: join(out, 'dist/index.js'),
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
});

/** The declarations that the entry of the client reaches, as `tsc -b` wrote them. */
const types = join(root, 'out/types');
const declarations = new Set([join(types, 'client/npmEntry.d.ts')]);
for (const file of declarations) {
  // Not in comments, whose examples import files of the source.
  const text = readFileSync(file, 'utf8').replace(
    /(?<!^ *\*.*)(from |import\()'(\.[^']+)\.ts'/gm,
    (_match, start, path) => {
      declarations.add(resolve(dirname(file), `${path}.d.ts`));
      return `${start}'${path}.js'`;
    },
  );
  write(join('types', relative(types, file)), text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
}

const { version, license, homepage, repository, bugs } = JSON.parse(read('package.json'));
const manifest = {
  name: 'hexlens',
  version,
  description:
    'Blockchain data and sign-in verification from your own node: HTTP service, command line and typed client.',
  keywords: ['ethereum', 'evm', 'aptos', 'siwe', 'nft', 'indexer', 'mcp'],
  license,
  homepage,
  repository,
  bugs,
  engines: { node: `>=${MIN_NODE_VERSION}` },
  bin: { hexlens: 'dist/cli.js' },
  exports: {
    '.': { types: './types/client/npmEntry.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  },
};
write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
write(
  'README.md',
  `# HexLens

Blockchain data and sign-in verification from your own node, over HTTP, on the command line and in programs.

\`\`\`sh
npx hexlens serve --node local=http://127.0.0.1:8545
npx hexlens call block --block 1
npx hexlens --help
\`\`\`

\`\`\`ts
import { createClient } from 'hexlens';

const client = createClient({ url: 'http://127.0.0.1:8547', apiKey: 'K' });
console.log((await client.block({ block: 1, chain: 'local' })).hash);
\`\`\`

It needs Node ${MIN_NODE_VERSION} or newer, for the SQLite of Node; that is the oldest version that is tested.

A running service has the reference at \`/docs\`. The VS Code extension and the source: ${homepage}
`,
);
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
copyFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), join(out, 'THIRD-PARTY-NOTICES.txt'));
