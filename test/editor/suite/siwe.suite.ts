// Sign-in messages in the real editor: marked while they are written, repaired by quick fixes, verified by the command.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hexlens, hoverTextAt, openWorkspaceFile, testChain } from './extensionHost.ts';
import { closeAll, marked, marks, replace, shown, signer, unmarked, until, verifySignIn } from './siweActions.ts';

const actionsAt = (document: vscode.TextDocument, range: vscode.Range, kind?: vscode.CodeActionKind) =>
  vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    range,
    kind?.value,
  );

describe('sign-in messages', () => {
  let good: string;

  before(async function () {
    if (testChain() === undefined) this.skip();
    await hexlens().activate();
    good = (await openWorkspaceFile('sign-in.txt')).getText();
  });
  afterEach(closeAll);

  it('a right one is not marked, and the command shows its record beside it', async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    const identity = await verifySignIn();
    assert.equal(identity?.['address'], signer);
    assert.deepEqual(marks(document), []);
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
    assert.equal(vscode.window.activeTextEditor?.document, document);
    const names = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    assert.ok(names.includes('Verified sign-in of 0x7099…79C8.json'), names.join(', '));
  });

  it('looking twice uses no nonce up', async () => {
    await openWorkspaceFile('sign-in.txt');
    for (let round = 0; round < 2; round++) {
      const identity = await verifySignIn();
      assert.equal(identity?.['address'], signer);
    }
  });

  it('JSON with the message as a string is verified too', async () => {
    const [message = '', signature = ''] = good.trim().split('\n\nSignature: ');
    await shown(JSON.stringify({ message, signature }, null, 2), 'json');
    const identity = await verifySignIn();
    assert.equal(identity?.['address'], signer);
  });

  it('a selection is verified in a file of any kind', async () => {
    const document = await shown(`const text = \`\n${good}\`;\n`, 'typescript');
    const start = document.getText().indexOf('shop.example');
    const end = document.getText().lastIndexOf('`');
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor !== undefined);
    editor.selection = new vscode.Selection(document.positionAt(start), document.positionAt(end));
    const identity = await verifySignIn();
    assert.equal(identity?.['address'], signer);
  });

  it('a broken one is marked where it is wrong, and quick fixes make it right', async () => {
    const document = await openWorkspaceFile('sign-in-broken.txt');
    const before = document.getText();
    // Both at once: the wrong checksum and the line that stands too early.
    const found = await until(
      () => marks(document),
      ({ length }) => length === 2,
      'marked twice',
    );
    for (const { severity } of found) assert.equal(severity, vscode.DiagnosticSeverity.Error);
    assert.deepEqual(
      found.map(({ range }) => range.start.line),
      [1, 6],
    );
    assert.match(found[0]?.message ?? '', /^Line 2, address/);
    assert.match(found[1]?.message ?? '', /^Line 7/);
    for (let left = 2; left > 0; left--) {
      // From below, so that the one above is still there.
      const mark = marks(document)[left - 1];
      assert.ok(mark !== undefined);
      const actions = await actionsAt(document, mark.range, vscode.CodeActionKind.QuickFix);
      const fix = actions.find(({ isPreferred }) => isPreferred);
      assert.ok(fix?.edit !== undefined, `no preferred fix for: ${mark.message}`);
      assert.ok(await vscode.workspace.applyEdit(fix.edit));
      await until(
        () => marks(document),
        ({ length }) => length === left - 1,
        `left with ${left - 1} marks`,
      );
    }
    assert.equal(document.getText(), good);
    const identity = await verifySignIn();
    assert.equal(identity?.['address'], signer);
    await replace(document, document.getText(), before);
    await document.save();
  });

  it('fix all puts everything right at once', async () => {
    const document = await shown((await openWorkspaceFile('sign-in-broken.txt')).getText());
    await marked(document);
    const everywhere = new vscode.Range(0, 0, document.lineCount, 0);
    const [action, ...others] = await actionsAt(document, everywhere, vscode.CodeActionKind.SourceFixAll);
    assert.ok(action?.edit !== undefined);
    assert.deepEqual(others, []);
    assert.ok(await vscode.workspace.applyEdit(action.edit));
    assert.equal(document.getText(), good);
    await unmarked(document);
  });

  it('marks follow the typing and go with the file', async () => {
    const document = await shown(good);
    await replace(document, 'Version: 1', 'Version: 2');
    const [mark] = await marked(document);
    assert.match(mark?.message ?? '', /Version/);
    assert.equal(document.getText(mark?.range), '2');
    await replace(document, 'Version: 2', 'Version: 1');
    await unmarked(document);
    await replace(document, 'Nonce: ', 'Nonce: !');
    await marked(document);
    await replace(document, document.getText(), 'nothing of the kind\n');
    await unmarked(document);
  });

  it('in JSON the mark stands on the written characters', async () => {
    const [message = '', signature = ''] = good.trim().split('\n\nSignature: ');
    const wrong = message.replace('Version: 1', 'Version: 2');
    const document = await shown(JSON.stringify({ message: wrong, signature }), 'json');
    const [mark] = await marked(document);
    assert.equal(document.getText(mark?.range), '2');
    assert.equal(document.offsetAt(mark?.range.start ?? document.positionAt(0)), document.getText().indexOf('2\\n'));
  });

  it('marks go with the tab, and come back with it', async () => {
    const document = await openWorkspaceFile('sign-in-broken.txt');
    await marked(document);
    await closeAll();
    await unmarked(document);
    await marked(await openWorkspaceFile('sign-in-broken.txt'));
  });

  it('source code is left alone', async () => {
    const document = await shown(good.replace('Version: 1', 'Version: 2'), 'typescript');
    const beside = await shown(good.replace('Version: 1', 'Version: 2'));
    await marked(beside);
    assert.deepEqual(marks(document), []);
  });

  it("somebody else's signature is refused, and the mark stays until the text changes", async () => {
    const document = await shown(good.replace('Sign in to the', 'Log in to the'));
    assert.equal(await verifySignIn(), undefined);
    const [mark] = await marked(document);
    assert.match(document.getText(mark?.range), /^0x[0-9a-f]{130}$/);
    assert.match(mark?.message ?? '', new RegExp(`not by ${signer}`));
    await replace(document, 'Log in to the', 'Sign in to the');
    await unmarked(document);
  });

  it('an expired message is refused at its line', async () => {
    const document = await shown(good.replace('2126-01-15T09:30', '2026-01-16T09:30'));
    assert.equal(await verifySignIn(), undefined);
    const [mark] = await marked(document);
    assert.match(document.getText(mark?.range), /^2026-01-16T09:30/);
    assert.match(mark?.message ?? '', /expired/);
  });

  it('a damaged signature is refused before anybody is asked', async () => {
    const document = await shown(`${good.trimEnd().slice(0, -1)}\n`);
    assert.equal(await verifySignIn(), undefined);
    const [mark] = await marked(document);
    assert.match(mark?.message ?? '', /129, 1 digit too few/);
  });

  it('a hover explains each part', async () => {
    const document = await openWorkspaceFile('sign-in.txt');
    const says = (needle: string, expected: RegExp) =>
      until(
        () => hoverTextAt(document, needle),
        text => expected.test(text),
        `${expected}`,
      );
    await says('shop.example wants', /\*\*Domain\*\*/);
    await says('Sign in to the NFT shop.', /\*\*Statement\*\*/);
    await says('Version: 1', /\*\*Version\*\* `1`/);
    await says('Chain ID: 31337', /Local dev chain/);
    await says('Nonce: k5Yw2PqT8mZr', /random text/);
    await says('Expiration Time: 2126', /in 99 years.*still in force/);
    await says('- https://shop.example/terms', /\*\*Resources\*\*/);
    assert.doesNotMatch(await hoverTextAt(document, signer), /sign\\-in message/);
  });
});
