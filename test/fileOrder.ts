// The order in which vitest starts the files of tests: those of one environment together, and long ones first.
import { readFileSync, statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_FOLDERS } from './testFolders.ts';

interface Rank {
  readonly environment: string;
  readonly folder: number;
  readonly bytes: number;
}

function getRank({ moduleId }: TestSpecification): Rank {
  const folder = /\/test\/(\w+)\//.exec(moduleId)?.[1] ?? '';
  return {
    environment: /@vitest-environment (\S+)/.exec(readFileSync(moduleId, 'utf8'))?.[1] ?? '',
    folder: TEST_FOLDERS.indexOf(folder),
    bytes: statSync(moduleId).size,
  };
}

/**
 * A worker ends, with the modules, chains and bundles that its files share, when the next file needs another environment.
 * The last files are short, so that both workers end at about the same time. The order is the same in every run.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map(file => [file, getRank(file)]));
    return [...files].sort((first, second) => {
      const [a, b] = [ranks.get(first) ?? getRank(first), ranks.get(second) ?? getRank(second)];
      return b.environment.localeCompare(a.environment) || a.folder - b.folder || b.bytes - a.bytes;
    });
  }
}
