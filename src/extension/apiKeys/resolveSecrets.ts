// Puts stored secrets into the URLs of the configuration, each only where the user wants it to be sent.
import type { Configuration } from '../../api/configuration.ts';
import { getSecretNames } from '../../api/nodeUrls.ts';
import { type GetUrlSecret, resolveUrlSecrets } from '../../manifest/secretPlaceholders.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { UrlSecrets } from './urlSecrets.ts';

/**
 * What gives the secrets that URLs may have: those that were stored for their host, and those that the user's own settings
 * send there. A workspace alone cannot say where a secret goes.
 */
export async function createSecretGetter(secrets: UrlSecrets, userUrls: readonly string[]): Promise<GetUrlSecret> {
  const values = new Map(Object.entries(await secrets.all()));
  const origins = new Map<string, Set<unknown>>();
  for (const name of values.keys()) origins.set(name, new Set(await secrets.origins(name)));
  for (const url of userUrls) for (const name of getSecretNames(url)) origins.get(name)?.add(URL.parse(url)?.origin);
  return (name, url) => (origins.get(name)?.has(URL.parse(url)?.origin) ? values.get(name) : undefined);
}

/** For texts on screen: with the scheme, because a key that is sent over http is not encrypted. */
export const formatOrigins = (urls: readonly string[]): string =>
  [...new Set(urls.map(url => URL.parse(url)?.origin))].join(', ');

export const resolveSecrets = async (settings: SettingsSource, secrets: UrlSecrets): Promise<Configuration> =>
  resolveUrlSecrets(settings.configuration(), await createSecretGetter(secrets, settings.userUrls()));
