// Verifies sign-in messages and marks what is wrong with them. Loaded with the first message or the first command.
import {
  commands,
  InputBoxValidationSeverity,
  l10n,
  languages,
  ProgressLocation,
  Selection,
  type TextDocument,
  type TextEditor,
  window,
} from 'vscode';
import { signInFields } from '../../api/siwe/locateFields.ts';
import { readSignInMessage } from '../../api/siwe/parseSiweMessage.ts';
import { systemClock } from '../../base/clock.ts';
import { plainText } from '../../base/displayText.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { asFault, faultCode, isFault, readable } from '../../base/errors.ts';
import { commandIds } from '../../manifest/commands.ts';
import { remarkOnSignature } from '../../view/siwe/checkSignatureText.ts';
import type { SignInText, Span } from '../../view/siwe/findSiweMessages.ts';
import { inspectSignIn, inspectSignIns, signInAt } from '../../view/siwe/inspectSiwe.ts';
import { type Identity, type RefusedPart, refusedPart, signerOf } from '../../view/siwe/verificationResult.ts';
import { createVerifier } from '../signIn/verifier.ts';
import { createResults } from './identityDocuments.ts';
import type { SignInDeps } from './registerSiwe.ts';
import { createMarks, type Mark, markOf } from './siweDiagnostics.ts';
import { createFieldHover } from './siweFieldHover.ts';

export interface SignIn extends Disposable {
  /** Marks what is wrong with the messages of a document. */
  check(document: TextDocument): void;
  /** Takes the marks away. */
  forget(document: TextDocument): void;
  /** The command: resolves with the identity, or with nothing where the user was told why there is none. */
  verify(): Promise<Identity | undefined>;
}

const title = () => l10n.t('Verify Sign-In Message');

const moved = (span: Span, by: number): Span => ({ start: span.start + by, end: span.end + by });

/** The same message in the text around a selection. */
function inDocument(found: SignInText, by: number): SignInText {
  const { signature } = found;
  return {
    ...found,
    ...moved(found, by),
    signature: signature && { ...signature, ...moved(signature, by) },
    place: offset => found.place(offset) + by,
  };
}

function messageOf({ document, selection, selections }: TextEditor): SignInText | null {
  if (selection.isEmpty || selections.length > 1)
    return signInAt(document.getText(), document.offsetAt(selection.active));
  const found = signInAt(document.getText(selection), 0);
  return found && inDocument(found, document.offsetAt(selection.start));
}

async function askSignature(): Promise<string | undefined> {
  const given = await window.showInputBox({
    title: title(),
    prompt: l10n.t('There is no signature beside the message. Paste it here: 0x and 130 hex digits.'),
    placeHolder: '0x…',
    ignoreFocusOut: true,
    validateInput(value) {
      const remark = value.trim() === '' ? null : remarkOnSignature(value.trim());
      if (remark === null) return null;
      const severity =
        remark.severity === 'error' ? InputBoxValidationSeverity.Error : InputBoxValidationSeverity.Warning;
      return { message: remark.text, severity };
    },
  });
  return given?.trim() || undefined;
}

/** Where in the document a refused part stands; the first line when the message has no such part. */
function spanOf(found: SignInText, part: RefusedPart): Span {
  if (part === 'signature' && found.signature !== null) return found.signature;
  const fields = signInFields(found.message);
  const field = fields.find(candidate => candidate.field === part) ?? fields[0];
  return field === undefined ? found : { start: found.place(field.start), end: found.place(field.end) };
}

export function createSignIn({ backend, settings, log }: SignInDeps): SignIn {
  const store = new DisposableStore();
  const results = store.add(createResults());
  /** Refusals that only a verification could find; they stand until the text changes. */
  const refusals = new WeakMap<TextDocument, { readonly version: number; readonly marks: readonly Mark[] }>();
  const check = (document: TextDocument) => {
    const held = refusals.get(document);
    const refused = held?.version === document.version ? held.marks : [];
    const live = inspectSignIns(document.getText()).map(markOf);
    marks.set(document, [...live.filter(mark => !refused.some(({ start }) => start === mark.start)), ...refused]);
  };
  const marks = store.add(createMarks({ refresh: check }));
  const verifyThere = createVerifier(backend);
  const hover = createFieldHover({ enabled: () => settings.current().hover.enabled, now: systemClock.now });
  store.add(languages.registerHoverProvider('*', hover));

  /** Underlines, shows the line, and says why. */
  function refuse(editor: TextEditor, refused: readonly Mark[]): void {
    const { document } = editor;
    const [first] = refused;
    if (first === undefined) return;
    refusals.set(document, { version: document.version, marks: refused });
    check(document);
    const at = document.positionAt(first.start);
    editor.selection = new Selection(at, at);
    editor.revealRange(editor.selection);
    const show = l10n.t('Show Problem');
    const fix = l10n.t('Quick Fix…');
    void window
      .showErrorMessage(`HexLens: ${plainText(first.message, 400)}`, ...(first.fix === null ? [show] : [fix, show]))
      .then(async choice => {
        if (choice === undefined) return;
        const shown = await window.showTextDocument(document, editor.viewColumn);
        shown.selection = new Selection(at, at);
        await commands.executeCommand(choice === fix ? 'editor.action.quickFix' : 'editor.action.marker.next');
      });
  }

  const refuseAt = (editor: TextEditor, span: Span, part: RefusedPart, message: string) =>
    refuse(editor, [{ ...span, message, code: `sign-in-${part}`, fix: null, fixAll: null }]);

  async function ask(editor: TextEditor, found: SignInText, signature: string): Promise<Identity | undefined> {
    try {
      return await window.withProgress(
        { location: ProgressLocation.Window, title: l10n.t('Verifying the sign-in message…') },
        (_, token) => {
          const controller = new AbortController();
          token.onCancellationRequested(() => controller.abort());
          return verifyThere(found.message, signature, controller.signal);
        },
      );
    } catch (error) {
      if (isFault(error, 'cancelled')) return undefined;
      log.warn(`Sign-in message: ${faultCode(error)}`);
      const said = plainText(readable(error), 400);
      const read = readSignInMessage(found.message);
      // A host's 401 is about its key; an embedded one about the message. Everything else (no host, no node) is not
      // the message's fault: nothing is underlined.
      const remote = settings.configuration().groups.auth.mode === 'remote';
      const refusal = isFault(error, 'bad-input') || (!remote && isFault(error, 'unauthorized'));
      if (!refusal || 'problem' in read) {
        const { details } = asFault(error);
        const more = remote && details !== undefined ? ` (${plainText(details, 200)})` : '';
        void window.showErrorMessage(`HexLens: ${said}${more}`);
      } else {
        const part = refusedPart(said, read.message, systemClock.now());
        refuseAt(editor, spanOf(found, part), part, said);
      }
      return undefined;
    }
  }

  async function verify(): Promise<Identity | undefined> {
    const editor = window.activeTextEditor;
    const found = editor && messageOf(editor);
    if (!found) {
      const said = l10n.t(
        'There is no sign-in message here. Open or select one: it starts with "example.com wants you to sign in with your Ethereum account:" and its signature follows below.',
      );
      void window.showErrorMessage(`HexLens: ${said}`);
      return undefined;
    }
    const wrong = inspectSignIn(found).map(markOf);
    if (wrong.length > 0) {
      refuse(editor, wrong);
      return undefined;
    }
    const remark = found.signature && remarkOnSignature(found.signature.text);
    if (found.signature && remark?.severity === 'error') {
      refuseAt(editor, found.signature, 'signature', remark.text);
      return undefined;
    }
    const signature = found.signature?.text ?? (await askSignature());
    if (signature === undefined) return undefined;
    refusals.delete(editor.document);
    check(editor.document);
    const identity = await ask(editor, found, signature);
    if (identity === undefined) return undefined;
    await results.show(identity);
    const { address, domain, chain } = signerOf(identity);
    const copy = l10n.t('Copy Address');
    const signed = l10n.t('Signed by {address} for {domain} on {chain}.', { address, domain, chain });
    void window.showInformationMessage(signed, copy).then(choice => {
      if (choice === copy) void commands.executeCommand(commandIds.copyText, address);
    });
    return identity;
  }

  return {
    check,
    forget(document) {
      refusals.delete(document);
      marks.clear(document);
    },
    verify,
    dispose: () => store.dispose(),
  };
}
