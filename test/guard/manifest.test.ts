// package.json and package.nls.json match the tables of src/manifest.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findFiles, readFiles } from '../../scripts/findFiles.ts';
import { expectCurrent, generatedFiles } from '../../scripts/generatedFiles.ts';
import { chains } from '../../src/api/chains.ts';
import { operationIds } from '../../src/api/operations/operations.ts';
import { commandIds } from '../../src/manifest/commands.ts';
import { COMMAND_CATEGORY, commandNames, commands } from '../../src/manifest/commandsTable.ts';
import { sidebarContributions, sidebarMenus } from '../../src/manifest/contributions.ts';
import { contextKeys } from '../../src/manifest/identifiers.ts';
import { extractTexts, nlsText } from '../../src/manifest/nlsText.ts';
import { applyRegions, renderManifest } from '../../src/manifest/renderManifest.ts';
import { defaults, settingKeys } from '../../src/manifest/settingDefaults.ts';
import { readSettings } from '../../src/manifest/settings.ts';
import { settings } from '../../src/manifest/settingsTable.ts';
import { walkthroughs } from '../../src/manifest/walkthrough.ts';
import { hoverCommands } from '../../src/view/hover/hoverLinks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { regions, nls } = renderManifest();
const whole = applyRegions({}, regions) as {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly category: string;
      readonly icon?: string;
      readonly enablement?: string;
    }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    }[];
  };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly icon: string;
};
const properties = Object.assign(
  {},
  ...whole.contributes.configuration.map(group => group.properties),
) as (typeof whole.contributes.configuration)[number]['properties'];

/** Every string in a JSON value. */
function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(strings) : [];
}

const placeholders = (value: unknown) =>
  strings(value)
    .filter(entry => /^%.*%$/.test(entry))
    .map(entry => entry.slice(1, -1));

describe('the files', () => {
  test('package.json says what src/manifest says', () => {
    expectCurrent(generatedFiles['package.json']);
  });

  test('package.nls.json says what src/manifest says', () => {
    expectCurrent(generatedFiles['package.nls.json']);
  });

  test('every %key% of package.json has its English, and every English its %key%', () => {
    const used = placeholders(JSON.parse(readFileSync(`${root}package.json`, 'utf8')));
    expect([...new Set(used)].sort()).toEqual(Object.keys(nls).sort());
  });

  test('the icon is a square PNG of 256 pixels', () => {
    const icon = readFileSync(root + whole.icon);
    expect(icon.subarray(1, 4).toString()).toBe('PNG');
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([256, 256]);
  });
});

describe('commands', () => {
  test('each is contributed once, in the category', () => {
    expect(whole.contributes.commands.map(({ command }) => command)).toEqual([
      ...commandNames.map(name => `hexlens.${name}`),
      ...operationIds.map(id => `hexlens.call.${id}`),
    ]);
    for (const { category } of whole.contributes.commands) expect(category).toBe(COMMAND_CATEGORY);
  });

  test('the palette has at most 49, each with an icon that exists; operations are one of them', () => {
    const { commandPalette } = whole.contributes.menus;
    const hidden = new Set(
      commandPalette
        .filter(({ when }) => when === 'false' || when === 'config.hexlens.commandPalette.operations')
        .map(({ command }) => command),
    );
    const shown = whole.contributes.commands.filter(({ command }) => !hidden.has(command));
    expect(shown.length).toBeLessThanOrEqual(49);
    expect(shown.filter(({ command }) => command.startsWith('hexlens.call.'))).toEqual([]);
    expect(defaults['hexlens.commandPalette.operations']).toBe(false);
    const font = readFileSync(`${root}node_modules/@vscode/codicons/dist/codicon.css`, 'utf8');
    for (const { command, icon } of whole.contributes.commands) {
      if (!hidden.has(command)) expect(icon, command).toBeDefined();
      const name = icon === undefined ? 'add' : (/^\$\(([a-z-]+)\)$/.exec(icon)?.[1] ?? '');
      expect(font, `${command}: ${icon}`).toContain(`.codicon-${name}:before`);
    }
  });

  test('titles are in title case, without an end and without the category', () => {
    for (const name of commandNames) {
      expect(commands[name].title.english).toMatch(
        /^([A-Z][A-Za-z-]*|in|from|as|into)( ([A-Z][A-Za-z-]*|in|on|a|from|as|into))*…?$/,
      );
      // VS Code's own menus show no category before the title.
      if (!('palette' in commands[name])) expect(commands[name].title.english).not.toContain(COMMAND_CATEGORY);
    }
  });

  test('the palette hides exactly those that need an argument', () => {
    const hidden = whole.contributes.menus.commandPalette.filter(({ when }) => when === 'false');
    expect(hidden.map(({ command }) => command)).toEqual(
      commandNames.filter(name => 'palette' in commands[name]).map(name => commandIds[name]),
    );
  });

  test('hovers link to exactly the commands that are marked for it', () => {
    const marked = commandNames.filter(name => 'hover' in commands[name]).map(name => commandIds[name]);
    expect(Object.values(hoverCommands).sort()).toEqual([...marked].sort());
  });
});

describe('context keys', () => {
  test('every one of ours that a command, a view or the walkthrough asks is set by the extension', () => {
    const sources = readFiles('src/extension/**/*.ts').map(({ text }) => text);
    const events = walkthroughs.flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents));
    const conditions = [
      ...whole.contributes.commands.map(({ enablement = '' }) => enablement),
      ...Object.values(sidebarContributions.views).flatMap(views =>
        views.map(view => ('when' in view ? view.when : '')),
      ),
      ...sidebarContributions.keybindings.flatMap(({ when }) => when.match(/hexlens\.failureShown/) ?? []),
      ...events.filter(event => event.startsWith('onContext:')),
    ];
    const asked = conditions.flatMap(condition => condition.match(/hexlens\.\w+/g) ?? []);
    for (const [name, key] of Object.entries(contextKeys)) {
      expect(asked, `${key} is used by nothing`).toContain(key);
      expect(
        sources.some(source => source.includes('setContext') && source.includes(`contextKeys.${name}`)),
        `src/extension sets ${key}`,
      ).toBe(true);
    }
    expect(asked.filter(key => !Object.values<string>(contextKeys).includes(key))).toEqual([]);
  });
});

describe('the sidebar', () => {
  const { views: containers, viewsWelcome, keybindings } = sidebarContributions;
  const ids = Object.values(containers).flatMap(list => list.map(({ id }) => id as string));

  test('menus and welcomes name views that exist', () => {
    const whens = Object.values(sidebarMenus).flatMap(items => items.map(({ when }) => when ?? ''));
    for (const when of whens) expect(ids).toContain(/\bview == ([\w.]+)/.exec(when)?.[1]);
    for (const { view } of viewsWelcome) expect(ids).toContain(view);
  });

  test('what welcomes and keys run are commands, and a welcome has one button', () => {
    const known = commandNames.map<string>(name => commandIds[name]);
    for (const { contents } of viewsWelcome) {
      for (const [, command] of contents.english.matchAll(/\(command:([\w.]+)\)/g)) expect(known).toContain(command);
      const buttons = contents.english.split('\n').filter(line => /^\[[^\]]+\]\([^)]+\)$/.test(line));
      expect(buttons).toHaveLength(1);
    }
    for (const { command, when } of keybindings) {
      expect(known).toContain(command);
      // Keys that the editor has too work only where HexLens shows something.
      expect(when).toMatch(/focusedView == |hexlens\.failureShown && editorTextFocus/);
    }
  });

  test('every inline action has an icon', () => {
    for (const place of Object.values(sidebarMenus).flat())
      if ('command' in place && /^(inline|navigation)\b/.test(place.group ?? ''))
        expect('icon' in commands[place.command], place.command).toBe(true);
  });

  test('the icon of the activity bar is monochrome and 24 by 24', () => {
    const svg = readFileSync(`${root}media/sidebar.svg`, 'utf8');
    expect(svg).toContain('viewBox="0 0 24 24"');
    expect(new Set(svg.match(/#[0-9a-f]{3,8}\b/gi))).toEqual(new Set(['#C5C5C5']));
  });
});

test('pictures of the walkthrough are in the package, and none is large', () => {
  const pictures = walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.image));
  expect(findFiles('media/walkthrough/*')).toEqual([...pictures].sort());
  for (const picture of pictures)
    expect([picture, readFileSync(root + picture).length < 300_000]).toEqual([picture, true]);
});

describe('settings', () => {
  test('every one is on the settings page with scope, default, order and description', () => {
    expect(Object.keys(properties).sort()).toEqual([...settingKeys].sort());
    for (const [key, property] of Object.entries(properties)) {
      expect(property, key).toMatchObject({
        order: expect.any(Number),
        markdownDescription: expect.stringMatching(/^%.+%$/),
      });
      expect(property, key).toHaveProperty('default');
      expect(['machine', 'application', 'window'], key).toContain(property['scope']);
      if ('enum' in property)
        expect((property['enumDescriptions'] as unknown[]).length, key).toBe((property['enum'] as unknown[]).length);
    }
  });

  test('each has an example that is valid and not the default', () => {
    for (const key of settingKeys) {
      const { example } = settings[key];
      expect(example, key).not.toEqual(defaults[key]);
      const others: Readonly<Record<string, unknown>> = {
        'hexlens.nodes': { local: 'http://127.0.0.1:8545', eth: '' },
      };
      const { problems } = readSettings(setting => (setting === key ? example : others[setting]));
      expect(
        problems.filter(({ message }) => !message.includes('is empty')),
        key,
      ).toEqual([]);
      expect(nls[`setting.${key.replace('hexlens.', '')}.description`]).toContain(JSON.stringify(example));
    }
  });

  test('no workspace can say where a key goes or what may leave the machine', () => {
    for (const key of settingKeys) {
      if (/\.(source|baseUrl)$/.test(key)) expect(settings[key].scope, key).toBe('machine');
      if (key.startsWith('hexlens.privacy.')) expect(settings[key].scope, key).toBe('application');
    }
    expect(whole.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual([
      'hexlens.nodes',
      'hexlens.explorers',
      'hexlens.aptos.networks',
      'hexlens.abi.files',
      'hexlens.documentLinks.enabled',
      'hexlens.inlayHints.enabled',
    ]);
  });

  test('links in descriptions lead to settings that exist', () => {
    for (const link of strings(nls).flatMap(entry =>
      [...entry.matchAll(/`#([^#]+)#`/g)].map(match => match[1] ?? ''),
    )) {
      if (!link.startsWith('http.')) expect(settingKeys).toContain(link);
    }
  });

  test('what settings and commands quote of each other exists', () => {
    const titles = commandNames.map(name => `${COMMAND_CATEGORY}: ${commands[name].title.english}`);
    for (const quoted of strings(nls).flatMap(entry =>
      [...entry.matchAll(/\*\*(HexLens: [^*]+)\*\*/g)].map(match => match[1] ?? ''),
    ))
      expect(titles).toContain(quoted);
  });

  test('the defaults are without a problem', () => {
    expect(readSettings(key => structuredClone(defaults[key])).problems).toEqual([]);
    expect(readSettings(() => undefined)).toEqual(readSettings(key => structuredClone(defaults[key])));
  });
});

describe('withRegions', () => {
  test('sets its regions and keeps everything else, values and order', () => {
    const before = {
      name: 'x',
      keywords: ['old'],
      contributes: {
        views: { a: [] },
        commands: [{ command: 'old' }],
        menus: { 'view/title': [1], commandPalette: [2] },
      },
      devDependencies: { a: '1' },
    };
    const after = applyRegions(before, [
      { path: ['keywords'], value: ['new'] },
      { path: ['icon'], value: 'icon.png' },
      { path: ['contributes', 'commands'], value: [] },
      { path: ['contributes', 'menus', 'commandPalette'], value: [3] },
      { path: ['contributes', 'configuration'], value: [] },
    ]);
    expect(JSON.stringify(after)).toBe(
      JSON.stringify({
        name: 'x',
        keywords: ['new'],
        icon: 'icon.png',
        contributes: {
          views: { a: [] },
          commands: [],
          menus: { 'view/title': [1], commandPalette: [3] },
          configuration: [],
        },
        devDependencies: { a: '1' },
      }),
    );
    expect(before.keywords).toEqual(['old']);
  });

  test('done twice it changes nothing more', () => {
    const once = applyRegions({ name: 'x', scripts: {}, dependencies: {} }, regions);
    expect(JSON.stringify(applyRegions(once, regions))).toBe(JSON.stringify(once));
    expect(Object.keys(once).indexOf('contributes')).toBeLessThan(Object.keys(once).indexOf('scripts'));
  });

  test('a region that is no object any more is made one', () => {
    expect(applyRegions({ contributes: null }, [{ path: ['contributes', 'commands'], value: [] }])).toEqual({
      contributes: { commands: [] },
    });
  });
});

describe('extractTexts', () => {
  test('texts at any depth become keys, everything else stays', () => {
    const found: Record<string, string> = {};
    const value = { a: nlsText('A'), b: [nlsText('B'), 1, { c: nlsText('C') }], d: null, e: 'raw', f: false };
    expect(extractTexts(value, 'k', found)).toEqual({
      a: '%k.a%',
      b: ['%k.b.0%', 1, { c: '%k.b.2.c%' }],
      d: null,
      e: 'raw',
      f: false,
    });
    expect(found).toEqual({ 'k.a': 'A', 'k.b.0': 'B', 'k.b.2.c': 'C' });
  });

  test('no words of ours stand in the manifest untranslated', () => {
    const names = [COMMAND_CATEGORY, ...chains.map(chain => chain.title), ...Object.values(contextKeys)];
    const words = ['', 'onClick', ...names] as readonly string[];
    const others =
      /^(!?[\w.]+( && !?[\w.]+)*|%[\w.]+%|\*\*\S*|\$\([a-z-]+\)|[a-z]+|hexlens\.[\w.]+|https?:\S*|\^.*\$)$/;
    const texts = strings(
      regions.filter(({ path }) => ['commands', 'configuration'].includes(path[1] ?? '')).map(({ value }) => value),
    );
    expect(texts.filter(entry => !others.test(entry) && !words.includes(entry))).toEqual([]);
  });
});

test('the project has its license file', () => {
  expect(existsSync(`${root}LICENSE`)).toBe(true);
});
