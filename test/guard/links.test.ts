// Links of the documents lead to files and headings that exist; links to other hosts are listed here.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findFiles } from '../../scripts/findFiles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = findFiles(['*.md', 'docs/**/*.md', 'src/README.md']);
/** Hosts that documents may link to: a test without a network cannot tell whether a page exists. */
const KNOWN_HOSTS: readonly string[] = [];

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

const getLinks = (path: string): readonly string[] =>
  [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|href|srcset)="([^"]+)"/g)].map(
    ([, markdown, html]) => markdown ?? html ?? '',
  );

/** Anchors as GitHub makes them of headings. */
const getAnchors = (path: string): ReadonlySet<string> =>
  new Set(
    [...read(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );

function isBroken(path: string, link: string): boolean {
  if (/^[a-z][a-z+.-]*:/i.test(link)) return !KNOWN_HOSTS.includes(URL.parse(link)?.host ?? '');
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !getAnchors(target).has(anchor);
}

test.each(documents)('the links of %s lead to something', path => {
  expect(getLinks(path).filter(link => isBroken(path, link))).toEqual([]);
});

test('finds broken links', () => {
  expect(getLinks('README.md').length).toBeGreaterThan(5);
  for (const link of ['missing.md', 'README.md#missing', '#missing', 'https://missing.example/', 'docs/missing.png'])
    expect([link, isBroken('README.md', link)]).toEqual([link, true]);
});

test('package.json names one repository', () => {
  const { homepage, repository, bugs, qna } = JSON.parse(read('package.json')) as {
    readonly homepage: string;
    readonly repository: { readonly url: string };
    readonly bugs: { readonly url: string };
    readonly qna: string;
  };
  const url = repository.url.replace(/\.git$/, '');
  expect([homepage, bugs.url, qna]).toEqual([`${url}#readme`, `${url}/issues`, `${url}/discussions`]);
});
