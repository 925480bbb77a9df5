// All commands: titles, icons and conditions, for package.json.

import { type NlsText, nlsText } from './nlsText.ts';

export interface CommandSpec {
  readonly title: NlsText;
  /** The command palette offers it, but for commands that need an argument. */
  readonly palette?: 'never';
  /** Codicon (`$(refresh)`) for title bars, inline actions and touch bars; commands of the palette have one. */
  readonly icon?: string;
  /** When it can be run; otherwise the palette leaves it out and menus show it disabled. */
  readonly enablement?: string;
  /** Hovers may link to it. */
  readonly hover?: true;
}

/** In the order of package.json. */
export const commands = {
  showStatus: { title: nlsText('Show Status'), icon: '$(info)' },
  /** Opened by the status bar item of indexing. */
  showIndexing: { title: nlsText('Show Indexing'), palette: 'never' },
  setApiKey: { title: nlsText('Set API Key'), icon: '$(key)' },
  clearApiKey: {
    title: nlsText('Clear API Key'),
    icon: '$(clear-all)',
    enablement: 'hexlens.hasApiKey',
  },
  /** The quick fix for a key in a settings file. */
  storeUrlSecret: { title: nlsText('Move Key into Secret Storage'), palette: 'never' },
  copyChecksummedAddress: {
    title: nlsText('Copy Checksummed Address'),
    icon: '$(copy)',
    enablement: 'editorIsOpen',
  },
  openNodeSettings: { title: nlsText('Open Node Settings'), icon: '$(settings-gear)', hover: true },
  verifySignIn: { title: nlsText('Verify Sign-In Message'), icon: '$(verified)' },
  restartBackend: { title: nlsText('Restart Service'), icon: '$(debug-restart)' },
  showOutput: { title: nlsText('Show Output'), icon: '$(output)', hover: true },
  reportIssue: { title: nlsText('Report Issue…'), icon: '$(report)' },
  copyText: { title: nlsText('Copy Text from Hover'), palette: 'never', hover: true },
  openExternal: {
    title: nlsText('Open in External Explorer'),
    icon: '$(link-external)',
    enablement: 'editorIsOpen',
    hover: true,
  },
  /** Confirms that 32 bytes may be sent to a remote host: they could be a private key. */
  lookUpHash: { title: nlsText('Look Up Hash'), palette: 'never', hover: true },
  /** Confirms that an address may be sent, where `hexlens.privacy.lookUp` requires it. */
  lookUpAddress: { title: nlsText('Look Up Address'), palette: 'never', hover: true },
  /** Cancels the request that a hover still waits for. Argument: the key of the request. */
  cancelHover: { title: nlsText('Cancel Hover Request'), palette: 'never', hover: true },
  /** Opens the source of a contract of the workspace. Arguments: chain, address. */
  openSource: { title: nlsText('Open Contract Source'), palette: 'never', icon: '$(go-to-file)', hover: true },
  /** Opens the text that was built, where the file has another. Arguments: hash of the text, line, character. */
  openBuiltSource: { title: nlsText('Open Source as Built'), palette: 'never', icon: '$(go-to-file)', hover: true },
  /** Of the hash at the cursor; prompts for one if there is none. */
  showFailure: { title: nlsText('Show Failure in Source'), icon: '$(debug-stackframe)' },
  /** Of Foundry projects, whose builds have no names of variables by default. */
  buildDebugInformation: { title: nlsText('Build Debug Information'), icon: '$(tools)', hover: true },
  /** Prompts for a call, and shows what it would do. Argument: a page, whose call is the first proposal. */
  simulateCall: { title: nlsText('Simulate Call'), icon: '$(beaker)' },
  /** Of the selection in editor or terminal. */
  debugFailedCall: { title: nlsText('Debug Failed Call'), icon: '$(debug-alt)' },
  /** Escape, while a line shows why a transaction failed. */
  hideFailure: { title: nlsText('Hide Failure'), palette: 'never' },
  /** Argument: the number of the block before, or `{ chain, block }`; what it lacks the user chooses. */
  whatChanged: { title: nlsText('What Changed Since…'), icon: '$(diff)' },
  /** Of the transaction at the cursor, of the newest blocks, or since the last time. Argument: `{ chain }`. */
  showGas: { title: nlsText('Show Gas in Source…'), icon: '$(flame)' },
  hideGas: { title: nlsText('Hide Gas'), icon: '$(flame)', enablement: 'hexlens.gasShown' },
  /** The menu of the status bar item. */
  showGasMenu: { title: nlsText('Gas in Source…'), palette: 'never' },
  /** Argument: `{ chain, hash, step }`; prompts for a transaction if there is none. */
  debugTransaction: {
    title: nlsText('Debug Transaction'),
    icon: '$(debug-alt)',
    hover: true,
  },
  /** Of the debug toolbar: begins its session again. Of the session's configuration; without a session as `debugTransaction`. */
  debugUnoptimized: { title: nlsText('Debug Unoptimized Build'), palette: 'never', icon: '$(layers-active)' },
  findOccurrences: {
    title: nlsText('Find Hex in Files'),
    icon: '$(search-fuzzy)',
    enablement: 'editorIsOpen',
  },
  /** Opens an `InspectorTarget` (protocol/inspectorTarget.ts), its only argument. */
  inspect: { title: nlsText('Inspect'), palette: 'never', icon: '$(inspect)', hover: true },
  /** Argument: an address or a node of the Addresses view; prompts for a contract if it is missing. */
  readContract: { title: nlsText('Read Contract…'), icon: '$(symbol-method)' },
  lookUp: { title: nlsText('Look Up…'), icon: '$(search)' },
  lookUpSelection: {
    title: nlsText('Look Up Selection'),
    icon: '$(search)',
    enablement: 'editorHasSelection',
  },
  lookUpUnderCursor: {
    title: nlsText('Look Up Under Cursor'),
    icon: '$(search)',
    enablement: 'editorIsOpen && !editorHasSelection',
  },
  lookUpTerminalSelection: { title: nlsText('Look Up Selection in HexLens'), palette: 'never' },
  clearLookUpHistory: {
    title: nlsText('Clear Look-Up History'),
    icon: '$(clear-all)',
    enablement: 'hexlens.lookedUp',
  },
  /** Arguments: the id of an operation (without it the user picks one), and its parameters. */
  runOperation: { title: nlsText('Run Operation…'), icon: '$(run)' },
  runOperationJson: { title: nlsText('Run Operation as JSON…'), icon: '$(json)' },
  switchChain: { title: nlsText('Switch Chain…'), icon: '$(layers)' },
  /** Not in a browser, which has no folder to put it in. */
  trySample: {
    title: nlsText('Try on a Sample Chain'),
    icon: '$(beaker)',
    enablement: '!hexlens.inBrowser',
  },
  connectNode: { title: nlsText('Connect Node…'), icon: '$(plug)', hover: true },
  // The sidebar. Commands that end in Item take a node of the Addresses view, or its selection.
  inspectItem: { title: nlsText('Inspect'), palette: 'never', icon: '$(inspect)' },
  refreshItem: { title: nlsText('Refresh'), palette: 'never', icon: '$(refresh)' },
  copyItem: { title: nlsText('Copy'), palette: 'never', icon: '$(copy)' },
  renameItem: { title: nlsText('Rename…'), palette: 'never' },
  removeItem: { title: nlsText('Remove'), palette: 'never', icon: '$(trash)' },
  saveItem: { title: nlsText('Save Address'), palette: 'never', icon: '$(bookmark)' },
  loadMore: { title: nlsText('Load More'), palette: 'never', icon: '$(fold-down)' },
  moveIntoFolder: { title: nlsText('Move into Folder…'), palette: 'never' },
  newFolder: { title: nlsText('New Folder…'), icon: '$(new-folder)' },
  refreshAddresses: { title: nlsText('Refresh Addresses'), icon: '$(refresh)' },
  filterAddresses: { title: nlsText('Filter Addresses…'), icon: '$(filter)' },
  clearAddressFilter: {
    title: nlsText('Clear Address Filter'),
    enablement: 'hexlens.addressesFiltered',
    icon: '$(filter-filled)',
  },
  groupAddresses: { title: nlsText('Group Addresses…'), icon: '$(group-by-ref-type)' },
  sortAddresses: { title: nlsText('Sort Addresses…'), icon: '$(sort-precedence)' },
  addSampleAddresses: { title: nlsText('Add Sample Addresses'), icon: '$(lightbulb)' },
  /** Argument: a node of the Addresses view, or an address (`Watch`); without one, several can be picked. */
  watch: { title: nlsText('Watch'), icon: '$(eye)' },
  /** Argument: the row of a log in the Addresses view, or a `Watch`. */
  watchEvent: { title: nlsText('Watch Event'), palette: 'never', icon: '$(eye)' },
  /** Argument: a node of the Addresses or of the Activity view, or a `Watch`. */
  stopWatching: { title: nlsText('Stop Watching'), palette: 'never', icon: '$(eye-closed)' },
  markActivitySeen: { title: nlsText('Mark All as Seen'), palette: 'never', icon: '$(check-all)' },
  clearActivity: { title: nlsText('Clear'), palette: 'never', icon: '$(clear-all)' },
  refreshService: { title: nlsText('Refresh Service'), icon: '$(refresh)' },
  refreshChain: { title: nlsText('Refresh'), palette: 'never', icon: '$(refresh)' },
  copyServiceValue: { title: nlsText('Copy'), palette: 'never', icon: '$(copy)' },
  /** Prompts for what is missing, the address too. Argument: an address, or a `SaveRequest` with defaults for the form. */
  saveAddress: { title: nlsText('Save Address'), icon: '$(bookmark)', hover: true },
  saveAddressUnderCursor: {
    title: nlsText('Save Address Under Cursor'),
    icon: '$(bookmark)',
    enablement: 'editorIsOpen',
  },
  /** Argument: id of an entry, or anything that carries one (`parseEntryIds`); without one the user picks an entry. */
  editAddress: { title: nlsText('Edit Address Book Entry'), icon: '$(edit)', hover: true },
  /** Argument as of `editAddress`; several with a multiple selection. */
  removeAddresses: { title: nlsText('Remove Address Book Entry'), icon: '$(trash)' },
  importAddresses: { title: nlsText('Import Addresses…'), icon: '$(desktop-download)' },
  /** In the menu of the explorer, where the title must name HexLens. Argument: the folder or file. */
  importFolder: { title: nlsText('Import Addresses into HexLens…'), palette: 'never' },
  exportAddresses: { title: nlsText('Export Addresses'), icon: '$(export)' },
  startHttp: {
    title: nlsText('Start HTTP Service'),
    icon: '$(play)',
    enablement: '!hexlens.httpRunning && !hexlens.inBrowser',
  },
  stopHttp: {
    title: nlsText('Stop HTTP Service'),
    icon: '$(debug-stop)',
    enablement: 'hexlens.httpRunning',
  },
  copyHttpUrl: {
    title: nlsText('Copy HTTP Service URL'),
    icon: '$(link)',
    enablement: 'hexlens.httpRunning',
  },
  copyHttpKey: {
    title: nlsText('Copy HTTP Service Key'),
    icon: '$(key)',
    enablement: 'hexlens.httpRunning',
  },
  /** Opened by the status bar item of the HTTP service. */
  showHttp: {
    title: nlsText('Show HTTP Service'),
    icon: '$(server-process)',
    enablement: 'hexlens.httpRunning',
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export const commandNames = Object.keys(commands) as readonly (keyof typeof commands)[];

export const COMMAND_CATEGORY = 'HexLens';
