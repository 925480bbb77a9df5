// Outlines of documents while the user types.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CancellationToken, TextDocument } from 'vscode';
import { DocumentOutlines } from '../../../src/extension/source/documentOutlines.ts';

class EditedDocument {
  version = 1;
  reads = 0;
  #text = 'contract A { uint256 total; }';

  getText(): string {
    this.reads++;
    return this.#text;
  }

  positionAt = (offset: number) => ({ line: 0, character: offset });

  type(text: string): void {
    this.#text += text;
    this.version++;
  }
}

/** A request of VS Code, which cancels it at the next edit. */
class Request {
  cancel: () => void = () => {};
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: () => void) => {
      this.cancel = listener;
      return { dispose: () => {} };
    },
  } as unknown as CancellationToken;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('reads nothing of a document while the user types, and the newest text at the pause', async () => {
  const document = new EditedDocument();
  const outlines = new DocumentOutlines();
  const get = ({ token }: Request) => outlines.getAfterTyping(document as unknown as TextDocument, token);
  expect((await get(new Request()))?.outline.contracts.map(({ name }) => name)).toEqual(['A']);
  const { reads } = document;
  for (const key of ['\n', 'contract ', 'B ', '{}']) {
    document.type(key);
    const request = new Request();
    const answer = get(request);
    await vi.advanceTimersByTimeAsync(100);
    request.cancel();
    expect(await answer).toBeNull();
  }
  expect(document.reads).toBe(reads);
  const last = get(new Request());
  await vi.runAllTimersAsync();
  expect((await last)?.outline.contracts.map(({ name }) => name)).toEqual(['A', 'B']);
  expect(document.reads).toBe(reads + 1);
});

test('places offsets in bytes behind letters of several bytes', async () => {
  const document = new EditedDocument();
  document.type('// é\ncontract B {}');
  const parsed = new DocumentOutlines().get(document as unknown as TextDocument);
  const second = parsed?.outline.contracts[1];
  expect(second && parsed?.toPosition(second.start)).toEqual({
    line: 0,
    character: document.getText().indexOf('contract B'),
  });
});
