// Sources of a session in the editor: files of the workspace, and read-only documents with the text of the build.

import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugPlace, DebugSource } from '../../api/debugSession.ts';
import { t } from '../../base/localize.ts';
import { isLibrarySource } from '../../decode/source/isLibrarySource.ts';

/** Lines and columns as the client counts them. */
export interface PositionFormat {
  toLine(line: number): number;
  toColumn(column: number): number;
}

export class DebugSources {
  readonly #sources: readonly DebugSource[];
  readonly #files: { toPath(source: DebugSource): string | null };
  readonly #format: PositionFormat;

  constructor(
    sources: readonly DebugSource[],
    files: { toPath(source: DebugSource): string | null },
    format: PositionFormat,
  ) {
    this.#sources = sources;
    this.#files = files;
    this.#format = format;
  }

  /** `null`: no code of the transaction is of it, or it was edited since the build. */
  find({ path, sourceReference }: DebugProtocol.Source): number | null {
    if (sourceReference !== undefined && sourceReference > 0) return this.#sources[sourceReference - 1]?.id ?? null;
    const isFile = (source: DebugSource) => !source.isChanged && this.#files.toPath(source) === path;
    return (path === undefined ? undefined : this.#sources.find(isFile))?.id ?? null;
  }

  /** The file where it has the text of the build; else a document with that text. */
  toSource(id: number): DebugProtocol.Source {
    const source = this.#sources[id] as DebugSource;
    const name = source.path.split('/').at(-1) ?? source.path;
    const path = source.isChanged ? null : this.#files.toPath(source);
    const hint = isLibrarySource(source.path) ? { presentationHint: 'deemphasize' as const } : {};
    if (path !== null) return { name, path, ...hint };
    const origin = source.isChanged ? t('as it was built; the file was edited since') : t('as it was built');
    return { name, path: source.path, sourceReference: id + 1, origin, ...hint };
  }

  toBreakpoint(id: number, place: DebugPlace | null): DebugProtocol.Breakpoint {
    if (place === null)
      return {
        id,
        verified: false,
        message: t('No code of this transaction is of this text: the file is not used, or was edited since the build.'),
      };
    const { line, column } = this.toRange(place);
    return { id, verified: true, source: this.toSource(place.source), line, column };
  }

  toRange({ start, end }: DebugPlace) {
    return {
      line: this.#format.toLine(start.line),
      column: this.#format.toColumn(start.character),
      endLine: this.#format.toLine(end.line),
      endColumn: this.#format.toColumn(end.character),
    };
  }
}
