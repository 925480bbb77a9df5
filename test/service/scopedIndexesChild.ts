// A process that indexes on demand: `node scopedIndexesChild.ts URL STORE CONTRACT WALLET` ends when both indexes are complete.

import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createStoreOpener } from '../../src/service/indexer/openStore.ts';
import { isBehind, startService } from '../support/filledChain.ts';
import { readUntil } from '../support/readUntil.ts';

const [url = '', store = '', contract, wallet] = process.argv.slice(2);
const place = store.startsWith('postgres:') ? { folder: null, url: store } : { folder: store };
const service = startService({ eth: url }, { openStore: createStoreOpener(place, silentLog) });
const requests = [
  () => service.send('contractNftTransfers', { address: contract as Hex }),
  () => service.send('walletNftTransfers', { address: wallet as Hex }),
  () => service.send('nftLowestPrice', { address: contract as Hex }),
];
await Promise.all(
  requests.map(async send => {
    await readUntil(send, ({ status, headers, body }) => {
      if (status !== 200 && !/ so far/.test(JSON.stringify(body))) throw new Error(JSON.stringify(body));
      // After a kill another process may lead for a moment: what it has not indexed yet is missing from the reply.
      return status === 200 && !isBehind(headers);
    });
  }),
);
process.stdout.write('indexed\n');
await service.stop();
