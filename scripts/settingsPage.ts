// Renders docs/settings.md from the table of settings.
import { defaults, type SettingKey, settingKeys } from '../src/manifest/settingDefaults.ts';
import {
  type SettingGroup,
  type SettingScope,
  type SettingSpec,
  settingGroups,
  settings,
} from '../src/manifest/settingsTable.ts';

const scopes: Readonly<Record<SettingScope, string>> = {
  machine: 'user settings of this machine',
  application: 'user settings',
  window: 'user and workspace settings',
};

/** Links to other settings are those of VS Code's settings page. */
const toMarkdown = (text: string): string => text.replace(/`#([\w.]+)#`/g, '`$1`');
const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;

function renderValues({ schema }: SettingSpec): readonly string[] {
  const { enum: values, enumDescriptions } = schema as {
    readonly enum?: readonly string[];
    readonly enumDescriptions?: readonly { readonly english: string }[];
  };
  if (values === undefined || enumDescriptions === undefined) return [];
  return [
    '',
    ...values.map((value, index) => `- ${code(value)}: ${toMarkdown(enumDescriptions[index]?.english ?? '')}`),
  ];
}

function renderSetting(key: SettingKey): readonly string[] {
  const spec: SettingSpec = settings[key];
  const trust = spec.restricted === true ? ', but not those of a workspace that you do not trust' : '';
  return [
    `### ${key}`,
    '',
    toMarkdown(spec.description.english),
    ...renderValues(spec),
    '',
    `Default: ${code(defaults[key])}. Example: ${code(spec.example)}. Read from ${scopes[spec.scope]}${trust}.`,
    '',
  ];
}

export function renderSettingsPage(): string {
  const groups = Object.keys(settingGroups) as SettingGroup[];
  return [
    '# Settings',
    '',
    'This page is generated from `src/manifest/settingsTable.ts`. `HexLens: Connect Node…` finds nodes on this machine and in your',
    '`foundry.toml` or `hardhat.config` (read, never run) and writes the first setting. The key in the URL of a node or host is stored in',
    "VS Code's secret storage, and the setting holds a placeholder for it, such as `https://mainnet.infura.io/v3/${secret:infura}`; a quick",
    'fix moves keys that are in settings files already. `HexLens: Set API Key` stores a key bound to the host it was entered for.',
    '',
    ...groups.flatMap(group => [
      `## ${settingGroups[group].english}`,
      '',
      ...settingKeys.filter(key => settings[key].group === group).flatMap(renderSetting),
    ]),
  ].join('\n');
}
