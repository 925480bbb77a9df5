// The HTTP service of this window: starts and stops it in the worker and shows it in the status bar.
import { commands, env, l10n, type QuickPickItem, type SecretStorage, StatusBarAlignment, Uri, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { generateApiKey } from '../../server/apiKey.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../prompts/messages.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerThread } from '../worker/workerClient.ts';

export interface HttpServiceDeps {
  readonly worker: WorkerThread;
  readonly settings: SettingsSource;
  readonly secrets: SecretStorage;
  readonly log: Log;
}

export interface HttpService extends Disposable {
  /** Starts the service unless it is running, and shows its URL. Resolves with the URL, `null` when it cannot start. */
  start(): Promise<string | null>;
  stop(): Promise<void>;
  copyUrl(): Promise<void>;
  copyKey(): Promise<void>;
  /** Shows the actions of the running service. */
  showActions(): Promise<void>;
}

/** Stored between sessions, so that scripts need not change; not one of the keys for remote hosts. */
const KEY_SECRET = 'hexlens.http.key';

interface RunningService {
  readonly url: string;
  readonly key: string;
}

export function createHttpService({ worker, settings, secrets, log }: HttpServiceDeps): HttpService {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('hexlens.http', StatusBarAlignment.Left, 9));
  item.name = l10n.t('HexLens HTTP Service');
  item.command = commandIds.showHttp;
  let running: RunningService | null = null;
  let starting: Promise<RunningService> | null = null;

  const render = (next: RunningService | null) => {
    running = next;
    void commands.executeCommand('setContext', contextKeys.httpRunning, next !== null);
    if (next === null) return item.hide();
    const host = new URL(next.url).host;
    item.text = `$(radio-tower) :${new URL(next.url).port}`;
    item.tooltip = l10n.t('The HexLens HTTP service is running at {0}. Click to copy its URL or key.', host);
    item.accessibilityInformation = { label: l10n.t('HexLens HTTP service at {0}', host), role: 'button' };
    item.show();
  };

  const getOrCreateKey = async (): Promise<string> => {
    const stored = await secrets.get(KEY_SECRET);
    if (stored !== undefined) return stored;
    const key = generateApiKey();
    await secrets.store(KEY_SECRET, key);
    return key;
  };

  const start = (port: number): Promise<RunningService> => {
    starting ??= (async () => {
      const key = await getOrCreateKey();
      const url = await worker.serve({ port, key });
      if (url === null) throw new Error('The worker did not start the HTTP service.');
      render({ url, key });
      return { url, key };
    })().finally(() => {
      starting = null;
    });
    return starting;
  };

  const showUrl = async ({ url }: RunningService): Promise<void> => {
    const [copyUrl, copyKey] = [l10n.t('Copy URL'), l10n.t('Copy Key')];
    const picked = await showInformationMessage(
      l10n.t('The HexLens HTTP service is running at {0}. Send its key in the X-API-Key header.', url),
      copyUrl,
      copyKey,
    );
    if (picked === copyUrl) await service.copyUrl();
    if (picked === copyKey) await service.copyKey();
  };

  const startAndShow = async (port: number): Promise<string | null> => {
    try {
      const started = await start(port);
      void showUrl(started);
      return started.url;
    } catch (error) {
      const useFreePort = l10n.t('Use a Free Port');
      const actions = port === 0 ? [] : [useFreePort];
      void showErrorMessage(formatFault(error), ...actions).then(async choice => {
        if (choice === useFreePort) await startAndShow(0);
      });
      return null;
    }
  };

  const copy = async (what: 'url' | 'key', message: string): Promise<void> => {
    if (running === null) {
      const start = l10n.t('Start');
      const picked = await showInformationMessage(l10n.t('The HTTP service is not running.'), start);
      if (picked !== start || (await service.start()) === null || running === null) return;
    }
    await env.clipboard.writeText(running[what]);
    window.setStatusBarMessage(message, 3_000);
  };

  const generateNewKey = async (): Promise<void> => {
    if (running === null) return;
    await secrets.store(KEY_SECRET, generateApiKey());
    await startAndShow(Number(new URL(running.url).port));
  };

  // The service stops with the worker and is started again on the same port.
  store.add(
    worker.onDidExit(() => {
      if (running === null || store.disposed) return;
      const port = Number(new URL(running.url).port);
      render(null);
      start(port).catch(error => {
        if (store.disposed) return;
        log.warn(`The HTTP service could not be restarted: ${formatFault(error)}`);
        void showWarningMessage(l10n.t('The HTTP service has stopped: {0}', formatFault(error)));
      });
    }),
  );

  const service: HttpService = {
    async start() {
      if (running === null) return startAndShow(settings.current().httpPort);
      void showUrl(running);
      return running.url;
    },
    async stop() {
      await starting?.catch(() => {});
      if (running === null) return;
      render(null);
      await worker.serve(null);
      window.setStatusBarMessage(l10n.t('The HTTP service is stopped.'), 3_000);
    },
    copyUrl: () => copy('url', l10n.t('URL copied.')),
    copyKey: () => copy('key', l10n.t('Key copied.')),
    async showActions() {
      if (running === null) return;
      const { url } = running;
      const choices: (QuickPickItem & { run(): unknown })[] = [
        { label: l10n.t('Copy URL'), description: url, run: () => service.copyUrl() },
        { label: l10n.t('Copy Key'), run: () => service.copyKey() },
        { label: l10n.t('Open Reference'), run: () => env.openExternal(Uri.parse(`${url}/docs`)) },
        { label: l10n.t('Generate New Key'), run: generateNewKey },
        { label: l10n.t('Stop'), run: () => service.stop() },
      ];
      const picked = await window.showQuickPick(choices, { title: l10n.t('HexLens HTTP Service') });
      await picked?.run();
    },
    dispose() {
      store.dispose();
      render(null);
    },
  };
  return service;
}
