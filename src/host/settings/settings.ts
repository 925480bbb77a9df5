// Settings as the rest of the host reads them: parsed by the manifest's rules, with every problem said once.
import { type Event, EventEmitter, workspace } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Configuration, ProxyConfiguration } from '../../contract/configuration.ts';
import { readSettings, type SettingProblem, type Settings } from '../../manifest/settings.ts';

export interface SettingsSource extends Disposable {
  current(): Settings;
  problems(): readonly SettingProblem[];
  /** What the backend needs of them, without the keys. */
  configuration(): Configuration;
  /** Origins of the hosts that the settings name as a base URL. */
  remoteOrigins(): readonly string[];
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

export function createSettings(): SettingsSource {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const read = () => {
    // One section, once: every call of getConfiguration copies what it returns.
    const section = workspace.getConfiguration('hexlens');
    return readSettings(key => section.get(key.slice('hexlens.'.length)));
  };
  let state = read();
  store.add(
    workspace.onDidChangeConfiguration(event => {
      if (!event.affectsConfiguration('hexlens') && !event.affectsConfiguration('http')) return;
      state = read();
      changed.fire();
    }),
  );
  store.add(
    workspace.onDidGrantWorkspaceTrust(() => {
      state = read();
      changed.fire();
    }),
  );
  return {
    current: () => state.settings,
    problems: () => state.problems,
    configuration() {
      const { nodes, auth, evm, aptos, requestTimeout, metadata } = state.settings;
      const groups = { auth, evm, aptos };
      return { nodes, groups, keys: {}, proxy: readProxy(), timeoutMs: requestTimeout, metadata };
    },
    remoteOrigins() {
      const { auth, evm, aptos } = state.settings;
      const bases = [evm, auth, aptos].map(group => group.baseUrl).filter(base => base !== '');
      return [...new Set(bases.map(base => new URL(base).origin))];
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
