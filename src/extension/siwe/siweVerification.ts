// Verifies sign-in messages (EIP-4361) and shows their problems.
import {
  commands,
  Hover,
  type HoverProvider,
  InputBoxValidationSeverity,
  l10n,
  languages,
  MarkdownString,
  ProgressLocation,
  Range,
  Selection,
  type TextDocument,
  type TextEditor,
  ViewColumn,
  window,
} from 'vscode';
import { siweDefaults } from '../../api/configuration.ts';
import { locateSiweFields } from '../../api/siwe/locateFields.ts';
import { safeParseSiweMessage } from '../../api/siwe/parseSiweMessage.ts';
import { systemClock } from '../../base/clock.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { Owner } from '../../base/disposable.ts';
import { formatFault, getFaultCode, isFault, toFault } from '../../base/errors.ts';
import { type Client, createClient } from '../../client/client.ts';
import { commandIds } from '../../manifest/commands.ts';
import { type ExplainedTime, explainField } from '../../view/siwe/explainField.ts';
import { findSiweMessages, type SiweText, type TextSpan } from '../../view/siwe/findSiweMessages.ts';
import { findSiweMessageAt, inspectSiweMessage, inspectSiweMessages } from '../../view/siwe/inspectSiwe.ts';
import {
  checkSignatureText,
  findRejectedPart,
  formatIdentityJson,
  getResultFileName,
  type RejectedPart,
  toSigner,
  type VerifiedIdentity,
} from '../../view/siwe/verificationResult.ts';
import { createReadOnlyDocuments } from '../editor/readOnlyDocuments.ts';
import { toAbortSignal } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showErrorMessage, showInformationMessage, withProgress } from '../prompts/showMessage.ts';
import { createSiweDiagnostics, type SiweDiagnostics, type SiweFinding, toSiweFinding } from './siweDiagnostics.ts';

interface SiweFieldHoverDeps {
  readonly enabled: () => boolean;
  readonly getClock: () => ExplainedTime;
}

/** As for the diagnostics. */
const MAX_TEXT_LENGTH = 200_000;

function createSiweFieldHover({ enabled, getClock }: SiweFieldHoverDeps): HoverProvider {
  return {
    provideHover(document, position) {
      if (!enabled()) return null;
      const text = document.getText();
      if (text.length > MAX_TEXT_LENGTH) return null;
      const offset = document.offsetAt(position);
      const found = findSiweMessages(text).find(
        ({ start, end, isCertain }) => isCertain && start <= offset && offset <= end,
      );
      if (found === undefined) return null;
      for (const field of locateSiweFields(found.message)) {
        // The label of a line belongs to its field; the first line has two fields.
        const [from, to] = field.line === 1 ? [field.start, field.end] : [field.lineStart, field.lineEnd];
        const [start, end] = [found.toTextOffset(from), found.toTextOffset(to)];
        if (offset < start || offset > end) continue;
        const explanation = explainField(field, getClock());
        if (explanation === null) return null;
        const markdown = new MarkdownString(explanation, true);
        markdown.supportHtml = false;
        return new Hover(markdown, new Range(document.positionAt(start), document.positionAt(end)));
      }
      return null;
    },
  };
}

export type SiweDeps = Pick<FeatureDeps, 'worker' | 'settings' | 'log'>;

const title = () => l10n.t('Verify Sign-In Message');

const shiftSpan = (span: TextSpan, by: number): TextSpan => ({ start: span.start + by, end: span.end + by });

/** Converts positions within a selection to positions in the document. */
function toDocumentPositions(found: SiweText, by: number): SiweText {
  const { signature } = found;
  return {
    ...found,
    ...shiftSpan(found, by),
    signature: signature && { ...signature, ...shiftSpan(signature, by) },
    toTextOffset: offset => found.toTextOffset(offset) + by,
  };
}

/** The message in the selection, else the one at the cursor. */
function findMessage({ document, selection, selections }: TextEditor): SiweText | null {
  if (selection.isEmpty || selections.length > 1)
    return findSiweMessageAt(document.getText(), document.offsetAt(selection.active));
  const found = findSiweMessageAt(document.getText(selection), 0);
  return found && toDocumentPositions(found, document.offsetAt(selection.start));
}

async function promptSignature(): Promise<string | undefined> {
  const signature = await window.showInputBox({
    title: title(),
    prompt: l10n.t('No signature found next to the message. Paste it here: 0x and 130 hex digits.'),
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
  return signature?.trim() || undefined;
}

/** The position of a rejected part; the first field when the message has no such part. */
function findPartSpan(found: SiweText, part: RejectedPart): TextSpan {
  if (part === 'signature' && found.signature !== null) return found.signature;
  const fields = locateSiweFields(found.message);
  const field = fields.find(candidate => candidate.field === part) ?? fields[0];
  return field === undefined ? found : { start: found.toTextOffset(field.start), end: found.toTextOffset(field.end) };
}

export class SiweVerification extends Owner {
  readonly #deps: SiweDeps;
  readonly #client: Client;
  /** Where identities are shown. */
  readonly #identityDocuments = this.store.add(
    createReadOnlyDocuments({
      authority: 'sign-in',
      expiredText: l10n.t('This result is no longer available. Verify the message again.'),
    }),
  );
  /** Findings that only a verification can have; they are shown until the text changes. */
  readonly #rejections = new WeakMap<
    TextDocument,
    { readonly version: number; readonly findings: readonly SiweFinding[] }
  >();
  readonly #diagnostics: SiweDiagnostics;

  constructor(deps: SiweDeps) {
    super();
    this.#deps = deps;
    this.#client = createClient(deps.worker.transport);
    this.#diagnostics = this.store.add(createSiweDiagnostics({ refresh: document => this.check(document) }));
    const hover = createSiweFieldHover({
      enabled: () => deps.settings.current().hover.enabled,
      getClock: () => ({
        now: systemClock.now(),
        clockSkewMs: deps.settings.current().siwe.clockSkewMs ?? siweDefaults.clockSkewMs,
      }),
    });
    this.store.add(languages.registerHoverProvider('*', hover));
  }

  check(document: TextDocument): void {
    const rejection = this.#rejections.get(document);
    const rejected = rejection?.version === document.version ? rejection.findings : [];
    const inspected = inspectSiweMessages(document.getText()).map(toSiweFinding);
    const others = inspected.filter(finding => !rejected.some(({ start }) => start === finding.start));
    this.#diagnostics.set(document, [...others, ...rejected]);
  }

  clear(document: TextDocument): void {
    this.#rejections.delete(document);
    this.#diagnostics.clear(document);
  }

  /** Verifies the message at the cursor. Resolves with `undefined` after showing why there is no identity. */
  async verify(): Promise<VerifiedIdentity | undefined> {
    const editor = window.activeTextEditor;
    const found = editor && findMessage(editor);
    if (!found) {
      const message = l10n.t(
        'There is no sign-in message here. Open or select one: it starts with "example.com wants you to sign in with your Ethereum account:" and its signature follows below.',
      );
      void showErrorMessage(`HexLens: ${message}`);
      return undefined;
    }
    const findings = inspectSiweMessage(found).map(toSiweFinding);
    if (findings.length > 0) {
      this.#reject(editor, findings);
      return undefined;
    }
    const remark = found.signature && checkSignatureText(found.signature.text);
    if (found.signature && remark?.severity === 'error') {
      this.#rejectAt(editor, found.signature, 'signature', remark.message);
      return undefined;
    }
    const signature = found.signature?.text ?? (await promptSignature());
    if (signature === undefined) return undefined;
    this.#rejections.delete(editor.document);
    this.check(editor.document);
    const identity = await this.#requestVerification(editor, found, signature);
    if (identity === undefined) return undefined;
    await this.#showIdentity(identity);
    const { address, domain, chain } = toSigner(identity);
    const copy = l10n.t('Copy Address');
    const signed = l10n.t('Signed by {address} for {domain} on {chain}.', { address, domain, chain });
    void showInformationMessage(signed, copy).then(choice => {
      if (choice === copy) void commands.executeCommand(commandIds.copyText, address);
    });
    return identity;
  }

  /** Shows findings as diagnostics, reveals the first, and shows it as an error message. */
  #reject(editor: TextEditor, findings: readonly SiweFinding[]): void {
    const { document } = editor;
    const [first] = findings;
    if (first === undefined) return;
    this.#rejections.set(document, { version: document.version, findings });
    this.check(document);
    const at = document.positionAt(first.start);
    editor.selection = new Selection(at, at);
    editor.revealRange(editor.selection);
    const show = l10n.t('Show Problem');
    const fix = l10n.t('Quick Fix…');
    void showErrorMessage(
      `HexLens: ${sanitizeText(first.message, 400)}`,
      ...(first.fix === null ? [show] : [fix, show]),
    ).then(async choice => {
      if (choice === undefined) return;
      const shown = await window.showTextDocument(document, editor.viewColumn);
      shown.selection = new Selection(at, at);
      await commands.executeCommand(choice === fix ? 'editor.action.quickFix' : 'editor.action.marker.next');
    });
  }

  #rejectAt(editor: TextEditor, span: TextSpan, part: RejectedPart, message: string): void {
    this.#reject(editor, [{ ...span, message, code: `sign-in-${part}`, fix: null, fixAll: null }]);
  }

  async #requestVerification(
    editor: TextEditor,
    found: SiweText,
    signature: string,
  ): Promise<VerifiedIdentity | undefined> {
    const { message } = found;
    try {
      return await withProgress(
        { location: ProgressLocation.Window, title: l10n.t('Verifying the sign-in message…') },
        (_, token) => this.#client.verifySignIn({ message, signature }, { signal: toAbortSignal(token).signal }),
      );
    } catch (error) {
      if (isFault(error, 'cancelled')) return undefined;
      this.#deps.log.warn(`Sign-in message: ${getFaultCode(error)}`);
      const faultText = sanitizeText(formatFault(error), 400);
      const parsed = safeParseSiweMessage(message);
      // `unauthorized` of a remote host is about its API key, of the embedded service about the message. Other faults,
      // such as an unreachable node, are not about the message and get no diagnostic.
      const isRemote = this.#deps.settings.configuration().groups.auth.mode === 'remote';
      const isRejection = isFault(error, 'bad-input') || (!isRemote && isFault(error, 'unauthorized'));
      if (!isRejection || 'problem' in parsed) {
        const { details } = toFault(error);
        const detailsText = isRemote && details !== undefined ? ` (${sanitizeText(details, 200)})` : '';
        void showErrorMessage(`HexLens: ${faultText}${detailsText}`);
      } else {
        const part = findRejectedPart(faultText, parsed.message, systemClock.now());
        this.#rejectAt(editor, findPartSpan(found, part), part, faultText);
      }
      return undefined;
    }
  }

  /** Opens the identity beside the message, which keeps the focus. */
  async #showIdentity(identity: VerifiedIdentity): Promise<void> {
    const document = await this.#identityDocuments.open(getResultFileName(identity), formatIdentityJson(identity));
    await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: true });
  }
}
