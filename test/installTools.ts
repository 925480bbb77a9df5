// Installs what tests need beside npm's packages, one after another: steps that run side by side would find it half installed.
import { canInstall } from './apt.ts';
import { ensureChromium } from './editor/chromium.ts';
import { ensureVSCodeServer } from './editor/installCodeServer.ts';
import { ensurePgbouncer, ensurePostgres } from './support/postgresServer.ts';

const progress = (line: string) => console.log(line);
if (canInstall()) {
  await ensureChromium({ progress });
  await ensurePostgres();
  await ensurePgbouncer();
}
if (process.platform !== 'win32') await ensureVSCodeServer({ progress });
