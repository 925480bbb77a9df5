// A process that only indexes: `node indexerChild.ts URL FOLDER [hold]` prints its progress, line by line, until it is at the
// head; with `hold` it waits there to be killed.

import { once } from 'node:events';
import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { createChainIndex } from '../../src/service/indexer/chainIndex.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';

const [url = '', folder = '', atHead = 'end'] = process.argv.slice(2);
const http = createUndiciHttp(defaultProxyConfiguration);
const clock = systemClock;
const log = silentLog;
const node = await createEvmNodes({ nodes: { local: url }, http, clock, log, timeoutMs: 60_000 }).find('local');
const index = createChainIndex({
  node,
  open: createSqliteStoreOpener({ folder, log }),
  clock,
  log,
  // Each step, where a registry would report some.
  tasks: {
    add: () => ({ report: ({ done }) => process.stdout.write(`at ${done - 1}\n`), remove() {} }),
    pause() {},
    resume() {},
  },
});
for (let done = false; !done; ) done = (await index.current()).isSynced;
process.stdout.write('there\n');
if (atHead === 'hold') await once(process.stdin.resume(), 'end');
await index.stop();
await http.stop();
