// Parts of pages that must not show raw data: empty tables, errors without an ABI, media of a token.

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import type { SourceLocation } from '../../../src/api/transactionStack.ts';
import { setTranslations } from '../../../src/base/localize.ts';
import type { FoundTransactionSource } from '../../../src/decode/source/fetchTransactionSource.ts';
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
  await shows('Custom error 0xa1b2c3d4, which no known ABI declares');
  const details = find(document, '.why details') as HTMLDetailsElement;
  expect([details.open, textOf(details)]).toEqual([false, expect.stringContaining('68 bytes')]);
});

describe('a transaction over several calls', () => {
  const hash = `0x${'12'.repeat(32)}`;
  const oracle = '0x2222222222222222222222222222222222222222';
  const tooOld = `0x08c379a0${'20'.padStart(64, '0')}${'10'.padStart(64, '0')}${'5072696365206973'.padEnd(64, '0')}`;
  const outcome = { output: tooOld, error: 'execution reverted', exact: true };
  const openTransaction = (
    status: '0' | '1',
    {
      source,
      trace,
      isRemote = false,
    }: { readonly source?: FoundTransactionSource; readonly trace?: object; readonly isRemote?: boolean } = {},
  ) =>
    open({
      ...(isRemote && { isRemote }),
      ...(source !== undefined && { source }),
      target: { kind: 'transaction', chain: 'local', hash },
      reply: () =>
        ok({
          ...{ hash, receipt_status: status, receipt_gas_used: '90000', gas: '100000', logs: [], input: '0x' },
          ...{ from_address: `0x${'11'.repeat(20)}`, to_address: vault },
          internal_transactions: [
            {
              ...{ transaction_hash: hash, type: 'CALL', from: vault, to: oracle, value: '0', gas: '50000' },
              ...{ gas_used: '3000', input: '0x', output: tooOld, error: 'execution reverted' },
            },
          ],
        }),
      lookup: id => (id === 'revertReason' ? outcome : id === 'transactionTrace' ? trace : undefined),
    });

  test('that succeeded names the calls inside it that failed', async () => {
    await openTransaction('1');
    await shows('1 inner call failed: Price is');
    await shows('in 0x2222…2222');
    find(document, '.why.inner button')?.click();
    await shows('in 0x2222…2222');
    await eventually(() => expect(find(document, '[data-tab=calls]')?.getAttribute('aria-selected')).toBe('true'));
  });

  test('has the function of the source that each call entered, where it was called, and the functions inside', async () => {
    const at = (line: number): SourceLocation => {
      const start = { line, character: 4 };
      return { source: 'src/Oracle.sol', file: '0/src/Oracle.sol', isChanged: false, start, end: start };
    };
    const contract = 'Oracle';
    const read = {
      call: 1,
      calledContract: contract,
      contract,
      functionName: 'read',
      definition: at(11),
      callSite: at(30),
    };
    const age = {
      call: 1,
      depth: 1,
      step: 5,
      endStep: 8,
      contract,
      functionName: '_age',
      definition: at(20),
      callSite: at(13),
    };
    const source = { stack: null, calls: [read], internalCalls: [age], unmatched: new Map(), lostSources: [] };
    const trace = { kind: 'trace', omittedCalls: 0, failure: null, steps: 9 };
    const calls = [0, 1].map(index => ({ index, parent: index - 1, precompile: null }));
    const { connected } = await openTransaction('1', { source, trace: { ...trace, calls } });
    await eventually(() => expect(find(document, '[data-tab=calls]')).not.toBeNull());
    find(document, '[data-tab=calls]')?.click();
    await shows(/Oracle\.read ?called at ?src\/Oracle\.sol:31/);
    find(document, 'button.place')?.click();
    await eventually(() => expect(connected.opened).toEqual([at(11)]));
    find(document, '[title="Show the functions inside"]')?.click();
    await shows(/Oracle\._age ?called at ?src\/Oracle\.sol:14/);
  });

  test('that failed on a remote chain has its stack after a click', async () => {
    const frame = { contract: 'Oracle', functionName: 'read', address: oracle, location: null, excerpt: null } as const;
    const stack = { frames: [{ ...frame, isInferred: false }], reason: 'reverted', call: 1 } as const;
    await openTransaction('0', {
      source: { stack, calls: [], unmatched: new Map(), lostSources: [] },
      isRemote: true,
    });
    await shows('Explain by Replay…');
    expect(find(document, 'hl-stack')).toBeNull();
    find(document, 'p.explain button')?.click();
    await shows('Oracle.read');
  });

  test('that failed names the function that threw once, where its source is known', async () => {
    const read = {
      call: 1,
      calledContract: 'Oracle',
      contract: 'Oracle',
      functionName: 'read',
      definition: null,
      callSite: null,
    };
    const source = { stack: null, calls: [read], unmatched: new Map(), lostSources: [] };
    const calls = [0, 1].map(index => ({ index, parent: index - 1, precompile: null }));
    const trace = { kind: 'trace', omittedCalls: 0, failure: null, steps: 9, calls };
    await openTransaction('0', { source, trace });
    await eventually(() => expect(find(document, '[data-tab=calls]')).not.toBeNull());
    find(document, '[data-tab=calls]')?.click();
    await shows('Oracle.read');
    const lines = [...(find(document, 'hl-call-tree')?.shadowRoot?.querySelectorAll('[role=treeitem]') ?? [])];
    expect(textOf(lines[1] as Element)).toContain('execution reverted');
    expect(textOf(lines[1] as Element)).not.toContain('in 0x2222');
  });

  test('that failed has the error at the call that threw it', async () => {
    await openTransaction('0');
    await eventually(() => expect(find(document, '[data-tab=calls]')).not.toBeNull());
    find(document, '[data-tab=calls]')?.click();
    const lines = await eventually(() => {
      const found = [...(find(document, 'hl-call-tree')?.shadowRoot?.querySelectorAll('[role=treeitem]') ?? [])];
      expect(found).toHaveLength(2);
      return found.map(line => textOf(line).replace(/\s+/g, ' '));
    });
    expect(lines[0]).toContain('passed on');
    expect(lines[1]).toMatch(/execution reverted in 0x2222…2222/);
  });
});

test('a part of the gas limit is written as numbers of the language are', async () => {
  const hash = `0x${'12'.repeat(32)}`;
  setTranslations({ '1,234.5': '1.234,5', '{0}%': '{0} %' });
  try {
    const reply = { hash, receipt_status: '1', receipt_gas_used: '7480', gas: '100000', logs: [], input: '0x' };
    await open({
      target: { kind: 'transaction', chain: 'local', hash },
      reply: () => ok({ ...reply, from_address: vault }),
    });
    await shows('7,4 %');
  } finally {
    setTranslations(undefined);
  }
});

test('a transaction shows what its node says beside the record, and the JSON of the node', async () => {
  const hash = `0x${'12'.repeat(32)}`;
  const transaction = {
    hash,
    type: '0x2',
    maxFeePerGas: '0x77359400',
    accessList: [{ address: vault, storageKeys: [] }],
  };
  await open({
    target: { kind: 'transaction', chain: 'local', hash },
    reply: () => ok({ hash, receipt_status: '1', logs: [], input: '0x', from_address: vault }),
    lookup: id =>
      id === 'nodeTransaction' ? { kind: id, transaction, receipt: { effectiveGasPrice: '0x1' } } : undefined,
  });
  await shows(/Type ?2 \(EIP-1559\)/);
  await shows(/Max fee per gas ?2 gwei/);
  await shows('Access list 1');
  find(document, '[data-tab=raw]')?.click();
  await shows('receipt_status');
  find(document, '.source[aria-pressed=false]')?.click();
  await shows('effectiveGasPrice');
  expect(textOf(document.body)).not.toContain('receipt_status');
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
