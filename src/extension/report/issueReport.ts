// The text of a bug report: versions, kinds of nodes and settings, without addresses, URLs or other text of the user.

import { parseWrittenChain } from '../../api/chainNames.ts';
import { getSecretNames, splitUrls } from '../../api/nodeUrls.ts';
import { isObject } from '../../base/isObject.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { defaults, type SettingKey, settingKeys } from '../../manifest/settingDefaults.ts';
import { type SettingSpec, settings } from '../../manifest/settingsTable.ts';

export interface IssueFacts {
  readonly version: string;
  /** Name and version of the editor. */
  readonly editor: string;
  readonly platform: string;
  /** Where the extension runs: `local`, `ssh-remote`, … */
  readonly host: string;
  readonly node: string;
  /** By chain: `web3_clientVersion`, `null` when it is not known. */
  readonly clients: Readonly<Record<string, string | null>>;
  getSetting(key: SettingKey): unknown;
}

const kindOfUrl = (url: unknown): string => {
  if (typeof url !== 'string' || url === '') return 'none';
  const kind = isLoopbackUrl(url) ? 'on this machine' : (URL.parse(url)?.protocol.replace(':', '') ?? 'not a URL');
  return getSecretNames(url).length > 0 ? `${kind}, with a stored key` : kind;
};

/** The program's name and version, from text that a node may choose freely. */
const kindOfClient = (client: string | null | undefined): string =>
  /^[A-Za-z][A-Za-z -]{0,24}(?:\/v?\d{1,4}(?:\.\d{1,4}){1,2})?(?=[/\s-]|$)/.exec(client ?? '')?.[0] ?? 'unknown';

/** Switches, numbers and choices as they are; of every other value only its size. */
function describeSetting(key: SettingKey, value: unknown): string {
  const { schema }: SettingSpec = settings[key];
  const choices = schema['enum'];
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (Array.isArray(choices) && choices.includes(value)) return String(value);
  if (Array.isArray(value)) return `${value.length} entries`;
  if (isObject(value)) {
    const flags = Object.entries(value).filter(([name, on]) => on === false && /^[a-z]{1,20}$/i.test(name));
    return key === 'hexlens.hover.parts'
      ? `without ${flags.map(([name]) => name).join(', ')}`
      : `${Object.keys(value).length} entries`;
  }
  return value === '' ? 'empty' : 'set';
}

export function createIssueReport({ getSetting, ...facts }: IssueFacts): string {
  const nodes = getSetting('hexlens.nodes');
  const nodeLines = Object.entries(isObject(nodes) ? nodes : {}).flatMap(([name, url]) => {
    const selector = parseWrittenChain(name);
    if (selector === null) return [];
    const kinds = typeof url === 'string' ? splitUrls(url).map(kindOfUrl) : [kindOfUrl(url)];
    return [`- ${selector}: ${kinds.join('; ')}, client ${kindOfClient(facts.clients[selector])}`];
  });
  const changed = settingKeys.filter(key => {
    const value = getSetting(key);
    return value !== undefined && JSON.stringify(value) !== JSON.stringify(defaults[key]);
  });
  return [
    '## What happened',
    '',
    '',
    '## How to see it again',
    '',
    '',
    '## Environment',
    '',
    `- HexLens ${facts.version}`,
    `- ${facts.editor}, ${facts.host}, Node ${facts.node}`,
    `- ${facts.platform}`,
    '',
    'Nodes:',
    ...(nodeLines.length > 0 ? nodeLines : ['- none']),
    '',
    'Settings other than the default (no addresses, URLs or keys):',
    ...(changed.length > 0 ? changed.map(key => `- \`${key}\`: ${describeSetting(key, getSetting(key))}`) : ['- none']),
    '',
  ].join('\n');
}
