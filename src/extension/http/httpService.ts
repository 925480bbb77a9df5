// The HTTP service of this window: starts and stops it in the worker and shows it in the status bar.
import { commands, env, l10n, type QuickPickItem, type SecretStorage, StatusBarAlignment, Uri, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault } from '../../base/errors.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { generateApiKey } from '../../server/apiKey.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../prompts/showMessage.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface HttpServiceDeps extends Pick<FeatureDeps, 'settings' | 'log'> {
  readonly worker: Pick<WorkerClient, 'onDidExit' | 'serve'>;
  readonly secrets: SecretStorage;
}

/** Stored between sessions, so that scripts need not change; not one of the keys for remote hosts. */
const KEY_SECRET = 'hexlens.http.key';

interface RunningService {
  readonly url: string;
  readonly key: string;
}

/** The same port is used again, so that scripts need not change. */
const getPort = ({ url }: RunningService): number => Number(new URL(url).port);

export class HttpService implements Disposable {
  readonly #deps: HttpServiceDeps;
  readonly #store = new DisposableStore();
  readonly #item = this.#store.add(window.createStatusBarItem('hexlens.http', StatusBarAlignment.Left, 9));
  /** `null` while it is stopped. */
  #running: RunningService | null = null;
  /** A start that has not ended. */
  #starting: Promise<RunningService> | null = null;

  constructor(deps: HttpServiceDeps) {
    this.#deps = deps;
    this.#item.name = l10n.t('HexLens HTTP Service');
    this.#item.command = commandIds.showHttp;
    this.#store.add(deps.worker.onDidExit(() => this.#restart()));
  }

  /** Starts the service unless it is running, and shows its URL. Resolves with the URL, `null` when it cannot start. */
  async start(): Promise<string | null> {
    if (this.#running === null) return this.#startAndShow(this.#deps.settings.current().httpPort);
    void this.#showUrl(this.#running);
    return this.#running.url;
  }

  async stop(): Promise<void> {
    await this.#starting?.catch(() => {});
    if (this.#running === null) return;
    this.#render(null);
    await this.#deps.worker.serve(null);
    window.setStatusBarMessage(l10n.t('The HTTP service is stopped.'), 3_000);
  }

  copyUrl(): Promise<void> {
    return this.#copy('url', l10n.t('URL copied.'));
  }

  copyKey(): Promise<void> {
    return this.#copy('key', l10n.t('Key copied.'));
  }

  async showActions(): Promise<void> {
    if (this.#running === null) return;
    const { url } = this.#running;
    const choices: (QuickPickItem & { run(): unknown })[] = [
      { label: l10n.t('Copy URL'), description: url, run: () => this.copyUrl() },
      { label: l10n.t('Copy Key'), run: () => this.copyKey() },
      { label: l10n.t('Open Reference'), run: () => env.openExternal(Uri.parse(`${url}/docs`)) },
      { label: l10n.t('Generate New Key'), run: () => this.#generateNewKey() },
      { label: l10n.t('Stop'), run: () => this.stop() },
    ];
    const picked = await window.showQuickPick(choices, { title: l10n.t('HexLens HTTP Service') });
    await picked?.run();
  }

  dispose(): void {
    this.#store.dispose();
    this.#render(null);
  }

  #render(next: RunningService | null): void {
    this.#running = next;
    void commands.executeCommand('setContext', contextKeys.httpRunning, next !== null);
    if (next === null) return void this.#item.hide();
    const { host } = new URL(next.url);
    this.#item.text = `$(radio-tower) :${getPort(next)}`;
    this.#item.tooltip = l10n.t('The HexLens HTTP service is running at {0}. Click to copy its URL or key.', host);
    this.#item.accessibilityInformation = { label: l10n.t('HexLens HTTP service at {0}', host), role: 'button' };
    this.#item.show();
  }

  /** The service stops with the worker and is started again. */
  #restart(): void {
    if (this.#running === null || this.#store.disposed) return;
    const port = getPort(this.#running);
    this.#render(null);
    this.#start(port).catch(error => {
      if (this.#store.disposed) return;
      this.#deps.log.warn(`The HTTP service could not be restarted: ${formatFault(error)}`);
      void showWarningMessage(l10n.t('The HTTP service has stopped: {0}', formatFault(error)));
    });
  }

  #start(port: number): Promise<RunningService> {
    this.#starting ??= (async () => {
      const key = await this.#getOrCreateKey();
      const url = await this.#deps.worker.serve({ port, key });
      if (url === null) throw new Error('The worker did not start the HTTP service.');
      this.#render({ url, key });
      return { url, key };
    })().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #startAndShow(port: number): Promise<string | null> {
    try {
      const started = await this.#start(port);
      void this.#showUrl(started);
      return started.url;
    } catch (error) {
      const useFreePort = l10n.t('Use a Free Port');
      const actions = port === 0 ? [] : [useFreePort];
      void showErrorMessage(formatFault(error), ...actions).then(async choice => {
        if (choice === useFreePort) await this.#startAndShow(0);
      });
      return null;
    }
  }

  async #showUrl({ url }: RunningService): Promise<void> {
    const [copyUrl, copyKey] = [l10n.t('Copy URL'), l10n.t('Copy Key')];
    const message = l10n.t('The HexLens HTTP service is running at {0}. Send its key in the X-API-Key header.', url);
    const picked = await showInformationMessage(message, copyUrl, copyKey);
    if (picked === copyUrl) await this.copyUrl();
    if (picked === copyKey) await this.copyKey();
  }

  async #copy(what: 'url' | 'key', message: string): Promise<void> {
    if (this.#running === null) {
      const start = l10n.t('Start');
      const picked = await showInformationMessage(l10n.t('The HTTP service is not running.'), start);
      if (picked !== start || (await this.start()) === null || this.#running === null) return;
    }
    await env.clipboard.writeText((this.#running as RunningService)[what]);
    window.setStatusBarMessage(message, 3_000);
  }

  async #getOrCreateKey(): Promise<string> {
    const stored = await this.#deps.secrets.get(KEY_SECRET);
    if (stored !== undefined) return stored;
    const key = generateApiKey();
    await this.#deps.secrets.store(KEY_SECRET, key);
    return key;
  }

  async #generateNewKey(): Promise<void> {
    if (this.#running === null) return;
    await this.#deps.secrets.store(KEY_SECRET, generateApiKey());
    await this.#startAndShow(getPort(this.#running));
  }
}
