// Saving all pages of a list: the file is there when all of it is, and never in part.
import * as assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ExportPage } from '../../../src/extension/inspector/inspectorPorts.ts';
import { saveAllPages } from '../../../src/extension/inspector/saveAllPages.ts';

describe('saving all pages', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hexlens-pages-'));
  });
  after(() => rm(folder, { recursive: true }));

  const writer = {
    formatPage: ({ rows }: { readonly rows: readonly unknown[] }) => `${rows.length} `,
    formatEnd: () => 'end',
  };
  const page = (rows: number, isIncomplete = false) =>
    ({
      table: { name: 'rows', columns: [], rows: Array.from({ length: rows }, () => []) },
      total: null,
      isIncomplete,
    }) as unknown as ExportPage;
  const save = (name: string, pages: () => AsyncIterable<ExportPage>) =>
    saveAllPages(vscode.Uri.file(join(folder, name)), writer as never, pages);

  it('writes them one after another, and says whether the list was incomplete', async () => {
    const saved = await save('all.txt', async function* () {
      yield page(3);
      assert.deepEqual(await readdir(folder), ['all.txt.part']);
      yield page(2, true);
      yield page(0);
    });
    assert.deepEqual(saved, { rowCount: 5, isIncomplete: true });
    assert.equal(await readFile(join(folder, 'all.txt'), 'utf8'), '3 2 0 end');
    assert.deepEqual(await readdir(folder), ['all.txt']);
  });

  it('leaves the file that was there, and no other, when a page fails', async () => {
    const failing = save('all.txt', async function* () {
      yield page(1);
      throw new Error('The node is down.');
    });
    await assert.rejects(failing, /The node is down/);
    assert.deepEqual(await readdir(folder), ['all.txt']);
    assert.equal(await readFile(join(folder, 'all.txt'), 'utf8'), '3 2 0 end');
  });
});
