// A process that only indexes: `node indexerChild.ts URL FOLDER` prints its progress, line by line, until it is at the head.

import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { createChainIndex } from '../../src/service/indexer/chainIndex.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const http = createUndiciHttp(defaultProxyConfiguration);
const clock = systemClock;
const log = silentLog;
const node = await createEvmNodes({ nodes: { local: url }, http, clock, log, timeoutMs: 10_000 }).find('local');
const index = createChainIndex({ node, open: createSqliteStoreOpener({ folder, log }), clock, log });
const timer = setInterval(() => process.stdout.write(`at ${index.progress().indexedBlock}\n`), 2);
for (let done = false; !done; ) done = (await index.current()).isSynced;
clearInterval(timer);
process.stdout.write('there\n');
await index.stop();
await http.stop();
