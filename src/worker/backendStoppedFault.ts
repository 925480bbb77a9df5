// The fault of calls that a stopped backend can no longer answer.
import { HexLensError } from '../base/errors.ts';
import { localizable } from '../base/localize.ts';

export function createBackendStoppedFault(): HexLensError {
  return new HexLensError('backend-stopped', localizable('The HexLens service was stopped.'), {
    fix: localizable('Try again: it is restarted when it is needed.'),
  });
}
