// Contribution points other than commands and settings: views, menus, key bindings, walkthroughs, tools.

import type { CommandName } from './commands.ts';
import { viewIds } from './identifiers.ts';
import { nlsText } from './nlsText.ts';
import { languageModelTools } from './toolContributions.ts';
import { walkthroughs } from './walkthrough.ts';

const icon = 'media/sidebar.svg';

/** One hue that grows stronger: its steps differ for every eye. */
const GAS_HEATS = ['00', '1c', '38', '5c', '85'].map(opacity => ({
  dark: `#e69f00${opacity}`,
  light: `#d55e00${opacity}`,
}));

export const sidebarContributions = {
  viewsContainers: { activitybar: [{ id: 'hexlens', title: 'HexLens', icon }] },
  views: {
    hexlens: [
      { id: viewIds.service, name: nlsText('Nodes'), contextualTitle: 'HexLens', icon, initialSize: 1 },
      { id: viewIds.addresses, name: nlsText('Addresses'), contextualTitle: 'HexLens', icon, initialSize: 4 },
      {
        id: viewIds.activity,
        name: nlsText('Activity'),
        contextualTitle: 'HexLens',
        icon,
        initialSize: 2,
        when: 'hexlens.watching',
      },
    ],
  },
  viewsWelcome: [
    {
      view: viewIds.service,
      contents: nlsText(
        'No chain is configured. A dev chain such as Anvil or Hardhat needs no key and no sign-up.\n[Connect Node](command:hexlens.connectNode)\nOr write it into the [settings](command:hexlens.openNodeSettings).\nNo node at hand? [Try on a Sample Chain](command:hexlens.trySample).',
      ),
    },
    // A button for the first step, links for the others.
    {
      view: viewIds.addresses,
      contents: nlsText(
        'Save wallets, contracts and NFT collections, and browse what they hold and did.\n[Save an Address](command:hexlens.saveAddress)\nNothing at hand? [Try sample addresses](command:hexlens.addSampleAddresses), or [a sample chain](command:hexlens.trySample).\nDeployed with Foundry or Hardhat? [Import your deployments](command:hexlens.importAddresses), or a CSV or JSON file.\nHexLens reads the dev chain on this machine without any settings. For any other chain, [connect a node](command:hexlens.connectNode).',
      ),
    },
  ],
  colors: GAS_HEATS.map(({ dark, light }, index) => ({
    id: `hexlens.gasHeat${index + 1}`,
    description: nlsText(`Background of lines of Solidity by their gas: ${index + 1} of 5, from little to much.`),
    // With high contrast the bars and figures say it.
    defaults: { dark, light, highContrast: '#00000000', highContrastLight: '#00000000' },
  })),
  keybindings: [
    // Only while the tree has the focus; the keys of VS Code's own trees.
    ...[
      { command: 'hexlens.renameItem', key: 'f2', mac: 'enter' },
      { command: 'hexlens.removeItem', key: 'delete', mac: 'cmd+backspace' },
      { command: 'hexlens.copyItem', key: 'ctrl+c', mac: 'cmd+c' },
    ].map(binding => ({ ...binding, when: `focusedView == ${viewIds.addresses} && listFocus && !inputFocus` })),
    {
      command: 'hexlens.hideFailure',
      key: 'escape',
      when: 'hexlens.failureShown && editorTextFocus && !suggestWidgetVisible && !findWidgetVisible && !editorHasSelection && !editorHasMultipleSelections',
    },
  ],
};

const inAddresses = (when?: string) => `view == ${viewIds.addresses}${when === undefined ? '' : ` && ${when}`}`;
const inService = (when?: string) => `view == ${viewIds.service}${when === undefined ? '' : ` && ${when}`}`;
const inActivity = (when?: string) => `view == ${viewIds.activity}${when === undefined ? '' : ` && ${when}`}`;
const item = (pattern: string) => `viewItem =~ /${pattern}/`;

const entry = item('^entry\\b');
const folder = item('^group folder\\b');

export const sidebarMenus: Readonly<Record<'view/title' | 'view/item/context', readonly MenuItem[]>> = {
  'view/title': [
    { command: 'saveAddress', when: inAddresses(), group: 'navigation@1' },
    { command: 'filterAddresses', when: inAddresses('!hexlens.addressesFiltered'), group: 'navigation@2' },
    { command: 'clearAddressFilter', when: inAddresses('hexlens.addressesFiltered'), group: 'navigation@2' },
    { command: 'newFolder', when: inAddresses(), group: 'navigation@3' },
    { command: 'refreshAddresses', when: inAddresses(), group: 'navigation@4' },
    { command: 'groupAddresses', when: inAddresses(), group: '1_arrange@1' },
    { command: 'sortAddresses', when: inAddresses(), group: '1_arrange@2' },
    { command: 'filterAddresses', when: inAddresses(), group: '1_arrange@3' },
    { command: 'importAddresses', when: inAddresses(), group: '2_files@1' },
    { command: 'exportAddresses', when: inAddresses(), group: '2_files@2' },
    { command: 'addSampleAddresses', when: inAddresses(), group: '3_more@1' },
    { command: 'markActivitySeen', when: inActivity(), group: 'navigation@1' },
    { command: 'clearActivity', when: inActivity(), group: 'navigation@2' },
    { command: 'watch', when: inActivity(), group: '1_watch@1' },
    { command: 'connectNode', when: inService(), group: 'navigation@1' },
    { command: 'refreshService', when: inService(), group: 'navigation@2' },
    { command: 'openNodeSettings', when: inService(), group: '1_service@1' },
    { command: 'setApiKey', when: inService(), group: '1_service@2' },
    { command: 'restartBackend', when: inService(), group: '2_service@1' },
    { command: 'showOutput', when: inService(), group: '2_service@2' },
  ],
  'view/item/context': [
    { command: 'inspectItem', when: inAddresses(item('^(entry|section)\\b|\\binspectable\\b')), group: 'inline@1' },
    { command: 'copyItem', when: inAddresses(item('^(entry|row)\\b')), group: 'inline@2' },
    { command: 'editAddress', when: inAddresses(entry), group: 'inline@3' },
    { command: 'removeAddresses', when: inAddresses(entry), group: 'inline@4' },
    { command: 'saveItem', when: inAddresses(item('\\bsavable\\b')), group: 'inline@3' },
    { command: 'refreshItem', when: inAddresses(item('^(section|chain)\\b|\\bretry\\b')), group: 'inline@5' },
    { command: 'inspectItem', when: inAddresses(item('^(entry|section)\\b|\\binspectable\\b')), group: '1_open@1' },
    {
      command: 'refreshItem',
      when: inAddresses(item('^(section|chain|entry|group)\\b|\\bretry\\b')),
      group: '1_open@2',
    },
    { command: 'readContract', when: inAddresses(item('^entry (contract|collection)\\b')), group: '1_open@3' },
    { command: 'watch', when: inAddresses(item('^entry\\b.*\\bwatchable\\b')), group: '1_open@4' },
    { command: 'stopWatching', when: inAddresses(item('^entry\\b.*\\bwatched\\b')), group: '1_open@4' },
    { command: 'watchEvent', when: inAddresses(item('^row\\b.*\\bevent\\b')), group: '1_open@4' },
    { command: 'debugTransaction', when: inAddresses(item('^row\\b.*\\btransaction\\b')), group: '1_open@5' },
    { command: 'stopWatching', when: inActivity(item('^watch\\b')), group: 'inline@1' },
    { command: 'loadMore', when: inAddresses(item('^more\\b')), group: '1_open@3' },
    { command: 'copyItem', when: inAddresses(item('^(entry|row|fault)\\b')), group: '2_copy@1' },
    { command: 'renameItem', when: inAddresses(item('^(entry\\b|group folder\\b)')), group: '3_change@1' },
    { command: 'editAddress', when: inAddresses(entry), group: '3_change@2' },
    { command: 'saveItem', when: inAddresses(item('\\bsavable\\b')), group: '3_change@2' },
    { command: 'moveIntoFolder', when: inAddresses(entry), group: '3_change@3' },
    { command: 'newFolder', when: inAddresses(folder), group: '3_change@4' },
    { command: 'removeAddresses', when: inAddresses(entry), group: '4_remove@1' },
    { command: 'exportAddresses', when: inAddresses(item('^(entry\\b|group\\b)')), group: '2_copy@2' },
    { command: 'removeItem', when: inAddresses(folder), group: '4_remove@1' },
    { command: 'connectNode', when: inAddresses(item('^fault\\b.*\\bconnectNode\\b')), group: 'inline@2' },
    { command: 'setApiKey', when: inAddresses(item('^fault\\b.*\\bsetApiKey\\b')), group: 'inline@1' },
    { command: 'showOutput', when: inAddresses(item('^fault\\b')), group: '4_more@1' },
    { command: 'refreshChain', when: inService(item('^chain\\b')), group: 'inline@2' },
    { command: 'connectNode', when: inService(item('^problem\\b')), group: 'inline@3' },
    { command: 'setApiKey', when: inService(item('^host\\b')), group: 'inline@1' },
    { command: 'copyServiceValue', when: inService(item('\\bcopy\\b')), group: '2_copy@1' },
    { command: 'connectNode', when: inService(item('^(chain|problem)\\b')), group: '3_fix@0' },
    { command: 'openNodeSettings', when: inService(item('^(chain|problem)\\b')), group: '3_fix@1' },
    { command: 'restartBackend', when: inService(item('^(chain|problem)\\b')), group: '3_fix@2' },
    { command: 'showOutput', when: inService(item('^(chain|problem)\\b')), group: '3_fix@3' },
  ],
};

/** A command or submenu outside of the palette: in a title bar, a context menu or as an inline action. */
export type MenuItem = MenuPlace & ({ readonly command: CommandName } | { readonly submenu: `hexlens.${string}` });

interface MenuPlace {
  readonly when?: string;
  /** `inline@1`, `navigation@2`, `1_hexlens@1`. */
  readonly group?: string;
}

/** By VS Code's name of the menu (`editor/context`, `view/title`); the palette's own menu is made of the commands. */
export const menus: Readonly<Record<string, readonly MenuItem[]>> = {
  ...sidebarMenus,
  // One entry in VS Code's menus, everything else below it. No key bindings: all short ones are taken.
  'editor/context': [{ submenu: 'hexlens.editor', when: 'editorTextFocus', group: '1_hexlens@1' }],
  'hexlens.editor': [
    { command: 'lookUpSelection', when: 'editorHasSelection', group: '1_look@1' },
    { command: 'lookUpUnderCursor', when: '!editorHasSelection', group: '1_look@1' },
    { command: 'openExternal', group: '1_look@2' },
    { command: 'saveAddressUnderCursor', group: '2_copy@1' },
    { command: 'copyChecksummedAddress', group: '2_copy@2' },
    { command: 'verifySignIn', when: 'editorHasSelection', group: '3_verify@1' },
  ],
  'debug/toolBar': [{ command: 'debugUnoptimized', when: 'debugType == hexlens', group: 'navigation@90' }],
  'terminal/context': [{ command: 'lookUpTerminalSelection', when: 'terminalTextSelected', group: '1_hexlens@1' }],
  'explorer/context': [
    {
      command: 'importFolder',
      // Below these folders too: the explorer draws folders that hold one folder only as one row, the last of them.
      when: 'explorerResourceIsFolder && resourcePath =~ /[\\/\\\\](broadcast|deployments)([\\/\\\\]|$)/ || resourceFilename =~ /^(run-latest\\.json|deployed_addresses\\.json)$/',
      group: '7_hexlens@1',
    },
  ],
};

/** Empty: the user enters one at the start. */
const launchConfiguration = {
  type: 'hexlens',
  request: 'launch',
  name: 'Debug Transaction',
  transaction: '',
} as const;

const launchProperties = {
  transaction: {
    type: 'string',
    description: nlsText('Hash of a mined transaction; where it is empty, you enter one.'),
  },
  chain: {
    type: 'string',
    description: nlsText(
      'Selector of the chain, as in the setting of nodes; absent: chains of this machine are searched.',
    ),
  },
  stopOnEntry: {
    type: 'boolean',
    default: true,
    description: nlsText('Stop at the first statement.'),
  },
  steppingGranularity: {
    type: 'string',
    enum: ['statement', 'line', 'instruction'],
    default: 'statement',
    description: nlsText('How far a step goes.'),
  },
  build: {
    type: 'string',
    enum: ['deployed', 'unoptimized'],
    default: 'deployed',
    description: nlsText(
      'The code that is debugged: that of the chain, or an unoptimized build of the same sources where it does the same.',
    ),
  },
} as const;

/** By the name of the contribution point in `contributes`; texts in it are `NlsText`. */
export const contributions: Readonly<Record<string, unknown>> = {
  ...sidebarContributions,
  // The committed address book: comments are welcome, fields are known.
  languages: [
    // Breakpoints need the language; extensions for it add all else.
    { id: 'solidity', aliases: ['Solidity'], extensions: ['.sol'] },
    { id: 'jsonc', filenamePatterns: ['**/.hexlens/addresses.json'] },
  ],
  jsonValidation: [{ fileMatch: '/.hexlens/addresses.json', url: './media/addresses.schema.json' }],
  debuggers: [
    {
      type: 'hexlens',
      label: nlsText('HexLens: Transaction'),
      languages: ['solidity'],
      configurationAttributes: { launch: { required: ['transaction'], properties: launchProperties } },
      initialConfigurations: [launchConfiguration],
      configurationSnippets: [
        {
          label: nlsText('HexLens: Debug a Transaction'),
          description: nlsText('Steps through a mined transaction, forward and back.'),
          body: launchConfiguration,
        },
      ],
    },
  ],
  breakpoints: [{ language: 'solidity' }],
  languageModelTools,
  mcpServerDefinitionProviders: [{ id: 'hexlens', label: 'HexLens' }],
  walkthroughs,
  submenus: [{ id: 'hexlens.editor', label: 'HexLens' }],
};
