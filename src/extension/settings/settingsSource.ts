// Settings as the rest of the host reads them: parsed by the manifest's rules, with every problem said once.
import { type Event, EventEmitter, workspace } from 'vscode';
import type { Configuration, ProxyConfiguration } from '../../api/configuration.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { readSettings, type SettingProblem, type Settings } from '../../manifest/settings.ts';

export interface SettingsSource extends Disposable {
  current(): Settings;
  problems(): readonly SettingProblem[];
  /** What the backend needs of them, without the keys; the same object until the settings change. */
  configuration(): Configuration;
  /** Origins of the hosts that the settings name as a base URL, and of Aptos networks that are not on this machine. */
  remoteOrigins(): readonly string[];
  /** Names of the Aptos networks that the settings themselves hold, and not only the defaults. */
  userAptosNetworks(): ReadonlySet<string>;
  readonly onDidChange: Event<void>;
}

/** VS Code's own `http.*` settings: a bundled HTTP library does not see them unless told. */
function readProxy(): ProxyConfiguration {
  const http = workspace.getConfiguration('http');
  const url = http.get<string>('proxy')?.trim();
  return {
    support: http.get<string>('proxySupport') === 'off' ? 'off' : 'on',
    url: url ? url : null,
    noProxy: http.get<string[]>('noProxy') ?? [],
    strictSsl: http.get<boolean>('proxyStrictSSL') ?? true,
    systemCertificates: http.get<boolean>('systemCertificates') ?? true,
    authorization: http.get<string | null>('proxyAuthorization') ?? null,
  };
}

/** What was read, and what follows from it: worked out when somebody asks first, kept until the settings change. */
interface State {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
  configuration?: Configuration;
  chosenAptosNetworks?: ReadonlySet<string>;
}

function configurationOf({
  nodes,
  auth,
  evm,
  aptos,
  aptosNetworks,
  requestTimeoutMs: requestTimeout,
  metadata,
}: Settings): Configuration {
  const [groups, proxy] = [{ auth, evm, aptos }, readProxy()];
  return { nodes, aptos: aptosNetworks, groups, keys: {}, proxy, timeoutMs: requestTimeout, metadata };
}

function readChosenNetworks(): ReadonlySet<string> {
  const written = workspace.getConfiguration('hexlens').inspect<unknown>('aptos.networks');
  const places = [written?.globalValue, written?.workspaceValue, written?.workspaceFolderValue];
  const names = places.flatMap(value => (value !== null && typeof value === 'object' ? Object.keys(value) : []));
  return new Set(names.map(name => name.trim().toLowerCase()));
}

export function createSettingsSource(): SettingsSource {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const read = (): State => {
    // One section, once: every call of getConfiguration copies what it returns.
    const section = workspace.getConfiguration('hexlens');
    return readSettings(key => section.get(key.slice('hexlens.'.length)));
  };
  let state = read();
  const readAgain = () => {
    state = read();
    changed.fire();
  };
  store.add(
    workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('hexlens') || event.affectsConfiguration('http')) readAgain();
    }),
  );
  store.add(workspace.onDidGrantWorkspaceTrust(readAgain));
  return {
    current: () => state.settings,
    problems: () => state.problems,
    configuration() {
      state.configuration ??= configurationOf(state.settings);
      return state.configuration;
    },
    remoteOrigins() {
      const { auth, evm, aptos, aptosNetworks } = state.settings;
      const bases = [evm, auth, aptos].map(group => group.baseUrl).filter(base => base !== '');
      const ends = Object.values(aptosNetworks).flatMap(({ node, indexer }) =>
        [node, indexer].filter(url => url !== null),
      );
      const away = ends.filter(url => !isLoopbackHost(new URL(url).hostname));
      return [...new Set([...bases, ...away].map(base => new URL(base).origin))];
    },
    userAptosNetworks() {
      state.chosenAptosNetworks ??= readChosenNetworks();
      return state.chosenAptosNetworks;
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
