// All commands: ids, titles and palette rules, for package.json and for the code that registers and runs them.

import { contextKeys } from './identifiers.ts';
import { type NlsText, nlsText } from './nlsText.ts';

export interface CommandSpec {
  readonly title: NlsText;
  /** When the command palette offers it; `never` for commands that need an argument. */
  readonly palette: 'always' | 'never' | { readonly when: string };
  /** Codicon (`$(refresh)`) for title bars and inline actions. */
  readonly icon?: string;
  /** When it can be run; otherwise it is disabled. */
  readonly enablement?: string;
  /** Hovers may link to it. */
  readonly hover?: true;
}

export const commands = {
  showStatus: { title: nlsText('Show Status'), palette: 'always' },
  /** Opened by the status bar item of indexing. */
  showIndexing: { title: nlsText('Show Indexing'), palette: 'never' },
  setApiKey: { title: nlsText('Set API Key'), palette: 'always', icon: '$(key)' },
  clearApiKey: { title: nlsText('Clear API Key'), palette: { when: contextKeys.hasApiKey } },
  /** The quick fix for a key in a settings file. */
  storeUrlSecret: { title: nlsText('Move Key into Secret Storage'), palette: 'never' },
  copyChecksummedAddress: { title: nlsText('Copy Checksummed Address'), palette: { when: 'editorIsOpen' } },
  openNodeSettings: { title: nlsText('Open Node Settings'), palette: 'always', hover: true },
  verifySignIn: { title: nlsText('Verify Sign-In Message'), palette: 'always' },
  restartBackend: { title: nlsText('Restart Service'), palette: 'always' },
  showOutput: { title: nlsText('Show Output'), palette: 'always', hover: true },
  copyText: { title: nlsText('Copy Text from Hover'), palette: 'never', hover: true },
  openExternal: { title: nlsText('Open in External Explorer'), palette: { when: 'editorIsOpen' }, hover: true },
  /** Confirms that 32 bytes may be sent to a remote host: they could be a private key. */
  lookUpHash: { title: nlsText('Look Up Hash'), palette: 'never', hover: true },
  /** Confirms that an address may be sent, where `hexlens.privacy.lookUp` requires it. */
  lookUpAddress: { title: nlsText('Look Up Address'), palette: 'never', hover: true },
  findOccurrences: { title: nlsText('Find Hex in Files'), palette: { when: 'editorIsOpen' } },
  /** Opens an `InspectorTarget` (panels/target.ts), its only argument. */
  inspect: { title: nlsText('Inspect'), palette: 'never', icon: '$(inspect)', hover: true },
  lookUp: { title: nlsText('Look Up…'), palette: 'always', icon: '$(search)' },
  lookUpSelection: { title: nlsText('Look Up Selection'), palette: { when: 'editorHasSelection' } },
  lookUpUnderCursor: {
    title: nlsText('Look Up Under Cursor'),
    palette: { when: 'editorIsOpen && !editorHasSelection' },
  },
  lookUpTerminalSelection: { title: nlsText('Look Up Selection in HexLens'), palette: 'never' },
  clearLookUpHistory: { title: nlsText('Clear Look-Up History'), palette: 'always' },
  runOperationJson: { title: nlsText('Run Operation as JSON…'), palette: 'always' },
  switchChain: { title: nlsText('Switch Chain…'), palette: 'always' },
  connectNode: { title: nlsText('Connect Node…'), palette: 'always', icon: '$(plug)' },
  // The sidebar. Commands that end in Item take a node of the Addresses view, or its selection.
  inspectItem: { title: nlsText('Inspect'), palette: 'never', icon: '$(inspect)' },
  refreshItem: { title: nlsText('Refresh'), palette: 'never', icon: '$(refresh)' },
  copyItem: { title: nlsText('Copy'), palette: 'never', icon: '$(copy)' },
  renameItem: { title: nlsText('Rename…'), palette: 'never' },
  removeItem: { title: nlsText('Remove'), palette: 'never', icon: '$(trash)' },
  saveItem: { title: nlsText('Save Address'), palette: 'never', icon: '$(bookmark)' },
  loadMore: { title: nlsText('Load More'), palette: 'never', icon: '$(fold-down)' },
  moveIntoFolder: { title: nlsText('Move into Folder…'), palette: 'never' },
  newFolder: { title: nlsText('New Folder…'), palette: 'always', icon: '$(new-folder)' },
  refreshAddresses: { title: nlsText('Refresh Addresses'), palette: 'always', icon: '$(refresh)' },
  filterAddresses: { title: nlsText('Filter Addresses…'), palette: 'always', icon: '$(filter)' },
  clearAddressFilter: {
    title: nlsText('Clear Address Filter'),
    palette: { when: contextKeys.addressesFiltered },
    icon: '$(filter-filled)',
  },
  groupAddresses: { title: nlsText('Group Addresses…'), palette: 'always' },
  sortAddresses: { title: nlsText('Sort Addresses…'), palette: 'always' },
  addSampleAddresses: { title: nlsText('Add Sample Addresses'), palette: 'always' },
  refreshService: { title: nlsText('Refresh Service'), palette: 'always', icon: '$(refresh)' },
  refreshChain: { title: nlsText('Refresh'), palette: 'never', icon: '$(refresh)' },
  copyServiceValue: { title: nlsText('Copy'), palette: 'never', icon: '$(copy)' },
  /** Asks for what is missing. Argument: an address, or what is known of it (`SaveRequest`); asks for it without one. */
  saveAddress: { title: nlsText('Save Address'), palette: 'always', icon: '$(bookmark)', hover: true },
  saveAddressUnderCursor: { title: nlsText('Save Address Under Cursor'), palette: { when: 'editorIsOpen' } },
  /** Argument: id of an entry, or anything that carries one (`entryIdsOf`); lets one be picked without. */
  editAddress: { title: nlsText('Edit Address Book Entry'), palette: 'always', icon: '$(edit)', hover: true },
  /** Argument as of `editAddress`; several with a multiple selection. */
  removeAddresses: { title: nlsText('Remove Address Book Entry'), palette: 'always', icon: '$(trash)' },
  importAddresses: { title: nlsText('Import Addresses…'), palette: 'always' },
  /** In the menu of the explorer, where the title must name HexLens. Argument: the folder or file. */
  importFolder: { title: nlsText('Import Addresses into HexLens…'), palette: 'never' },
  exportAddresses: { title: nlsText('Export Addresses'), palette: 'always' },
  startHttp: { title: nlsText('Start HTTP Service'), palette: { when: `!${contextKeys.httpRunning}` } },
  stopHttp: { title: nlsText('Stop HTTP Service'), palette: { when: contextKeys.httpRunning } },
  copyHttpUrl: { title: nlsText('Copy HTTP Service URL'), palette: { when: contextKeys.httpRunning } },
  copyHttpKey: { title: nlsText('Copy HTTP Service Key'), palette: { when: contextKeys.httpRunning } },
  /** Opened by the status bar item of the HTTP service. */
  showHttp: { title: nlsText('Show HTTP Service'), palette: { when: contextKeys.httpRunning } },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export type CommandName = keyof typeof commands;
export type CommandId = `hexlens.${CommandName}`;

export const commandNames = Object.keys(commands) as readonly CommandName[];

/** `commandIds.setApiKey` is `'hexlens.setApiKey'`. */
export const commandIds = Object.fromEntries(commandNames.map(name => [name, `hexlens.${name}`])) as {
  readonly [Name in CommandName]: `hexlens.${Name}`;
};

export const COMMAND_CATEGORY = 'HexLens';
