// What is kept of metadata that contracts point to: within its bounds, however long the addresses are that they write.
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import type { HttpPort } from '../../../../src/base/httpPort.ts';
import { createDocuments } from '../../../../src/service/metadata/documentFetcher.ts';
import { LONGEST_URI } from '../../../../src/service/metadata/tokenUri.ts';

test('addresses of half a megabyte push each other out, found or not', async () => {
  let asked = 0;
  const http: HttpPort = {
    async send() {
      asked++;
      return { status: 404, headers: {}, body: '' };
    },
  };
  const documents = createDocuments({ http, clock: systemClock });
  const read = (index: number) => {
    const url = `https://example.com/${index}/`.padEnd(LONGEST_URI, 'x');
    return documents.read(url, 'document', false, new AbortController().signal);
  };
  for (let index = 0; index < 40; index++) expect(await read(index)).toEqual({ kind: 'missing' });
  expect(asked).toBe(40);
  await read(39);
  expect(asked).toBe(40);
  await read(0);
  expect(asked).toBe(41);
});
