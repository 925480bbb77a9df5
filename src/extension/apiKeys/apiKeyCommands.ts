// Prompts of the commands Set API Key and Clear API Key.
import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import type { Configuration } from '../../api/configuration.ts';
import { formatPlaceholder, getSecretNames, joinUrls, splitUrls, toUrlList } from '../../api/nodeUrls.ts';
import { formatFault } from '../../base/errors.ts';
import { findUrlSecret, getConfiguredUrls } from '../../manifest/secretPlaceholders.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage } from '../prompts/showMessage.ts';
import { settingWriter } from '../settings/settingWriter.ts';
import { parseKeyOrigin, validateApiKey } from './apiKeys.ts';
import { createSecretGetter, formatOrigins } from './resolveSecrets.ts';

export type ApiKeyCommandsDeps = Pick<FeatureDeps, 'keys' | 'secrets' | 'settings'>;

const title = () => l10n.t('Set API Key');

async function promptOrigin(): Promise<string | undefined> {
  const text = await window.showInputBox({
    title: title(),
    prompt: l10n.t('Which host is the key for? It is sent to this host and to no other.'),
    placeHolder: 'https://deep-index.example',
    ignoreFocusOut: true,
    validateInput: value => {
      try {
        parseKeyOrigin(value);
        return null;
      } catch (error) {
        return value === '' ? null : formatFault(error);
      }
    },
  });
  return text === undefined || text.trim() === '' ? undefined : parseKeyOrigin(text);
}

interface KeyItem extends QuickPickItem {
  run(): Promise<void>;
}

const urlSeparator = (): KeyItem => ({
  label: l10n.t('In the URL'),
  kind: QuickPickItemKind.Separator,
  run: async () => {},
});

async function promptKey(prompt: string): Promise<string | undefined> {
  const key = await window.showInputBox({
    title: title(),
    prompt,
    password: true,
    ignoreFocusOut: true,
    validateInput: value => (value === '' ? null : validateApiKey(value)),
  });
  return key === undefined || validateApiKey(key) !== null ? undefined : key.trim();
}

/** One URL or several with a placeholder in place of the secret; unchanged where they do not have it. */
function replaceSecret(written: unknown, secret: string, name: string): unknown {
  if (typeof written !== 'string') return written;
  const urls = splitUrls(written);
  const replaced = urls.map(url => {
    const found = findUrlSecret(url);
    return found?.secret === secret ? found.withPlaceholder(name) : url;
  });
  return replaced.every((url, index) => url === urls[index]) ? written : joinUrls(replaced);
}

/**
 * Keys that are part of a URL in the settings: those of placeholders are replaced, or allowed for a host that does not get
 * them yet; literal ones are moved out of the settings.
 */
async function createUrlItems({ settings, secrets }: ApiKeyCommandsDeps): Promise<readonly KeyItem[]> {
  const urls = getConfiguredUrls(settings.configuration());
  const used = Map.groupBy(
    urls.flatMap(url => getSecretNames(url).map(name => ({ name, url, host: new URL(url).host }))),
    ({ name }) => name,
  );
  const uses = [...used].map(([name, all]) => ({
    name,
    urls: all.map(({ url }) => url),
    host: [...new Set(all.map(({ host }) => host))].join(', '),
  }));
  const stored = await secrets.names();
  const getSecret = await createSecretGetter(secrets, settings.userUrls());
  const allowing = uses.flatMap(({ name, urls }) => {
    const refused = urls.filter(url => getSecret(name, url) === undefined);
    if (!stored.includes(name) || refused.length === 0) return [];
    const host = formatOrigins(refused);
    return {
      label: l10n.t('Allow the stored key for {0}', host),
      description: formatPlaceholder(name),
      iconPath: new ThemeIcon('check'),
      async run() {
        await secrets.allow(name, refused);
        void showInformationMessage(l10n.t('API key for {host} is set.', { host }));
      },
    };
  });
  const replacing = uses.map(({ name, urls, host }) => ({
    label: formatOrigins(urls),
    description: formatPlaceholder(name),
    iconPath: new ThemeIcon('key'),
    async run() {
      const placeholder = formatPlaceholder(name);
      const prompt = l10n.t(
        'The key that replaces {0} in the URL. It is stored in the secret storage of VS Code.',
        placeholder,
      );
      const key = await promptKey(prompt);
      if (key === undefined) return;
      await secrets.set(name, key, urls);
      void showInformationMessage(l10n.t('API key for {host} is set.', { host }));
    },
  }));
  const nodeUrls = Object.entries(settings.configuration().nodes).flatMap(([selector, urls]) =>
    toUrlList(urls).map(url => ({ selector, url })),
  );
  const moving = nodeUrls.flatMap(({ selector, url }) => {
    const found = findUrlSecret(url);
    if (found === null) return [];
    const { host } = new URL(url);
    return {
      label: l10n.t('Move the key of {0} to the secret storage', host),
      description: selector,
      iconPath: new ThemeIcon('lock'),
      async run() {
        const name = await secrets.add(found.suggestedName, found.secret, url);
        await settingWriter.replaceEach('nodes', written => replaceSecret(written, found.secret, name));
      },
    };
  });
  return [...moving, ...allowing, ...replacing];
}

export async function setKey(deps: ApiKeyCommandsDeps): Promise<void> {
  const { keys, settings } = deps;
  const setFor = async (origin: string | undefined) => {
    if (origin === undefined) return;
    const key = await promptKey(
      l10n.t('The API key for {origin}. It is stored in the secret storage of VS Code.', { origin }),
    );
    if (key === undefined) return;
    await keys.set(origin, key);
    void showInformationMessage(l10n.t('API key for {host} is set.', { host: new URL(origin).host }));
  };
  const origins = [...new Set([...settings.remoteOrigins(), ...(await keys.origins())])];
  const urlItems = await createUrlItems(deps);
  if (origins.length === 0 && urlItems.length === 0) return setFor(await promptOrigin());
  const picked = await window.showQuickPick<KeyItem>(
    [
      ...origins.map(label => ({ label, run: () => setFor(label) })),
      { label: l10n.t('Another host…'), run: async () => setFor(await promptOrigin()) },
      ...(urlItems.length > 0 ? [urlSeparator(), ...urlItems] : []),
    ],
    { title: title(), placeHolder: l10n.t('Which host is the key for?'), ignoreFocusOut: true },
  );
  await picked?.run();
}

/** Where a placeholder is used: chain or network and host of nodes, and hosts of other URLs. */
function getUses(name: string, { nodes, aptos = {}, groups }: Configuration): string {
  const label = (url: string, prefix = '') => {
    const host = URL.parse(url)?.host ?? l10n.t('a URL that is not valid');
    return prefix === '' ? host : `${prefix}: ${host}`;
  };
  const uses = [
    ...Object.entries(nodes).flatMap(([selector, urls]) => toUrlList(urls).map(url => ({ url, prefix: selector }))),
    ...Object.entries(aptos).flatMap(([network, { node, indexer }]) =>
      [node, indexer].map(url => ({ url, prefix: network })),
    ),
    ...Object.values(groups).map(({ baseUrl }) => ({ url: baseUrl, prefix: '' })),
  ].flatMap(({ url, prefix }) => (url !== null && getSecretNames(url).includes(name) ? label(url, prefix) : []));
  return uses.length === 0 ? l10n.t('Not used in the settings') : [...new Set(uses)].join(', ');
}

export async function clearKey({ keys, secrets, settings }: ApiKeyCommandsDeps): Promise<void> {
  const origins = await keys.origins();
  const names = await secrets.names();
  const clearOrigin = async (origin: string) => {
    await keys.clear(origin);
    void showInformationMessage(l10n.t('API key for {host} is cleared.', { host: new URL(origin).host }));
  };
  if (origins.length === 0 && names.length === 0) {
    void showInformationMessage(l10n.t('No API key is set.'));
    return;
  }
  const [only] = origins;
  if (only !== undefined && origins.length === 1 && names.length === 0) return clearOrigin(only);
  const configuration = settings.configuration();
  const secretItems = names.map(name => ({
    label: formatPlaceholder(name),
    description: getUses(name, configuration),
    iconPath: new ThemeIcon('key'),
    async run() {
      await secrets.clear(name);
      void showInformationMessage(l10n.t('The key {0} is removed from the secret storage.', formatPlaceholder(name)));
    },
  }));
  const picked = await window.showQuickPick<KeyItem>(
    [
      ...origins.map(label => ({ label, run: () => clearOrigin(label) })),
      ...(secretItems.length > 0 ? [urlSeparator(), ...secretItems] : []),
    ],
    {
      title: l10n.t('Clear API Key'),
      placeHolder: l10n.t('Which key?'),
      matchOnDescription: true,
    },
  );
  await picked?.run();
}
