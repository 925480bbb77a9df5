// Diagnostics and quick fixes for keys in settings files, and the prompt for secrets that placeholders name.
import {
  CodeAction,
  CodeActionKind,
  type Diagnostic,
  DiagnosticSeverity,
  l10n,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { formatPlaceholder, getSecretNames } from '../../api/nodeUrls.ts';
import { Owner } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import { findUrlSecret, getConfiguredUrls } from '../../manifest/secretPlaceholders.ts';
import { type DocumentChecks, registerDocumentChecks } from '../editor/documentChecks.ts';
import { createDocumentProblems, type DocumentProblem, type DocumentProblems } from '../editor/documentProblems.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showWarningMessage } from '../prompts/showMessage.ts';
import { createSecretGetter, formatOrigins } from './resolveSecrets.ts';

export type UrlSecretsDeps = Pick<FeatureDeps, 'settings' | 'secrets' | 'log'>;

const SETTINGS_FILE = /(?:^|[/\\])(?:settings\.json|[^/\\]+\.code-workspace)$/;
const MAX_TEXT_LENGTH = 1_000_000;
/** A URL that is a string literal, or one of several in a string literal. */
const URL_IN_STRING = /(?<=["\s,])(?:http|ws)s?:\/\/[^"\\\s,]{1,2000}/g;
const normalize = (url: string): string => (URL.parse(url)?.href ?? url).replace(/\/$/, '');

function createStoreAction(document: TextDocument, range: Range, diagnostic: Diagnostic): CodeAction {
  const title = l10n.t('Move the key to the secret storage');
  const action = new CodeAction(title, CodeActionKind.QuickFix);
  action.isPreferred = true;
  // The URL itself is not an argument: arguments of commands may be logged.
  const target = [document.uri.toString(), range.start.line];
  action.command = { title, command: commandIds.storeUrlSecret, arguments: target };
  action.diagnostics = [diagnostic];
  return action;
}

export class UrlSecretChecks extends Owner {
  readonly #deps: UrlSecretsDeps;
  /** Missing secrets that the user was asked for, with their origins. */
  readonly #prompted = new Set<string>();
  readonly #problems: DocumentProblems<DocumentProblem>;
  readonly #documentChecks: DocumentChecks;

  constructor(deps: UrlSecretsDeps) {
    super();
    this.#deps = deps;
    this.#problems = this.store.add(
      createDocumentProblems<DocumentProblem>({
        collectionName: 'hexlens-secrets',
        selector: { pattern: '**/{settings.json,*.code-workspace}' },
        actionKinds: [CodeActionKind.QuickFix],
        refresh: document => this.#checkDocument(document),
        createActions: ({ document, inRange }) =>
          inRange.map(({ range, diagnostic }) => createStoreAction(document, range, diagnostic)),
      }),
    );
    this.#documentChecks = this.store.add(
      registerDocumentChecks({
        typingPauseMs: 250,
        mayConcern: ({ uri }) => SETTINGS_FILE.test(uri.path),
        check: async document => this.#checkDocument(document),
        clear: ({ uri }) => this.#problems.clear(uri),
        onError: error => deps.log.error(`A settings file could not be checked for keys: ${String(error)}`),
      }),
    );
  }

  /** Checks the settings, and the settings files that are visible. Never rejects. */
  async check(): Promise<void> {
    this.#documentChecks.checkAgain();
    await this.#promptForMissing().catch(error => this.#logFailure(error));
  }

  /** Moves the secret of the URL at a range of a document to the secret storage. Arguments: URI and line of it, and the URL. */
  async storeSecret(...[uri, line]: readonly unknown[]): Promise<void> {
    if (typeof uri !== 'string' || typeof line !== 'number') return;
    const document = await workspace.openTextDocument(Uri.parse(uri));
    const literal = this.#findLiterals(document).find(({ range }) => range.start.line === line);
    const found = literal === undefined ? null : findUrlSecret(literal.url);
    if (literal === undefined || found === null) return;
    const name = await this.#deps.secrets.add(found.suggestedName, found.secret, literal.url);
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, literal.range, found.withPlaceholder(name));
    if (await workspace.applyEdit(edit)) await document.save();
  }

  /** Such as that of a secret storage that is locked. */
  #logFailure(error: unknown): void {
    this.#deps.log.error(`The stored keys of URLs could not be used: ${String(error)}`);
  }

  /** URLs of our nodes in the document that hold a key. */
  #findLiterals(document: TextDocument): readonly { readonly range: Range; readonly url: string }[] {
    const text = document.getText();
    if (text.length > MAX_TEXT_LENGTH) return [];
    const nodeUrls = new Set(getConfiguredUrls(this.#deps.settings.configuration()).map(normalize));
    return [...text.matchAll(URL_IN_STRING)].flatMap(({ index, 0: url }) => {
      if (!nodeUrls.has(normalize(url)) || findUrlSecret(url) === null) return [];
      return [{ range: new Range(document.positionAt(index), document.positionAt(index + url.length)), url }];
    });
  }

  #checkDocument(document: TextDocument): void {
    const message = l10n.t(
      'This URL holds a key. Move it to the secret storage, so that it is not synced or committed.',
    );
    this.#problems.set(
      document,
      this.#findLiterals(document).map(({ range }) => ({
        range,
        message,
        severity: DiagnosticSeverity.Warning,
        code: 'key-in-settings',
      })),
    );
  }

  async #promptForMissing(): Promise<void> {
    const { settings, secrets } = this.#deps;
    const urls = getConfiguredUrls(settings.configuration()).filter(url => getSecretNames(url).length > 0);
    if (urls.length === 0) return;
    const [stored, getSecret] = await Promise.all([secrets.all(), createSecretGetter(secrets, settings.userUrls())]);
    for (const name of new Set(urls.flatMap(getSecretNames))) {
      const missing = urls.filter(url => getSecretNames(url).includes(name) && getSecret(name, url) === undefined);
      const origins = formatOrigins(missing);
      if (missing.length === 0 || this.#prompted.has(`${name} ${origins}`)) continue;
      this.#prompted.add(`${name} ${origins}`);
      const prompted = Object.hasOwn(stored, name)
        ? this.#promptToAllow(name, missing, origins)
        : this.#promptSecret(name, missing, origins);
      prompted.catch(error => this.#logFailure(error));
    }
  }

  async #promptSecret(name: string, urls: readonly string[], origins: string): Promise<void> {
    const placeholder = formatPlaceholder(name);
    const enter = l10n.t('Enter Key');
    const message = l10n.t('The key {0} for {1} is not stored on this machine.', placeholder, origins);
    if ((await showWarningMessage(message, enter)) !== enter) return;
    const secret = await window.showInputBox({
      title: l10n.t('Enter Key'),
      prompt: l10n.t(
        'The key {0} is stored in the secret storage of VS Code, and sent to {1} only.',
        placeholder,
        origins,
      ),
      password: true,
      ignoreFocusOut: true,
    });
    if (secret?.trim()) await this.#deps.secrets.set(name, secret.trim(), urls);
  }

  /** The settings of a workspace name a host that the user has not stored the key for. */
  async #promptToAllow(name: string, urls: readonly string[], origins: string): Promise<void> {
    const allow = l10n.t('Allow');
    const message = l10n.t(
      'Settings of this workspace would send your key {0} to {1}. Allow that?',
      formatPlaceholder(name),
      origins,
    );
    if ((await showWarningMessage(message, allow)) === allow) await this.#deps.secrets.allow(name, urls);
  }
}
