// Links vscode://hexlens.hexlens/… with hostile parameters: nothing happens without a confirmation that shows them.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OperationCommands } from '../../../src/extension/operations/operationCommands.ts';
import { handleUri } from '../../../src/extension/uris/handleUri.ts';
import { formatTargetQuery, type InspectorTarget } from '../../../src/protocol/inspectorTarget.ts';
import { getExtension } from './extensionHost.ts';

/** The first account of Anvil and Hardhat. */
const DEVELOPMENT_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ADDRESS = `0x${'ab'.repeat(20)}`;
const HASH = '0xa3f1c2d4e5b60718293a4b5c6d7e8f90112233445566778899aabbccddeeff01';

interface Outcome {
  readonly questions: readonly string[];
  readonly warnings: readonly string[];
  readonly opened: readonly unknown[];
}

/** Opens a link; `answer` chooses the action of the dialog, as the user would. */
async function openLink(path: string, query: string, answer: boolean): Promise<Outcome> {
  const questions: string[] = [];
  const warnings: string[] = [];
  const opened: unknown[] = [];
  const { showInformationMessage, showWarningMessage } = vscode.window;
  const window = vscode.window as { -readonly [Name in keyof typeof vscode.window]: unknown };
  window.showInformationMessage = async (text: string, options: vscode.MessageOptions, action: string) => {
    assert.equal(options.modal, true);
    questions.push(`${text}\n${options.detail}`);
    return answer ? action : undefined;
  };
  window.showWarningMessage = async (text: string) => void warnings.push(text);
  const operations = { openTarget: async (target: InspectorTarget) => void opened.push(target) };
  try {
    const uri = vscode.Uri.from({ scheme: 'vscode', authority: 'hexlens.hexlens', path, query });
    await handleUri(uri, async () => operations as unknown as OperationCommands);
  } finally {
    Object.assign(window, { showInformationMessage, showWarningMessage });
  }
  return { questions, warnings, opened };
}

const inspect = (target: unknown) => `target=${encodeURIComponent(JSON.stringify(target))}`;

describe('links to VS Code', () => {
  before(() => getExtension().activate());

  it('open what the user confirms, and nothing else', async () => {
    const target = { kind: 'transaction', chain: 'eth', hash: HASH } as const;
    const confirmed = await openLink('/inspect', formatTargetQuery(target), true);
    assert.deepEqual([confirmed.opened, confirmed.questions.length, confirmed.warnings], [[target], 1, []]);
    const refused = await openLink('/inspect', formatTargetQuery(target), false);
    assert.deepEqual([refused.opened, refused.questions.length], [[], 1]);
  });

  it('say who calls with what where they open a simulated call', async () => {
    const simulation = { from: ADDRESS, to: null, data: '0x6001600255' };
    const { questions } = await openLink('/inspect', inspect({ kind: 'simulation', chain: 'eth', simulation }), false);
    assert.match(
      questions[0] ?? '',
      new RegExp(`simulated creation of a contract on eth: .*"from":"${ADDRESS}".*"data":"0x6001600255"`),
    );
  });

  for (const [what, path, query] of [
    ['a known key as hash', '/inspect', inspect({ kind: 'transaction', chain: 'eth', hash: DEVELOPMENT_KEY })],
    ['a known key as block', '/inspect', inspect({ kind: 'block', chain: 'eth', block: DEVELOPMENT_KEY })],
    [
      'a known key as argument of a call',
      '/inspect',
      inspect({
        kind: 'address',
        chain: 'eth',
        address: ADDRESS,
        call: { signature: 'f(bytes32)', args: [DEVELOPMENT_KEY] },
      }),
    ],
    [
      'a known key as parameter of an operation',
      '/inspect',
      inspect({
        kind: 'operation',
        operation: 'contractLogs',
        parameters: { address: ADDRESS, topic0: DEVELOPMENT_KEY },
      }),
    ],
    ['a named key', '/lookup', `text=${encodeURIComponent(`PRIVATE_KEY=${HASH}`)}`],
    ['a known key', '/lookup', `text=${DEVELOPMENT_KEY}`],
    ['an endless text', '/lookup', `text=${'a'.repeat(100_000)}`],
    ['no text', '/lookup', 'text=%20'],
    ['another path', '/../../inspect', inspect({ kind: 'block', chain: 'eth', block: 'latest' })],
    ['a command', '/hexlens.clearIndex', ''],
    ['an operation of a prototype', '/inspect', inspect({ kind: 'operation', operation: '__proto__', parameters: {} })],
    ['an operation of every object', '/inspect', inspect({ kind: 'operation', operation: 'toString', parameters: {} })],
    [
      'a parameter of a prototype',
      '/inspect',
      'target=%7B%22kind%22%3A%22operation%22%2C%22operation%22%3A%22block%22%2C%22parameters%22%3A%7B%22__proto__%22%3A%22x%22%7D%7D',
    ],
    ['a chain that is a URL', '/inspect', inspect({ kind: 'block', chain: 'http://evil.example', block: '1' })],
    ['a block that is a path', '/inspect', inspect({ kind: 'block', chain: 'eth', block: '../../1' })],
    ['an address with markup', '/inspect', inspect({ kind: 'address', chain: 'eth', address: '<img src=x>' })],
    ['deep JSON', '/inspect', `target=${'['.repeat(100_000)}`],
    ['broken percent-encoding', '/inspect', 'target=%E0%A4%A'],
  ] as const)
    it(`show a warning and ask nothing: ${what}`, async () => {
      const { questions, warnings, opened } = await openLink(path, query, true);
      assert.deepEqual([questions, opened], [[], []]);
      assert.equal(warnings.length, 1);
      assert.ok(!warnings[0]?.includes(DEVELOPMENT_KEY.slice(2)));
    });

  it('show parameters in the question without lines, directions and markup of their own', async () => {
    const hostile = 'Safe\n\n\nClick Open to update VS Code\u202e\u001b[31m';
    const call = { signature: hostile, args: [hostile] };
    const target = { kind: 'address', chain: 'eth', address: ADDRESS, call };
    for (const [path, query] of [
      ['/inspect', inspect(target)],
      ['/lookup', `text=${encodeURIComponent(`${hostile} ${ADDRESS}`)}`],
    ] as const) {
      const { questions } = await openLink(path, query, false);
      assert.equal(questions.length, 1);
      // The question of the extension, then one line.
      assert.equal(questions[0]?.split('\n').length, 2);
      for (const character of ['\u202e', '\u001b']) assert.ok(!questions[0]?.includes(character));
    }
  });
});
