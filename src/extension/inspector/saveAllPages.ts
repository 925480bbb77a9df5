// Saves all pages of a list: writes them to a temporary file, which is renamed after the last page.
import { open, rename, rm } from 'node:fs/promises';
import { l10n, type Uri } from 'vscode';
import { HexLensError } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { withCancelButton } from '../prompts/showMessage.ts';
import type { ExportPage } from './inspectorPorts.ts';
import type { ExportWriter } from './tableExport.ts';

export interface SavedPages {
  readonly rowCount: number;
  /** Some rows were read from an incomplete index. */
  readonly isIncomplete: boolean;
}

/** Resolves with `null`, without a file, when the user cancels. */
export async function saveAllPages(
  target: Uri,
  writer: ExportWriter,
  fetchPages: (signal: AbortSignal) => AsyncIterable<ExportPage>,
): Promise<SavedPages | null> {
  if (target.scheme !== 'file')
    throw new HexLensError('bad-input', l10n.t('All pages can only be saved to a folder of this machine.'));
  const title = l10n.t('Exporting all pages');
  return withCancelButton(title, async (signal, progress) => {
    const partPath = `${target.fsPath}.part`;
    let rowCount = 0;
    let isIncomplete = false;
    try {
      const file = await open(partPath, 'w');
      try {
        for await (const { table, total, ...page } of fetchPages(signal)) {
          signal.throwIfAborted();
          await file.appendFile(writer.formatPage(table), 'utf8');
          rowCount += table.rows.length;
          isIncomplete ||= page.isIncomplete;
          const rows = formatInteger(rowCount);
          progress.report({
            message:
              total === null
                ? l10n.t('{rows} rows', { rows })
                : l10n.t('{rows} of {total} rows', { rows, total: formatInteger(total) }),
            ...(total !== null && total > 0 && { increment: (100 * table.rows.length) / total }),
          });
        }
        await file.appendFile(writer.formatEnd(), 'utf8');
      } finally {
        await file.close();
      }
      signal.throwIfAborted();
      await rename(partPath, target.fsPath);
      return { rowCount, isIncomplete };
    } catch (error) {
      await rm(partPath, { force: true });
      if (signal.aborted) return null;
      throw error;
    }
  });
}
