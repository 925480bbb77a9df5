// `node test/installTools.ts postgres|editor`: installs what tests need beside npm's packages, one after another, before they start:
// side by side they would find it half installed.
import { canInstall } from './apt.ts';
import { ensureChromium } from './editor/chromium.ts';
import { ensureVSCodeServer } from './editor/installCodeServer.ts';
import { ensurePgbouncer, ensurePostgres } from './support/postgresServer.ts';

const progress = (line: string) => console.log(line);
if (process.argv[2] === 'postgres') {
  await ensurePostgres();
  await ensurePgbouncer();
} else {
  if (canInstall()) await ensureChromium({ progress });
  if (process.platform !== 'win32') await ensureVSCodeServer({ progress });
}
