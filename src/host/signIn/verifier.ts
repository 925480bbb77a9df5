// Asks a backend of its own for one verification: in the shared one the check would use up the message's nonce.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { createClient } from '../../client/client.ts';
import { createBackendLink } from '../../client/port.ts';
import type { Identity } from '../../view/signIn/result.ts';
import type { Keys } from '../keys/keys.ts';
import type { SettingsSource } from '../settings/settings.ts';

export interface VerifierDeps {
  readonly extensionPath: string;
  readonly settings: SettingsSource;
  readonly keys: Keys;
  readonly log: Log;
}

/** Resolves with the identity, embedded or from the remote host of the settings; rejects with a HexLensError. */
export type Verify = (message: string, signature: string, signal: AbortSignal) => Promise<Identity>;

export function createVerifier({ extensionPath, settings, keys, log }: VerifierDeps): Verify {
  const file = join(extensionPath, 'dist', 'worker.js');
  return async (message, signature, signal) => {
    const link = createBackendLink({
      start: () => new Worker(file, { name: 'hexlens-sign-in' }),
      clock: systemClock,
      log,
    });
    try {
      const configuration = settings.configuration();
      // Looking at a message is no sign-in: it may be looked at again.
      const auth = { ...configuration.auth, singleUse: false };
      link.configure({ ...configuration, auth, keys: await keys.all() });
      return await createClient(link.transport).verifySignIn({ message, signature }, { signal });
    } finally {
      void link.stop();
    }
  };
}
