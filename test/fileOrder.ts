// The order in which vitest starts the files of tests: those of one environment together, and long ones first.
import { readFileSync, statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Rooms whose tests start nodes, databases and processes are before those whose tests only compute. */
const ROOMS = ['service', 'store', 'server', 'conformance', 'guard', 'api', 'unit'];

interface Place {
  readonly environment: string;
  readonly room: number;
  readonly bytes: number;
}

function findPlace({ moduleId }: TestSpecification): Place {
  const room = /\/test\/(\w+)\//.exec(moduleId)?.[1] ?? '';
  return {
    environment: /@vitest-environment (\S+)/.exec(readFileSync(moduleId, 'utf8'))?.[1] ?? '',
    room: ROOMS.indexOf(room),
    bytes: statSync(moduleId).size,
  };
}

/**
 * A worker ends, with the modules, chains and bundles that its files share, when the next file needs another environment.
 * The last files are short, so that both workers end at about the same time. The order is the same in every run.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(files.map(file => [file, findPlace(file)]));
    const placeOf = (file: TestSpecification) => places.get(file) ?? findPlace(file);
    return [...files].sort((first, second) => {
      const [a, b] = [placeOf(first), placeOf(second)];
      return b.environment.localeCompare(a.environment) || a.room - b.room || b.bytes - a.bytes;
    });
  }
}
