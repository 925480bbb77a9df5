// A large document with thousands of addresses; for the benchmark of 10 MB, with the CPU time of the extension by the profiler.
import * as assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { checksumAddress } from '../../../src/base/checksumAddress.ts';
import { TEST_LIMIT_MS } from '../../support/timeLimits.ts';
import { getExtension, getHoverText } from './extensionHost.ts';
import { findExtensionFrames } from './extensionWork.ts';
import { closeAll, openUntitled } from './siweActions.ts';

/** Read by the benchmark: milliseconds of CPU time of the extension on the extension host's thread. */
export interface LargeDocumentMeasures {
  readonly bytes: number;
  readonly addresses: number;
  /** From opening until the document is checked, including background work. */
  readonly opening: number;
  readonly moves: number;
  readonly moving: number;
  /** For the same time without cursor moves, for comparison. */
  readonly still: number;
}

/** Without the benchmark, the test takes only what it needs to fail when a problem is not found. */
const isMeasured = process.env['HEXLENS_BENCH'] !== undefined;
const ADDRESSES = isMeasured ? 50_000 : 5_000;
const LINE = 200;
const MOVES = isMeasured ? 200 : 20;
/** Time for requests that VS Code sends some time after a document is shown or the cursor has moved. */
const AFTERWARDS_MS = isMeasured ? 2_000 : 0;

function largeText(wrong: string): string {
  const line = (address: string) => `transfer to ${address} `.padEnd(LINE - 1, 'and other words ');
  const distinct = Array.from({ length: 1_000 }, (_, at) =>
    checksumAddress(`0x${(at * 7_919 + 0xabcdef).toString(16).padStart(40, 'c0ffee')}`),
  );
  const right = Array.from({ length: ADDRESSES - 1 }, (_, at) => line(distinct[at % distinct.length] ?? ''));
  return [...right, line(wrong)].join('\n');
}

/** The extension's share of the samples in which the thread was not idle. */
function getExtensionShare(folder: string, profile: Profiler.Profile): number {
  const { nodes, samples = [], timeDeltas = [] } = profile;
  const frames = findExtensionFrames(profile, folder);
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  // A delta is the time since the previous sample.
  const sumTime = (isCounted: (id: number) => boolean) =>
    samples.reduce((sum, id, index) => sum + (isCounted(id) ? (timeDeltas[index + 1] ?? 0) : 0), 0);
  return sumTime(id => frames.has(id)) / sumTime(id => !idle.has(id));
}

/** Looks before it listens: a document may be checked before it is shown. */
function waitForProblem(uri: vscode.Uri): Promise<vscode.Diagnostic> {
  return new Promise(resolve => {
    const look = () => {
      const found = vscode.languages.getDiagnostics(uri).find(({ source }) => source === 'HexLens');
      if (found !== undefined) resolve(found);
      return found !== undefined;
    };
    if (look()) return;
    const listener = vscode.languages.onDidChangeDiagnostics(() => look() && listener.dispose());
  });
}

describe('large document', () => {
  afterEach(closeAll);

  it('is checked completely, also while the cursor moves', async function () {
    // Node 22, which the oldest supported VS Code runs, does not measure the CPU time of a thread.
    if (isMeasured && !('threadCpuUsage' in process)) this.skip();
    this.timeout(2 * TEST_LIMIT_MS);
    const extension = getExtension();
    await extension.activate();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const wrong = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267';
    const text = largeText(wrong);
    const uri = vscode.Uri.joinPath(folder.uri, 'large.txt');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    // What is loaded at first need is loaded: the address book, hovers, the check of checksums.
    const small = await openUntitled(wrong);
    const checked = waitForProblem(small.uri);
    await vscode.window.showTextDocument(small);
    await checked;
    await getHoverText(small, wrong);
    const session = new Session();
    session.connect();
    const ourTime = async (act: () => Promise<void>): Promise<number> => {
      if (!isMeasured) {
        await act();
        return 0;
      }
      await session.post('Profiler.start');
      const before = process.threadCpuUsage();
      await act();
      const { user, system } = process.threadCpuUsage(before);
      const { profile } = await session.post('Profiler.stop');
      // CPU time rather than wall-clock time: a busy machine may suspend the thread in the middle of a sample.
      return ((user + system) / 1000) * getExtensionShare(join(extension.extensionPath, 'dist'), profile);
    };
    try {
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: 200 });
      let editor: vscode.TextEditor | undefined;
      const opening = await ourTime(async () => {
        const found = waitForProblem(uri); // may be reported before the editor is shown
        editor = await vscode.window.showTextDocument(uri);
        assert.equal((await found).range.start.line, ADDRESSES - 1);
        await new Promise(resolve => setTimeout(resolve, AFTERWARDS_MS));
      });
      let took = 0;
      const moving = await ourTime(async () => {
        const start = Date.now();
        for (let move = 1; move <= MOVES; move++) {
          const moved = new Promise<void>(resolve => {
            const listener = vscode.window.onDidChangeTextEditorSelection(() => {
              listener.dispose();
              resolve();
            });
          });
          await vscode.commands.executeCommand('cursorMove', { to: move % 2 === 0 ? 'down' : 'right', value: move });
          await moved;
        }
        // Light bulbs and the like are requested when the cursor rests.
        await new Promise(resolve => setTimeout(resolve, AFTERWARDS_MS));
        took = Date.now() - start;
      });
      assert.equal(editor?.document.getText().length, text.length);
      if (!isMeasured) return;
      const still = await ourTime(() => new Promise(resolve => setTimeout(resolve, took)));
      const measures: LargeDocumentMeasures = {
        bytes: text.length,
        addresses: ADDRESSES,
        opening,
        moves: MOVES,
        moving,
        still,
      };
      const report = process.env['HEXLENS_HOST_REPORT'];
      if (report) writeFileSync(join(dirname(report), 'large-document.json'), JSON.stringify(measures));
    } finally {
      session.disconnect();
      await closeAll();
      await vscode.workspace.fs.delete(uri);
    }
  });
});
