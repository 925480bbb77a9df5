// Parts of pages that must not show raw data: empty tables, errors without an ABI, media of a token.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { RecordView } from '../../../src/webview/inspector/components/recordView.ts';
import { ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();
const vault = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const PNG = 'data:image/png;base64,iVBORw0KGgo=';

const openLogs = () =>
  open({
    target: { kind: 'operation', operation: 'contractLogs', parameters: { address: vault, chain: 'local' } },
    reply: () => ok({ result: [], cursor: null, page: 0, page_size: 25 }),
  });

test('a table without rows has no columns', async () => {
  await openLogs();
  await shows('No rows.');
  expect(find(document, 'hl-grid')).toBeNull();
});

test('an error that no ABI declares is shown by its selector, with its bytes on request', async () => {
  const output = `0xa1b2c3d4${'00'.repeat(64)}`;
  await open({
    target: { kind: 'transaction', chain: 'local', hash: `0x${'12'.repeat(32)}` },
    reply: () => ok({ hash: `0x${'12'.repeat(32)}`, receipt_status: '0', logs: [], input: '0x', from_address: vault }),
    lookup: id => (id === 'revertReason' ? { output, error: 'execution reverted', exact: true } : undefined),
  });
  await shows('Custom error 0xa1b2c3d4, which no ABI of the workspace declares');
  const details = find(document, '.why details') as HTMLDetailsElement;
  expect([details.open, textOf(details)]).toEqual([false, expect.stringContaining('68 bytes')]);
});

test('media of a token is a picture, with its JSON on request', async () => {
  const { page } = await openLogs();
  await shows('No rows.');
  const record = document.createElement('hl-record') as RecordView;
  const media = JSON.stringify({ original_media_url: PNG, mimetype: 'image/png' });
  Object.assign(record, {
    columns: [{ key: 'media', label: 'Media', kind: 'json' }],
    row: [media],
    format: {
      ...{ preferences: { numbers: 'decimal', time: 'utc' }, names: { addresses: {}, events: {}, methods: {} } },
      ...{ now: 0, units: {} },
    },
    context: { channel: page.channel, chain: 'local', target: { kind: 'block', chain: 'local', block: '1' } },
  });
  document.body.append(record);
  await eventually(() => expect(find(record.shadowRoot as ShadowRoot, 'img')?.getAttribute('src')).toBe(PNG));
  expect(find(record.shadowRoot as ShadowRoot, 'details')?.hasAttribute('open')).toBe(false);
});
