// `npm run audit:bundles`, after `npm run build`: advisories about the packages that are in the bundles, by `npm audit`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Name -> version. */
export type BundledPackages = ReadonlyMap<string, string>;

interface Advisory {
  readonly title?: string;
  readonly url?: string;
}

/** What `npm audit --json` prints, as far as it is read. */
export interface AuditReport {
  readonly vulnerabilities?: Readonly<
    Record<
      string,
      { readonly severity?: string; readonly via?: readonly (Advisory | string)[]; readonly nodes?: readonly string[] }
    >
  >;
}

/** The packages of `dist/THIRD-PARTY-NOTICES.txt`, which the build writes. Throws when there are none: nothing would be checked. */
export function parseNotices(text: string): BundledPackages {
  const heads = text.split(`\n${'-'.repeat(80)}\n\n`).map(notice => /^(\S+) (\d\S*) \(/.exec(notice));
  const packages = heads.flatMap(match => (match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const]));
  if (packages.length === 0) throw new Error('The notices name no package.');
  return new Map(packages);
}

/** One line for each advisory about a bundled version; `getVersion` returns that of a folder of node_modules. */
export function findBundledAdvisories(
  { vulnerabilities = {} }: AuditReport,
  bundled: BundledPackages,
  getVersion: (folder: string) => string | null,
): readonly string[] {
  return Object.entries(vulnerabilities).flatMap(([name, { severity = 'unknown', via = [], nodes = [] }]) => {
    const version = bundled.get(name);
    if (version === undefined || !nodes.some(folder => getVersion(folder) === version)) return [];
    // A text names the package whose advisory it is.
    return via
      .filter(advisory => typeof advisory !== 'string')
      .map(({ title = 'no title', url = '' }) => `${name} ${version} (${severity}): ${title} ${url}`.trim());
  });
}

function readVersion(folder: string): string | null {
  const file = join(root, folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null;
}

function readReport(): AuditReport | null {
  const { stdout } = spawnSync('npm', ['audit', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    const report = JSON.parse(stdout) as AuditReport;
    return report.vulnerabilities === undefined ? null : report;
  } catch {
    return null;
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bundled = parseNotices(readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8'));
  const report = readReport();
  if (report === null) {
    console.error('Not checked: the registry has returned no advisories. Is there a network?');
    process.exitCode = process.argv.includes('--required') ? 1 : 0;
  } else {
    const found = findBundledAdvisories(report, bundled, readVersion);
    for (const line of found) console.error(line);
    console.log(`${bundled.size} bundled packages checked, ${found.length} advisories.`);
    process.exitCode = found.length === 0 ? 0 : 1;
  }
}
