// The HTTP service of this window: the backend's door, its key in SecretStorage, its place in the status bar.
import { commands, env, l10n, type QuickPickItem, StatusBarAlignment, Uri, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault } from '../../base/errors.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys } from '../../manifest/contextKeys.ts';
import { generateApiKey } from '../../server/apiKey.ts';
import type { HttpServiceDeps } from './registerHttpService.ts';

export interface HttpService extends Disposable {
  /** Opens it and says where; when it is open already it only says so. Resolves with the URL, `null` when it can not. */
  start(): Promise<string | null>;
  stop(): Promise<void>;
  copyUrl(): Promise<void>;
  copyKey(): Promise<void>;
  /** What can be done with it, to choose from. */
  show(): Promise<void>;
}

/** Kept between sessions, so that scripts need not change; not one of the keys for remote hosts. */
const SECRET = 'hexlens.http.key';

interface Open {
  readonly url: string;
  readonly key: string;
}

export function createHttpService({ backend, settings, secrets, log }: HttpServiceDeps): HttpService {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('hexlens.http', StatusBarAlignment.Left, 9));
  item.name = l10n.t('HexLens HTTP Service');
  item.command = commandIds.showHttp;
  let open: Open | null = null;
  let opening: Promise<Open> | null = null;

  const render = (next: Open | null) => {
    open = next;
    void commands.executeCommand('setContext', contextKeys.httpRunning, next !== null);
    if (next === null) return item.hide();
    const host = new URL(next.url).host;
    item.text = `$(radio-tower) :${new URL(next.url).port}`;
    item.tooltip = l10n.t('HexLens answers HTTP at {0}. Click to copy its URL or key.', host);
    item.accessibilityInformation = { label: l10n.t('HexLens HTTP service at {0}', host), role: 'button' };
    item.show();
  };

  const keyOf = async (): Promise<string> => {
    const kept = await secrets.get(SECRET);
    if (kept !== undefined) return kept;
    const key = generateApiKey();
    await secrets.store(SECRET, key);
    return key;
  };

  const openAt = (port: number): Promise<Open> => {
    opening ??= (async () => {
      const key = await keyOf();
      const url = await backend.serve({ port, key });
      if (url === null) throw new Error('The backend opened no door.');
      render({ url, key });
      return { url, key };
    })().finally(() => {
      opening = null;
    });
    return opening;
  };

  const tell = async ({ url }: Open): Promise<void> => {
    const [copyUrl, copyKey] = [l10n.t('Copy URL'), l10n.t('Copy Key')];
    const picked = await window.showInformationMessage(
      l10n.t('HexLens answers HTTP at {0}. Send its key in the X-API-Key header.', url),
      copyUrl,
      copyKey,
    );
    if (picked === copyUrl) await service.copyUrl();
    if (picked === copyKey) await service.copyKey();
  };

  const openOrTell = async (port: number): Promise<string | null> => {
    try {
      const now = await openAt(port);
      void tell(now);
      return now.url;
    } catch (error) {
      const free = l10n.t('Use a Free Port');
      const picked = window.showErrorMessage(formatFault(error), ...(port === 0 ? [] : [free]));
      void picked.then(async choice => {
        if (choice === free) await openOrTell(0);
      });
      return null;
    }
  };

  const copy = async (what: 'url' | 'key', said: string): Promise<void> => {
    if (open === null) {
      const start = l10n.t('Start');
      const picked = await window.showInformationMessage(l10n.t('The HTTP service is not running.'), start);
      if (picked !== start || (await service.start()) === null || open === null) return;
    }
    await env.clipboard.writeText(open[what]);
    window.setStatusBarMessage(said, 3_000);
  };

  const newKeyNow = async (): Promise<void> => {
    if (open === null) return;
    await secrets.store(SECRET, generateApiKey());
    await openOrTell(Number(new URL(open.url).port));
  };

  // The door goes with the worker: whoever opened it wants it to be there still.
  store.add(
    backend.onDidExit(() => {
      if (open === null || store.disposed) return;
      const port = Number(new URL(open.url).port);
      render(null);
      openAt(port).catch(error => {
        if (store.disposed) return;
        log.warn(`The HTTP service could not be opened again: ${formatFault(error)}`);
        void window.showWarningMessage(l10n.t('The HTTP service has stopped: {0}', formatFault(error)));
      });
    }),
  );

  const service: HttpService = {
    async start() {
      if (open === null) return openOrTell(settings.current().httpPort);
      void tell(open);
      return open.url;
    },
    async stop() {
      await opening?.catch(() => {});
      if (open === null) return;
      render(null);
      await backend.serve(null);
      window.setStatusBarMessage(l10n.t('The HTTP service is stopped.'), 3_000);
    },
    copyUrl: () => copy('url', l10n.t('URL copied.')),
    copyKey: () => copy('key', l10n.t('Key copied.')),
    async show() {
      if (open === null) return;
      const { url } = open;
      const choices: (QuickPickItem & { run(): unknown })[] = [
        { label: l10n.t('Copy URL'), description: url, run: () => service.copyUrl() },
        { label: l10n.t('Copy Key'), run: () => service.copyKey() },
        { label: l10n.t('Open Reference'), run: () => env.openExternal(Uri.parse(`${url}/docs`)) },
        { label: l10n.t('Make a New Key'), run: newKeyNow },
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
