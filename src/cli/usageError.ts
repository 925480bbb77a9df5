// Errors of wrong use: a sentence that names the flag, variable or field, and how to correct it.
import { HexLensError } from '../base/errors.ts';

export function createUsageError(message: string, fix = 'Run hexlens --help to see how it is used.'): HexLensError {
  return new HexLensError('bad-input', message, { fix });
}
