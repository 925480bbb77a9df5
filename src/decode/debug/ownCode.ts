// What code of known contracts reads that is not the same in another build of it: the gas that is left, and its own code.
import { type LocalizableText, localizable } from '../../base/localize.ts';
import type { FindProgram } from '../source/traceStack.ts';
import { CALL_KINDS, type Trace } from '../trace/trace.ts';

const GAS = 0x5a;
const CODESIZE = 0x38;
const CODECOPY = 0x39;

/** Why values of a run cannot be those of another build, as the end of a sentence; `null` where nothing speaks against it. */
export function findDependence({ steps, frames }: Trace, findProgram: FindProgram): LocalizableText | null {
  const programs = frames.map(findProgram);
  for (let step = 0; step < steps.length; step++) {
    const op = steps.op[step] as number;
    if (op !== GAS && op !== CODESIZE && op !== CODECOPY) continue;
    const program = programs[steps.frame[step] as number] ?? null;
    if (program === null) continue;
    if (op === GAS) {
      // What is left is given to a call as a whole, or read.
      if (CALL_KINDS[steps.op[step + 1] as number] === undefined)
        return localizable('it reads the gas that is left, which depends on the build');
      continue;
    }
    const site = program.siteAt(steps.pc[step] as number);
    if (site !== null && /^code(?:size|copy)\b/.test(site.source.text(site.start, site.end)))
      return localizable('it reads its own code');
  }
  return null;
}
