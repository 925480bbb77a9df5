// Renders the generated regions of package.json, and package.nls.json.

import { operationIds, operations } from '../api/operations/operations.ts';
import { isObject, type UnknownRecord } from '../base/isObject.ts';
import { commandIds } from './commands.ts';
import { COMMAND_CATEGORY, type CommandSpec, commandNames, commands } from './commandsTable.ts';
import { contributions, menus } from './contributions.ts';
import { extractTexts, type Nls, type NlsText, nlsText } from './nlsText.ts';
import { defaults, type SettingKey, settingKeys } from './settingDefaults.ts';
import { type SettingGroup, type SettingSpec, settingGroups, settings } from './settingsTable.ts';

/** The id of an operation's command. */
const toCallCommandId = <Id extends string>(id: Id): `hexlens.call.${Id}` => `hexlens.call.${id}`;

/** The ellipsis shows that the command prompts for parameters. */
function titleOf(id: (typeof operationIds)[number]): NlsText {
  return nlsText(`${operations[id].title}…`);
}

/** In the table's order. */
const callCommands: readonly { readonly command: string; readonly key: string; readonly title: NlsText }[] =
  operationIds.map(id => ({ command: toCallCommandId(id), key: `command.call.${id}.title`, title: titleOf(id) }));

/** Shows a command for each operation in the palette. */
const PALETTE_SETTING: SettingKey = 'hexlens.commandPalette.operations';

const REPOSITORY = 'https://github.com/hexlens/hexlens';

/** Top-level keys of package.json: marketplace page, activation, workspace trust. */
const extensionMetadata = {
  publisher: 'hexlens',
  description: nlsText(
    'See what raw hex is on-chain: hover any address, transaction or block hash in any file. Works on your local dev chain, no key, no sign-up.',
  ),
  categories: ['Debuggers', 'Visualization', 'Linters', 'AI', 'Other'],
  keywords: [
    ...['ethereum', 'evm', 'solidity', 'debugger', 'foundry', 'hardhat', 'anvil', 'web3', 'viem', 'ethers'],
    ...['abi', 'erc20', 'nft', 'siwe', 'ens', 'blockchain', 'aptos', 'move', 'mcp'],
  ],
  icon: 'media/icon.png',
  galleryBanner: { color: '#10151f', theme: 'dark' },
  pricing: 'Free',
  preview: true,
  l10n: './l10n',
  homepage: `${REPOSITORY}#readme`,
  repository: { type: 'git', url: `${REPOSITORY}.git` },
  bugs: { url: `${REPOSITORY}/issues` },
  qna: `${REPOSITORY}/discussions`,
  // Nodes, keys and worker threads are where the workspace is; `browser` is for windows without a machine.
  extensionKind: ['workspace'],
  // Hovers are for every language and scheme, so there is no language to wait for.
  activationEvents: ['onStartupFinished', 'onWebviewPanel:hexlens.inspector'],
  capabilities: {
    untrustedWorkspaces: {
      supported: 'limited',
      description: nlsText(
        'Hovers work, but nodes from the settings of this workspace and its compiler artifacts are not used until you trust it. Until then, names of its address book are shown only where they are marked.',
      ),
      restrictedConfigurations: settingKeys.filter(key => 'restricted' in settings[key]),
    },
    virtualWorkspaces: true,
  },
} as const;

/** A generated part of package.json: everything under `path` is generated, everything else is written by hand. */
export interface ManifestRegion {
  readonly path: readonly [string, ...string[]];
  readonly value: unknown;
}

export interface RenderedManifest {
  readonly regions: readonly ManifestRegion[];
  readonly nls: Readonly<Nls>;
}

function renderCommands(nls: Nls) {
  const own = commandNames.map(name => {
    const { title, icon, enablement }: CommandSpec = commands[name];
    return {
      command: commandIds[name],
      category: COMMAND_CATEGORY,
      title: extractTexts(title, `command.${name}.title`, nls),
      ...(icon !== undefined && { icon }),
      ...(enablement !== undefined && { enablement }),
    };
  });
  const called = callCommands.map(({ command, key, title }) => ({
    command,
    category: COMMAND_CATEGORY,
    title: extractTexts(title, key, nls),
    icon: '$(run)',
  }));
  return [...own, ...called];
}

/** Only exceptions: other commands are in the palette whenever they are enabled. Operations are one command there. */
function renderPalette() {
  const hidden = commandNames.filter(name => 'palette' in commands[name]).map(name => commandIds[name]);
  return [
    ...hidden.map(command => ({ command, when: 'false' })),
    ...callCommands.map(({ command }) => ({ command, when: `config.${PALETTE_SETTING}` })),
  ];
}

function renderSetting(key: keyof typeof settings, order: number, nls: Nls) {
  const { scope, description, example, schema }: SettingSpec = settings[key];
  const name = key.replace(/^hexlens\./, 'setting.');
  const withExample = nlsText(`${description.english}\n\nExample: \`${JSON.stringify(example)}\``);
  return {
    order,
    scope,
    markdownDescription: extractTexts(withExample, `${name}.description`, nls),
    ...(extractTexts({ ...schema, default: defaults[key] }, name, nls) as object),
  };
}

function renderConfiguration(nls: Nls) {
  return (Object.keys(settingGroups) as SettingGroup[]).map((group, index) => ({
    id: `hexlens.${group}`,
    title: extractTexts(settingGroups[group], `settings.${group}.title`, nls),
    order: index + 1,
    properties: Object.fromEntries(
      settingKeys
        .filter(key => settings[key].group === group)
        .map((key, position) => [key, renderSetting(key, position + 1, nls)]),
    ),
  }));
}

export function renderManifest(): RenderedManifest {
  const nls: Nls = {};
  const top = Object.entries(extensionMetadata).map(([key, value]) => ({
    path: [key] as const,
    value: extractTexts(value, key, nls),
  }));
  return {
    regions: [
      ...top,
      { path: ['contributes', 'commands'], value: renderCommands(nls) },
      { path: ['contributes', 'menus', 'commandPalette'], value: renderPalette() },
      { path: ['contributes', 'configuration'], value: renderConfiguration(nls) },
      ...Object.entries(menus).map(([menu, items]) => ({
        path: ['contributes', 'menus', menu] as const,
        value: items.map(item => ('command' in item ? { ...item, command: commandIds[item.command] } : item)),
      })),
      ...Object.entries(contributions).map(([point, value]) => ({
        path: ['contributes', point] as const,
        value: extractTexts(value, point, nls),
      })),
    ],
    nls,
  };
}

/** New top-level keys are inserted before the first of these. */
const LOWER_KEYS = [
  'main',
  'browser',
  'bin',
  'contributes',
  'scripts',
  'allowScripts',
  'dependencies',
  'devDependencies',
];

function withKey(object: UnknownRecord, key: string, value: unknown, before: readonly string[]): UnknownRecord {
  if (Object.hasOwn(object, key)) return { ...object, [key]: value };
  const entries = Object.entries(object);
  const at = entries.findIndex(([name]) => before.includes(name));
  entries.splice(at < 0 ? entries.length : at, 0, [key, value]);
  return Object.fromEntries(entries);
}

function withRegion(
  object: UnknownRecord,
  [key, ...rest]: readonly string[],
  value: unknown,
  before: readonly string[],
): UnknownRecord {
  if (key === undefined) return object;
  const [next] = rest;
  if (next === undefined) return withKey(object, key, value, before);
  const inner = isObject(object[key]) ? object[key] : {};
  return withKey(object, key, withRegion(inner, rest, value, []), before);
}

/** Sets the regions in package.json; everything else, and the order of keys, is unchanged. */
export function applyRegions(packageJson: UnknownRecord, regions: readonly ManifestRegion[]): UnknownRecord {
  return regions.reduce((result, { path, value }) => {
    const before = path[0] === 'contributes' ? LOWER_KEYS.slice(LOWER_KEYS.indexOf('scripts')) : LOWER_KEYS;
    return withRegion(result, path, value, before);
  }, packageJson);
}
