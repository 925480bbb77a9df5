// Sign-in messages in a real editor: diagnostics, quick fixes and verification.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getExtension, getHoverText, getTestChain, openWorkspaceFile } from './extensionHost.ts';
import {
  closeAll,
  getCodeActions,
  getProblems,
  replace,
  showDocument,
  showSelection,
  signer,
  until,
  verifySignIn,
  waitForNoProblems,
  waitForProblems,
} from './siweActions.ts';

describe('sign-in messages', () => {
  let good: string;

  before(async function () {
    if (getTestChain() === undefined) this.skip();
    await getExtension().activate();
    good = (await openWorkspaceFile('sign-in.txt')).getText();
  });
  afterEach(closeAll);

  it('shows no diagnostic for a valid message and opens its identity beside it', async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    const identity = await verifySignIn();
    assert.equal(identity?.['address'], signer);
    assert.deepEqual(getProblems(document), []);
    const result = vscode.workspace.textDocuments.find(
      ({ uri }) => uri.scheme === 'hexlens' && uri.authority === 'sign-in',
    );
    assert.ok(result !== undefined, 'no result document');
    assert.equal(result.languageId, 'json');
    const record = JSON.parse(result.getText());
    assert.equal(record.address, signer);
    assert.equal(record.domain, 'shop.example');
    assert.equal(record.nonce, 'k5Yw2PqT8mZr');
    assert.equal(record.expirationTime, '2126-01-15T09:30:00.000Z');
    await until(
      () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)),
      labels => labels.includes('Verified sign-in of 0x7099…79C8.json'),
      'shows the identity in a tab',
    );
    await until(
      () => vscode.window.activeTextEditor?.document.uri.path,
      path => path === document.uri.path,
      'keeps the focus on the message',
    );
  });

  it('verifies a message twice without consuming its nonce', async () => {
    await openWorkspaceFile('sign-in.txt');
    for (let round = 0; round < 2; round++) {
      const identity = await verifySignIn();
      assert.equal(identity?.['address'], signer);
    }
  });

  it('verifies a message in a JSON string', async () => {
    const [message = '', signature = ''] = good.trim().split('\n\nSignature: ');
    await showDocument(JSON.stringify({ message, signature }, null, 2), 'json');
    const identity = await verifySignIn();
    assert.equal(identity?.['address'], signer);
  });

  it('verifies a selection in any file', async () => {
    const document = await showDocument(`const text = \`\n${good}\`;\n`, 'typescript');
    const start = document.getText().indexOf('shop.example');
    const end = document.getText().lastIndexOf('`');
    await showSelection(document, new vscode.Range(document.positionAt(start), document.positionAt(end)));
    const identity = await verifySignIn();
    assert.equal(identity?.['address'], signer);
  });

  it('shows diagnostics for an invalid message and repairs it with quick fixes', async () => {
    const document = await openWorkspaceFile('sign-in-broken.txt');
    const before = document.getText();
    // The wrong checksum and the misplaced line.
    const found = await until(
      () => getProblems(document),
      ({ length }) => length === 2,
      'two problems',
    );
    for (const { severity } of found) assert.equal(severity, vscode.DiagnosticSeverity.Error);
    assert.deepEqual(
      found.map(({ range }) => range.start.line),
      [1, 6],
    );
    assert.match(found[0]?.message ?? '', /^Line 2, address/);
    assert.match(found[1]?.message ?? '', /^Line 7/);
    for (let left = 2; left > 0; left--) {
      // From below, so that the position of the one above stays valid.
      const problem = getProblems(document)[left - 1];
      assert.ok(problem !== undefined);
      const actions = await getCodeActions(
        document,
        problem.range,
        // The fix of the problem, and while there are others that of the whole message.
        ({ length }) => length === left,
        vscode.CodeActionKind.QuickFix,
      );
      const fix = actions.find(({ isPreferred }) => isPreferred);
      assert.ok(fix?.edit !== undefined, `no preferred fix for: ${problem.message}`);
      assert.ok(await vscode.workspace.applyEdit(fix.edit));
      await until(
        () => getProblems(document),
        ({ length }) => length === left - 1,
        `left with ${left - 1} problems`,
      );
    }
    assert.equal(document.getText(), good);
    const identity = await verifySignIn();
    assert.equal(identity?.['address'], signer);
    await replace(document, document.getText(), before);
    await document.save();
  });

  it('repairs everything with the fix-all action', async () => {
    const document = await showDocument((await openWorkspaceFile('sign-in-broken.txt')).getText());
    await waitForProblems(document);
    const everywhere = new vscode.Range(0, 0, document.lineCount, 0);
    const [action, ...others] = await getCodeActions(
      document,
      everywhere,
      ({ length }) => length > 0,
      vscode.CodeActionKind.SourceFixAll,
    );
    assert.ok(action?.edit !== undefined);
    assert.deepEqual(others, []);
    assert.ok(await vscode.workspace.applyEdit(action.edit));
    assert.equal(document.getText(), good);
    await waitForNoProblems(document);
  });

  it('updates diagnostics while the user types', async () => {
    const document = await showDocument(good);
    await replace(document, 'Version: 1', 'Version: 2');
    const [problem] = await waitForProblems(document);
    assert.match(problem?.message ?? '', /Version/);
    assert.equal(document.getText(problem?.range), '2');
    await replace(document, 'Version: 2', 'Version: 1');
    await waitForNoProblems(document);
    await replace(document, 'Nonce: ', 'Nonce: !');
    await waitForProblems(document);
    await replace(document, document.getText(), 'no message\n');
    await waitForNoProblems(document);
  });

  it('places diagnostics at the escaped characters in JSON', async () => {
    const [message = '', signature = ''] = good.trim().split('\n\nSignature: ');
    const wrong = message.replace('Version: 1', 'Version: 2');
    const document = await showDocument(JSON.stringify({ message: wrong, signature }), 'json');
    const [problem] = await waitForProblems(document);
    assert.equal(document.getText(problem?.range), '2');
    assert.equal(document.offsetAt(problem?.range.start ?? document.positionAt(0)), document.getText().indexOf('2\\n'));
  });

  it('removes diagnostics when the tab is closed and shows them when it is reopened', async () => {
    const document = await openWorkspaceFile('sign-in-broken.txt');
    await waitForProblems(document);
    await closeAll();
    await waitForNoProblems(document);
    await waitForProblems(await openWorkspaceFile('sign-in-broken.txt'));
  });

  it('shows no diagnostics in source code', async () => {
    const document = await showDocument(good.replace('Version: 1', 'Version: 2'), 'typescript');
    const beside = await showDocument(good.replace('Version: 1', 'Version: 2'));
    await waitForProblems(beside);
    assert.deepEqual(getProblems(document), []);
  });

  it('rejects the signature of another account until the text changes', async () => {
    const document = await showDocument(good.replace('Sign in to the', 'Log in to the'));
    assert.equal(await verifySignIn(), undefined);
    const [problem] = await waitForProblems(document);
    assert.match(document.getText(problem?.range), /^0x[0-9a-f]{130}$/);
    assert.match(problem?.message ?? '', new RegExp(`not by ${signer}`));
    await replace(document, 'Log in to the', 'Sign in to the');
    await waitForNoProblems(document);
  });

  it('rejects an expired message at its line', async () => {
    const document = await showDocument(good.replace('2126-01-15T09:30', '2026-01-16T09:30'));
    assert.equal(await verifySignIn(), undefined);
    const [problem] = await waitForProblems(document);
    assert.match(document.getText(problem?.range), /^2026-01-16T09:30/);
    assert.match(problem?.message ?? '', /expired/);
  });

  it('rejects a truncated signature without a request', async () => {
    const document = await showDocument(`${good.trimEnd().slice(0, -1)}\n`);
    assert.equal(await verifySignIn(), undefined);
    const [problem] = await waitForProblems(document);
    assert.match(problem?.message ?? '', /129, 1 digit too few/);
  });

  it('explains each field in a hover', async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    const says = (needle: string, expected: RegExp) =>
      until(
        () => getHoverText(document, needle),
        text => expected.test(text),
        `${expected}`,
      );
    await says('shop.example wants', /\*\*Domain\*\*/);
    await says('Sign in to the NFT shop.', /\*\*Statement\*\*/);
    await says('Version: 1', /\*\*Version\*\* `1`/);
    await says('Chain ID: 31337', /Local dev chain/);
    await says('Nonce: k5Yw2PqT8mZr', /random value/);
    await says('Expiration Time: 2126', /in \d+ years.*still in force/);
    await says('- https://shop.example/terms', /\*\*Resources\*\*/);
    assert.doesNotMatch(await getHoverText(document, signer), /sign\\-in message/);
  });
});
