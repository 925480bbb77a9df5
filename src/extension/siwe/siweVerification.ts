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
import { locateSiweFields } from '../../api/siwe/locateFields.ts';
import { safeParseSiweMessage } from '../../api/siwe/parseSiweMessage.ts';
import { systemClock } from '../../base/clock.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault, getFaultCode, isFault, toFault } from '../../base/errors.ts';
import { createClient } from '../../client/client.ts';
import { commandIds } from '../../manifest/commands.ts';
import { checkSignatureText } from '../../view/siwe/checkSignatureText.ts';
import type { SiweText, TextSpan } from '../../view/siwe/findSiweMessages.ts';
import { findSiweMessageAt, inspectSiweMessage, inspectSiweMessages } from '../../view/siwe/inspectSiwe.ts';
import {
  findRejectedPart,
  type RejectedPart,
  toSigner,
  type VerifiedIdentity,
} from '../../view/siwe/verificationResult.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createIdentityDocuments } from './identityDocuments.ts';
import type { SiweDeps } from './registerSiwe.ts';
import { createSiweDiagnostics, type SiweFinding, toSiweFinding } from './siweDiagnostics.ts';
import { createSiweFieldHover } from './siweFieldHover.ts';

// One verification through the backend, whose worker only looks: no nonce is used up, a message may be looked at again.
/** Resolves with the identity, embedded or from the remote host of the settings; rejects with a HexLensError. */
export type VerifySiwe = (message: string, signature: string, signal: AbortSignal) => Promise<VerifiedIdentity>;

export function createSiweVerifier({ transport }: Pick<WorkerClient, 'transport'>): VerifySiwe {
  const client = createClient(transport);
  return (message, signature, signal) => client.verifySignIn({ message, signature }, { signal });
}

export interface SiweVerification extends Disposable {
  /** Marks what is wrong with the messages of a document. */
  check(document: TextDocument): void;
  /** Takes the marks away. */
  clear(document: TextDocument): void;
  /** The command: resolves with the identity, or with nothing where the user was told why there is none. */
  verify(): Promise<VerifiedIdentity | undefined>;
}

const title = () => l10n.t('Verify Sign-In Message');

const moved = (span: TextSpan, by: number): TextSpan => ({ start: span.start + by, end: span.end + by });

/** The same message in the text around a selection. */
function inDocument(found: SiweText, by: number): SiweText {
  const { signature } = found;
  return {
    ...found,
    ...moved(found, by),
    signature: signature && { ...signature, ...moved(signature, by) },
    toTextOffset: offset => found.toTextOffset(offset) + by,
  };
}

function messageOf({ document, selection, selections }: TextEditor): SiweText | null {
  if (selection.isEmpty || selections.length > 1)
    return findSiweMessageAt(document.getText(), document.offsetAt(selection.active));
  const found = findSiweMessageAt(document.getText(selection), 0);
  return found && inDocument(found, document.offsetAt(selection.start));
}

async function askSignature(): Promise<string | undefined> {
  const given = await window.showInputBox({
    title: title(),
    prompt: l10n.t('There is no signature beside the message. Paste it here: 0x and 130 hex digits.'),
    placeHolder: '0x…',
    ignoreFocusOut: true,
    validateInput(value) {
      const remark = value.trim() === '' ? null : checkSignatureText(value.trim());
      if (remark === null) return null;
      const severity =
        remark.severity === 'error' ? InputBoxValidationSeverity.Error : InputBoxValidationSeverity.Warning;
      return { message: remark.message, severity };
    },
  });
  return given?.trim() || undefined;
}

/** Where in the document a refused part stands; the first line when the message has no such part. */
function spanOf(found: SiweText, part: RejectedPart): TextSpan {
  if (part === 'signature' && found.signature !== null) return found.signature;
  const fields = locateSiweFields(found.message);
  const field = fields.find(candidate => candidate.field === part) ?? fields[0];
  return field === undefined ? found : { start: found.toTextOffset(field.start), end: found.toTextOffset(field.end) };
}

export function createSiweVerification({ backend, settings, log }: SiweDeps): SiweVerification {
  const store = new DisposableStore();
  const results = store.add(createIdentityDocuments());
  /** Refusals that only a verification could find; they stand until the text changes. */
  const refusals = new WeakMap<TextDocument, { readonly version: number; readonly marks: readonly SiweFinding[] }>();
  const check = (document: TextDocument) => {
    const held = refusals.get(document);
    const refused = held?.version === document.version ? held.marks : [];
    const live = inspectSiweMessages(document.getText()).map(toSiweFinding);
    marks.set(document, [...live.filter(mark => !refused.some(({ start }) => start === mark.start)), ...refused]);
  };
  const marks = store.add(createSiweDiagnostics({ refresh: check }));
  const verifyThere = createSiweVerifier(backend);
  const hover = createSiweFieldHover({ enabled: () => settings.current().hover.enabled, now: systemClock.now });
  store.add(languages.registerHoverProvider('*', hover));

  /** Underlines, shows the line, and says why. */
  function refuse(editor: TextEditor, refused: readonly SiweFinding[]): void {
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
      .showErrorMessage(`HexLens: ${sanitizeText(first.message, 400)}`, ...(first.fix === null ? [show] : [fix, show]))
      .then(async choice => {
        if (choice === undefined) return;
        const shown = await window.showTextDocument(document, editor.viewColumn);
        shown.selection = new Selection(at, at);
        await commands.executeCommand(choice === fix ? 'editor.action.quickFix' : 'editor.action.marker.next');
      });
  }

  const refuseAt = (editor: TextEditor, span: TextSpan, part: RejectedPart, message: string) =>
    refuse(editor, [{ ...span, message, code: `sign-in-${part}`, fix: null, fixAll: null }]);

  async function ask(editor: TextEditor, found: SiweText, signature: string): Promise<VerifiedIdentity | undefined> {
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
      log.warn(`Sign-in message: ${getFaultCode(error)}`);
      const said = sanitizeText(formatFault(error), 400);
      const read = safeParseSiweMessage(found.message);
      // A host's 401 is about its key; an embedded one about the message. Everything else (no host, no node) is not
      // the message's fault: nothing is underlined.
      const remote = settings.configuration().groups.auth.mode === 'remote';
      const refusal = isFault(error, 'bad-input') || (!remote && isFault(error, 'unauthorized'));
      if (!refusal || 'problem' in read) {
        const { details } = toFault(error);
        const more = remote && details !== undefined ? ` (${sanitizeText(details, 200)})` : '';
        void window.showErrorMessage(`HexLens: ${said}${more}`);
      } else {
        const part = findRejectedPart(said, read.message, systemClock.now());
        refuseAt(editor, spanOf(found, part), part, said);
      }
      return undefined;
    }
  }

  async function verify(): Promise<VerifiedIdentity | undefined> {
    const editor = window.activeTextEditor;
    const found = editor && messageOf(editor);
    if (!found) {
      const said = l10n.t(
        'There is no sign-in message here. Open or select one: it starts with "example.com wants you to sign in with your Ethereum account:" and its signature follows below.',
      );
      void window.showErrorMessage(`HexLens: ${said}`);
      return undefined;
    }
    const wrong = inspectSiweMessage(found).map(toSiweFinding);
    if (wrong.length > 0) {
      refuse(editor, wrong);
      return undefined;
    }
    const remark = found.signature && checkSignatureText(found.signature.text);
    if (found.signature && remark?.severity === 'error') {
      refuseAt(editor, found.signature, 'signature', remark.message);
      return undefined;
    }
    const signature = found.signature?.text ?? (await askSignature());
    if (signature === undefined) return undefined;
    refusals.delete(editor.document);
    check(editor.document);
    const identity = await ask(editor, found, signature);
    if (identity === undefined) return undefined;
    await results.show(identity);
    const { address, domain, chain } = toSigner(identity);
    const copy = l10n.t('Copy Address');
    const signed = l10n.t('Signed by {address} for {domain} on {chain}.', { address, domain, chain });
    void window.showInformationMessage(signed, copy).then(choice => {
      if (choice === copy) void commands.executeCommand(commandIds.copyText, address);
    });
    return identity;
  }

  return {
    check,
    clear(document) {
      refusals.delete(document);
      marks.clear(document);
    },
    verify,
    dispose: () => store.dispose(),
  };
}
