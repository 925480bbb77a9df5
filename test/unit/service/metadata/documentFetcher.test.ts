// The cache of metadata documents: within its bounds, however long the URLs are that contracts name.
import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.ts';
import type { HttpPort } from '../../../../src/base/httpPort.ts';
import { createDocumentFetcher } from '../../../../src/service/metadata/documentFetcher.ts';
import { MAX_URI_CHARACTERS } from '../../../../src/service/metadata/metadataLimits.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';

test('another machine that redirects to this one is refused', async () => {
  const requested: string[] = [];
  const http: HttpPort = {
    async send({ url }) {
      requested.push(url);
      return url.startsWith('https:')
        ? { status: 302, headers: { location: 'http://127.1:18600/secret' }, body: '' }
        : { status: 200, headers: {}, body: '{}' };
    },
  };
  const documents = createDocumentFetcher({ http, clock: systemClock });
  const { signal } = new AbortController();
  expect(await documents.fetch('https://example.com/1', 'document', true, signal)).toEqual({ kind: 'refused' });
  expect(requested).toEqual(['https://example.com/1']);
});

test('URLs of half a megabyte evict each other, whether found or not', async () => {
  let asked = 0;
  const http: HttpPort = {
    async send() {
      asked++;
      return { status: 404, headers: {}, body: '' };
    },
  };
  const documents = createDocumentFetcher({ http, clock: systemClock });
  const read = (index: number) => {
    const url = `https://example.com/${index}/`.padEnd(MAX_URI_CHARACTERS, 'x');
    return documents.fetch(url, 'document', false, new AbortController().signal);
  };
  for (let index = 0; index < 40; index++) expect(await read(index)).toEqual({ kind: 'missing' });
  expect(asked).toBe(40);
  await read(39);
  expect(asked).toBe(40);
  await read(0);
  expect(asked).toBe(41);
});

test('what was found is cached for minutes, a failure for half a minute', async () => {
  const clock = createFakeClock('manual');
  let status = 503;
  let asked = 0;
  const http: HttpPort = {
    async send() {
      asked++;
      return { status, headers: {}, body: '{}' };
    },
  };
  const documents = createDocumentFetcher({ http, clock });
  const read = () => documents.fetch('https://example.com/1', 'document', false, new AbortController().signal);
  const failed = await read();
  expect(failed.kind).not.toBe('document');
  status = 200;
  clock.advance(29_999);
  expect(await read()).toEqual(failed);
  expect(asked).toBe(1);
  clock.advance(1);
  expect(await read()).toMatchObject({ kind: 'document', text: '{}' });
  status = 503;
  clock.advance(9 * 60_000);
  expect(await read()).toMatchObject({ kind: 'document' });
  expect(asked).toBe(2);
  clock.advance(60_000);
  expect(await read()).toEqual(failed);
});
