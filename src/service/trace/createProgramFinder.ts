// The source of each frame of a trace, by the builds that the caller has.
import type { MatchedCode } from '../../api/transactionStack.ts';
import { ContractProgram } from '../../decode/source/contractProgram.ts';
import type { FindProgram } from '../../decode/source/traceStack.ts';
import { hashCode } from './hashCode.ts';

/** `programs`: those of earlier traces with the same builds, to which new ones are added. */
export function createProgramFinder(
  builds: readonly MatchedCode[],
  programs = new Map<string, ContractProgram>(),
): FindProgram {
  return ({ code, isCreation }) => {
    if (code.length === 0) return null;
    const hash = hashCode(code);
    const key = `${hash} ${isCreation}`;
    const matched = builds.find(each => each.hash === hash && each.isCreation === isCreation);
    const program =
      programs.get(key) ?? (matched === undefined ? null : new ContractProgram(matched.build, code, isCreation));
    if (program !== null) programs.set(key, program);
    return program;
  };
}
