// Checksum diagnostics and quick fixes in a real editor, for short and long files.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getExtension } from './extensionHost.ts';
import { getCodeAction, openUntitled, until } from './siweActions.ts';

const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const wrong = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';

const ours = (document: vscode.TextDocument) =>
  vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'HexLens');

const waitForProblems = (document: vscode.TextDocument, count: number) =>
  until(
    () => ours(document),
    ({ length }) => length === count,
    `shows ${count} problems`,
  );

async function shown(text: string, language?: string): Promise<vscode.TextDocument> {
  const document = await openUntitled(text, language);
  await vscode.window.showTextDocument(document);
  return document;
}

describe('EIP-55 checksums', () => {
  before(() => getExtension().activate());

  it('reports a wrong checksum as a warning with the corrected address', async () => {
    const document = await shown(`let a = "${wrong}"; // ${right}\n`, 'typescript');
    const [problem] = await waitForProblems(document, 1);
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Warning);
    assert.match(problem?.message ?? '', new RegExp(`checksum .* is wrong.*${right}`));
    assert.equal(document.getText(problem?.range), wrong);
  });

  it('fixes a checksum with a quick fix', async () => {
    const document = await shown(`# ${wrong}\n`, 'python');
    const [problem] = await waitForProblems(document, 1);
    assert.ok(problem);
    const fix = await getCodeAction(document, problem.range, ({ title }) => title.includes(right));
    assert.ok(fix?.edit);
    await vscode.workspace.applyEdit(fix.edit);
    assert.equal(document.getText(), `# ${right}\n`);
    await waitForProblems(document, 0);
  });

  it('finds all problems of a long file on a worker thread and fixes them at once', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `${index}: ${index % 100 === 0 ? wrong : right}`);
    const document = await shown(lines.join('\n'), 'log');
    const found = await waitForProblems(document, 20);
    assert.ok(found[0]);
    const all = await getCodeAction(document, found[0].range, ({ title }) => /all addresses/i.test(title));
    assert.ok(all?.edit);
    await vscode.workspace.applyEdit(all.edit);
    assert.equal(document.getText().includes(wrong), false);
    await waitForProblems(document, 0);
  });

  it('does not fix checksums on save', async () => {
    const document = await shown(`# ${wrong}\n`, 'python');
    const [problem] = await waitForProblems(document, 1);
    assert.ok(problem);
    const onSave = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem.range,
      vscode.CodeActionKind.SourceFixAll.value,
    );
    assert.deepEqual(
      onSave.filter(({ edit }) => edit !== undefined && edit.size > 0),
      [],
    );
  });

  it('uses the severity of the settings', async () => {
    const configuration = vscode.workspace.getConfiguration('hexlens');
    const document = await shown(`# ${wrong} ${right.toLowerCase()}\n`, 'python');
    await waitForProblems(document, 1);
    try {
      await configuration.update('checksum.missing', 'hint', vscode.ConfigurationTarget.Global);
      const both = await waitForProblems(document, 2);
      assert.deepEqual(
        both.map(({ severity }) => severity),
        [vscode.DiagnosticSeverity.Warning, vscode.DiagnosticSeverity.Hint],
      );
      await configuration.update('checksum.severity', 'off', vscode.ConfigurationTarget.Global);
      await waitForProblems(document, 1);
    } finally {
      await configuration.update('checksum.missing', undefined, vscode.ConfigurationTarget.Global);
      await configuration.update('checksum.severity', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('provides document links when the setting is on', async () => {
    const configuration = vscode.workspace.getConfiguration('hexlens');
    const document = await shown(`see ${right}\n`, 'plaintext');
    const links = () =>
      vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri);
    assert.deepEqual(await links(), []);
    try {
      await configuration.update('documentLinks.enabled', true, vscode.ConfigurationTarget.Global);
      const found = await until(links, all => all.length > 0, 'provides a link');
      assert.equal(document.getText(found[0]?.range), right);
      assert.match(String(found[0]?.target), /^command:hexlens\.inspect/);
    } finally {
      await configuration.update('documentLinks.enabled', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
