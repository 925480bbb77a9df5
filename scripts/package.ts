// `npm run package`: builds the .vsix, and fails if vsce prints a warning. The release sets GITHUB_REPOSITORY and HEXLENS_TAG:
// pictures and links of its README then lead to that repository at that tag. Other packages name no repository, and have none.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const staged = join(root, 'out/package');
const { GITHUB_REPOSITORY: repository = '', HEXLENS_TAG: tag = '' } = process.env;
const isRelease = repository !== '' && tag !== '';
const url = `https://github.com/${repository}`;
/** What a user downloads. */
const MAX_BYTES = 6_000_000;

function run(folder: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}
const vsce = (folder: string, ...args: readonly string[]): string =>
  run(folder, [join(root, 'node_modules/@vscode/vsce/vsce'), ...args]);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Without pictures, and with links to nothing but other hosts: there is no address for what is not in the package. */
const withoutRepository = (readme: string): string =>
  readme
    .replace(/^(?:!\[[^\]\n]*\]\([^)\n]*\)|<picture>.*<\/picture>)\n+/gm, '')
    .replace(/\[([^\]\n]+)\]\((?!https:)[^)\n]*\)/g, '$1');

/** vsce gives addresses to links and pictures, but not to the light ones. */
const withPictures = (readme: string): string => readme.replace(/srcset="(?!https:)/g, `srcset="${url}/raw/${tag}/`);

function toManifest(): object {
  const {
    scripts: _,
    devDependencies: __,
    homepage,
    repository: source,
    bugs,
    qna,
    ...manifest
  } = JSON.parse(read('package.json'));
  if (!isRelease) return manifest;
  return {
    ...manifest,
    homepage: `${url}#readme`,
    repository: { ...source, url: `${url}.git` },
    bugs: { url: `${url}/issues` },
    qna: `${url}/discussions`,
  };
}

run(root, ['esbuild.mjs']);
rmSync(staged, { recursive: true, force: true });
for (const file of vsce(root, 'ls', '--no-dependencies').split('\n').filter(Boolean)) {
  mkdirSync(dirname(join(staged, file)), { recursive: true });
  cpSync(join(root, file), join(staged, file));
}
writeFileSync(join(staged, 'package.json'), JSON.stringify(toManifest(), null, 2));
for (const page of ['README.md', 'CHANGELOG.md'])
  writeFileSync(join(staged, page), isRelease ? withPictures(read(page)) : withoutRepository(read(page)));
// What is there is what is packed; vsce warns when nothing says so.
writeFileSync(join(staged, '.vscodeignore'), '');

const file = join(root, 'out/hexlens.vsix');
const addresses = isRelease
  ? ['--baseImagesUrl', `${url}/raw/${tag}`, '--baseContentUrl', `${url}/blob/${tag}`]
  : ['--allow-missing-repository'];
const output = vsce(staged, 'package', '--no-dependencies', ...addresses, '--out', file);
process.stdout.write(output);
const size = statSync(file).size;
if (size > MAX_BYTES)
  throw new Error(`out/hexlens.vsix has ${size} bytes, more than the ${MAX_BYTES} that it may have.`);
if (/warning/i.test(output)) {
  console.error('vsce printed a warning (see above): fix it, packages are published without warnings.');
  process.exitCode = 1;
}
