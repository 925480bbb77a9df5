// Saves all pages of a list: written page by page beside the file, which takes its name when the last one is there.
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { l10n, ProgressLocation, type Uri, window } from 'vscode';
import { HexLensError } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { createExportWriter } from './exportedTable.ts';
import type { ExportPage } from './fetchAllPages.ts';

async function write(file: FileHandle, text: string): Promise<void> {
  await file.appendFile(text, 'utf8');
}

export interface SavedPages {
  readonly rows: number;
  /** Some came from an index that was not complete. */
  readonly growing: boolean;
}

/** `null` when the user cancelled it, and then there is no file. */
export async function saveAllPages(
  target: Uri,
  format: 'csv' | 'json',
  pages: (signal: AbortSignal) => AsyncIterable<ExportPage>,
): Promise<SavedPages | null> {
  if (target.scheme !== 'file')
    throw new HexLensError('bad-input', 'All pages can only be written to a folder of this machine.');
  const title = l10n.t('Exporting all pages');
  const options = { location: ProgressLocation.Notification, cancellable: true, title };
  return window.withProgress(options, async (progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    const part = `${target.fsPath}.part`;
    const writer = createExportWriter(format);
    let rows = 0;
    let growing = false;
    try {
      const file = await open(part, 'w');
      try {
        for await (const { table, total, ...page } of pages(controller.signal)) {
          controller.signal.throwIfAborted();
          await write(file, writer.formatPage(table));
          rows += table.rows.length;
          growing ||= page.growing;
          progress.report({
            message:
              total === null
                ? l10n.t('{rows} rows', { rows: formatInteger(rows) })
                : l10n.t('{rows} of {total} rows', { rows: formatInteger(rows), total: formatInteger(total) }),
            ...(total !== null && total > 0 && { increment: (100 * table.rows.length) / total }),
          });
        }
        await write(file, writer.formatEnd());
      } finally {
        await file.close();
      }
      controller.signal.throwIfAborted();
      await rename(part, target.fsPath);
      return { rows, growing };
    } catch (error) {
      await rm(part, { force: true });
      if (controller.signal.aborted) return null;
      throw error;
    }
  });
}
