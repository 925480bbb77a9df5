// Every command of HexLens, written once: ids for whoever registers or runs them, titles and palette rules for package.json.
import { contextKeys } from './contextKeys.ts';
import { type NlsText, text } from './nlsText.ts';

export interface CommandSpec {
  readonly title: NlsText;
  /** When the command palette offers it; `never` for commands that need an argument. */
  readonly palette: 'always' | 'never' | { readonly when: string };
  /** Codicon (`$(refresh)`) for title bars and inline actions. */
  readonly icon?: string;
  /** When it can be run; it is shown greyed out otherwise. */
  readonly enablement?: string;
  /** Hovers may link to it. */
  readonly hover?: true;
}

export const commands = {
  showStatus: { title: text('Show Status'), palette: 'always' },
  /** What a click on the status bar item of indexing offers. */
  showIndexing: { title: text('Show Indexing'), palette: 'never' },
  setApiKey: { title: text('Set API Key'), palette: 'always', icon: '$(key)' },
  clearApiKey: { title: text('Clear API Key'), palette: { when: contextKeys.hasApiKey } },
  copyChecksummedAddress: { title: text('Copy Checksummed Address'), palette: { when: 'editorIsOpen' } },
  openNodeSettings: { title: text('Open Node Settings'), palette: 'always', hover: true },
  verifySignIn: { title: text('Verify Sign-In Message'), palette: 'always' },
  restartBackend: { title: text('Restart Service'), palette: 'always' },
  showOutput: { title: text('Show Output'), palette: 'always', hover: true },
  copyText: { title: text('Copy Text from Hover'), palette: 'never', hover: true },
  openExternal: { title: text('Open in External Explorer'), palette: { when: 'editorIsOpen' }, hover: true },
  /** The click that a 32-byte literal needs before it leaves this machine: it may be a private key. */
  lookUpHash: { title: text('Look Up Hash'), palette: 'never', hover: true },
  /** The click that an address needs where `hexlens.privacy.lookUp` asks for one. */
  lookUpAddress: { title: text('Look Up Address'), palette: 'never', hover: true },
  findOccurrences: { title: text('Find Hex in Files'), palette: { when: 'editorIsOpen' } },
  /** Opens an `InspectorTarget` (panels/target.ts), its only argument. */
  inspect: { title: text('Inspect'), palette: 'never', icon: '$(inspect)', hover: true },
  lookUp: { title: text('Look Up…'), palette: 'always', icon: '$(search)' },
  lookUpSelection: { title: text('Look Up Selection'), palette: { when: 'editorIsOpen' } },
  lookUpTerminalSelection: { title: text('Look Up Selection in HexLens'), palette: 'never' },
  clearLookUpHistory: { title: text('Clear Look-Up History'), palette: 'always' },
  runOperationJson: { title: text('Run Operation as JSON…'), palette: 'always' },
  switchChain: { title: text('Switch Chain…'), palette: 'always' },
  connectNode: { title: text('Connect Node…'), palette: 'always', icon: '$(plug)' },
  // The sidebar. Those whose names end in Item take a node of the Addresses view, or what is selected there.
  inspectItem: { title: text('Inspect'), palette: 'never', icon: '$(inspect)' },
  refreshItem: { title: text('Refresh'), palette: 'never', icon: '$(refresh)' },
  copyItem: { title: text('Copy'), palette: 'never', icon: '$(copy)' },
  renameItem: { title: text('Rename…'), palette: 'never' },
  removeItem: { title: text('Remove'), palette: 'never', icon: '$(trash)' },
  saveItem: { title: text('Save Address'), palette: 'never', icon: '$(bookmark)' },
  loadMore: { title: text('Load More'), palette: 'never', icon: '$(fold-down)' },
  moveIntoFolder: { title: text('Move into Folder…'), palette: 'never' },
  newFolder: { title: text('New Folder…'), palette: 'always', icon: '$(new-folder)' },
  refreshAddresses: { title: text('Refresh Addresses'), palette: 'always', icon: '$(refresh)' },
  filterAddresses: { title: text('Filter Addresses…'), palette: 'always', icon: '$(filter)' },
  clearAddressFilter: {
    title: text('Clear Address Filter'),
    palette: { when: contextKeys.addressesFiltered },
    icon: '$(filter-filled)',
  },
  groupAddresses: { title: text('Group Addresses…'), palette: 'always' },
  sortAddresses: { title: text('Sort Addresses…'), palette: 'always' },
  addSampleAddresses: { title: text('Add Sample Addresses'), palette: 'always' },
  refreshService: { title: text('Refresh Service'), palette: 'always', icon: '$(refresh)' },
  refreshChain: { title: text('Refresh'), palette: 'never', icon: '$(refresh)' },
  copyServiceValue: { title: text('Copy'), palette: 'never', icon: '$(copy)' },
  /** Asks for what is missing. Argument: an address, or what is known of it (`SaveRequest`); asks for it without one. */
  saveAddress: { title: text('Save Address'), palette: 'always', icon: '$(bookmark)', hover: true },
  saveAddressUnderCursor: { title: text('Save Address Under Cursor'), palette: { when: 'editorIsOpen' } },
  /** Argument: id of an entry, or anything that carries one (`entryIdsOf`); lets one be picked without. */
  editAddress: { title: text('Edit Address Book Entry'), palette: 'always', icon: '$(edit)', hover: true },
  /** Argument as of `editAddress`; several with a multiple selection. */
  removeAddresses: { title: text('Remove Address Book Entry'), palette: 'always', icon: '$(trash)' },
  importAddresses: { title: text('Import Addresses…'), palette: 'always' },
  /** The same in the menu of the explorer, where nothing else says whose it is. Argument: the folder or file. */
  importFolder: { title: text('Import Addresses into HexLens…'), palette: 'never' },
  exportAddresses: { title: text('Export Addresses'), palette: 'always' },
  startHttp: { title: text('Start HTTP Service'), palette: { when: `!${contextKeys.httpRunning}` } },
  stopHttp: { title: text('Stop HTTP Service'), palette: { when: contextKeys.httpRunning } },
  copyHttpUrl: { title: text('Copy HTTP Service URL'), palette: { when: contextKeys.httpRunning } },
  copyHttpKey: { title: text('Copy HTTP Service Key'), palette: { when: contextKeys.httpRunning } },
  /** What a click on the status bar item of the HTTP service offers. */
  showHttp: { title: text('Show HTTP Service'), palette: { when: contextKeys.httpRunning } },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export type CommandName = keyof typeof commands;
export type CommandId = `hexlens.${CommandName}`;

export const commandNames = Object.keys(commands) as readonly CommandName[];

/** `commandIds.setApiKey` is `'hexlens.setApiKey'`. */
export const commandIds = Object.fromEntries(commandNames.map(name => [name, `hexlens.${name}`])) as {
  readonly [Name in CommandName]: `hexlens.${Name}`;
};

export const COMMAND_CATEGORY = 'HexLens';
