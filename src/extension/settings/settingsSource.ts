// The parsed and validated settings of the extension.
import { type Event, EventEmitter, workspace } from 'vscode';
import type { Configuration, ProxyConfiguration } from '../../api/configuration.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazyFields } from '../../base/lazyFields.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { getConfiguredUrls } from '../../manifest/secretPlaceholders.ts';
import {
  omitDefaultNode,
  readSettings,
  type SettingProblem,
  type Settings,
  type SettingsResult,
} from '../../manifest/settings.ts';

export interface SettingsSource extends Disposable {
  current(): Settings;
  problems(): readonly SettingProblem[];
  /** The worker's configuration without API keys; the same object until the settings change. */
  configuration(): Configuration;
  /** Origins of the configured base URLs and of remote Aptos networks. */
  remoteOrigins(): readonly string[];
  /** URLs of the user's own settings, which no workspace has written. */
  userUrls(): readonly string[];
  /** Names of the Aptos networks in the user's own settings, without those of the default value. */
  userAptosNetworks(): ReadonlySet<string>;
  readonly onDidChange: Event<void>;
}

/** VS Code's own `http.*` settings, which a bundled HTTP library does not read by itself. */
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

/** The read settings and values derived from them, which are computed at first use. */
interface State extends SettingsResult {
  configuration?: Configuration;
  userAptosNetworks?: ReadonlySet<string>;
}

function createConfiguration(settings: Settings): Configuration {
  return lazyFields<Configuration>({
    nodes: () => settings.nodes,
    aptos: () => settings.aptosNetworks,
    groups: () => ({ auth: settings.auth, evm: settings.evm, aptos: settings.aptos }),
    keys: () => ({}),
    proxy: readProxy,
    timeoutMs: () => settings.requestTimeoutMs,
    metadata: () => settings.metadata,
    siwe: () => settings.siwe,
    strictDates: () => settings.httpStrictDates,
    verifiedSources: () => settings.verifiedSources,
  });
}

function readUserAptosNetworks(): ReadonlySet<string> {
  const inspected = workspace.getConfiguration('hexlens').inspect<unknown>('aptos.networks');
  const values = [inspected?.globalValue, inspected?.workspaceValue, inspected?.workspaceFolderValue];
  const names = values.flatMap(value => (value !== null && typeof value === 'object' ? Object.keys(value) : []));
  return new Set(names.map(name => name.trim().toLowerCase()));
}

export function createSettingsSource(): SettingsSource {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const read = (): State => {
    // Read once as a section, because every call of getConfiguration copies what it returns.
    const section = workspace.getConfiguration('hexlens');
    return readSettings(key => {
      const name = key.slice('hexlens.'.length);
      if (key !== 'hexlens.nodes') return section.get(name);
      return omitDefaultNode(section.get(name), () => {
        const { globalValue, workspaceValue, workspaceFolderValue } = section.inspect<unknown>(name) ?? {};
        return workspace.isTrusted ? [globalValue, workspaceValue, workspaceFolderValue] : [globalValue];
      });
    });
  };
  // Not at the start of the window: VS Code merges all settings for the first who reads some.
  let state: State | undefined;
  const current = () => {
    state ??= read();
    return state;
  };
  const reread = () => {
    state = undefined;
    changed.fire();
  };
  store.add(
    workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('hexlens') || event.affectsConfiguration('http')) reread();
    }),
  );
  store.add(workspace.onDidGrantWorkspaceTrust(reread));
  return {
    current: () => current().settings,
    problems: () => current().problems,
    configuration() {
      const known = current();
      known.configuration ??= createConfiguration(known.settings);
      return known.configuration;
    },
    remoteOrigins() {
      const { auth, evm, aptos, aptosNetworks } = current().settings;
      const bases = [evm, auth, aptos].map(group => group.baseUrl).filter(base => base !== '');
      const endpoints = Object.values(aptosNetworks).flatMap(({ node, indexer }) =>
        [node, indexer].filter(url => url !== null),
      );
      const remote = endpoints.filter(url => !isLoopbackHost(new URL(url).hostname));
      return [...new Set([...bases, ...remote].map(base => new URL(base).origin))];
    },
    userUrls() {
      const section = workspace.getConfiguration('hexlens');
      const own = readSettings(key => section.inspect(key.slice('hexlens.'.length))?.globalValue).settings;
      return getConfiguredUrls(createConfiguration(own));
    },
    userAptosNetworks() {
      const known = current();
      known.userAptosNetworks ??= readUserAptosNetworks();
      return known.userAptosNetworks;
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
