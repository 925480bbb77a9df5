// Prompts of the commands Set API Key and Clear API Key.
import { l10n, type QuickPickItem, window } from 'vscode';
import { formatFault } from '../../base/errors.ts';
import { type ApiKeys, parseKeyOrigin, validateApiKey } from './apiKeys.ts';

export interface ApiKeyCommandsDeps {
  readonly keys: ApiKeys;
  /** Origins of the remote hosts in the settings. */
  readonly configuredOrigins: () => readonly string[];
}

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

async function pickOrigin(origins: readonly string[]): Promise<string | undefined> {
  if (origins.length === 0) return promptOrigin();
  const other: QuickPickItem = { label: l10n.t('Another host…') };
  const picked = await window.showQuickPick<QuickPickItem>([...origins.map(label => ({ label })), other], {
    title: title(),
    placeHolder: l10n.t('Which host is the key for?'),
    ignoreFocusOut: true,
  });
  if (picked === undefined) return undefined;
  return picked === other ? promptOrigin() : picked.label;
}

export async function setKey({ keys, configuredOrigins }: ApiKeyCommandsDeps): Promise<void> {
  const origins = [...new Set([...configuredOrigins(), ...(await keys.origins())])];
  const origin = await pickOrigin(origins);
  if (origin === undefined) return;
  const key = await window.showInputBox({
    title: title(),
    prompt: l10n.t('The API key for {origin}. It is stored in the secret storage of VS Code.', { origin }),
    password: true,
    ignoreFocusOut: true,
    validateInput: value => (value === '' ? null : validateApiKey(value)),
  });
  if (key === undefined || validateApiKey(key) !== null) return;
  await keys.set(origin, key.trim());
  void window.showInformationMessage(l10n.t('API key for {host} is set.', { host: new URL(origin).host }));
}

export async function clearKey({ keys }: ApiKeyCommandsDeps): Promise<void> {
  const origins = await keys.origins();
  if (origins.length === 0) {
    void window.showInformationMessage(l10n.t('No API key is set.'));
    return;
  }
  const origin =
    origins.length === 1
      ? origins[0]
      : await window.showQuickPick(origins, { title: l10n.t('Clear API Key'), placeHolder: l10n.t('Which host?') });
  if (origin === undefined) return;
  await keys.clear(origin);
  void window.showInformationMessage(l10n.t('API key for {host} is cleared.', { host: new URL(origin).host }));
}
