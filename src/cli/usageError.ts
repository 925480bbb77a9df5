// What a wrong use of the command line is: one sentence that names the flag, variable or field, and the fix.
import { HexLensError } from '../base/errors.ts';

export function createUsageError(message: string, fix = 'Run hexlens --help to see how it is used.'): HexLensError {
  return new HexLensError('bad-input', message, { fix });
}
