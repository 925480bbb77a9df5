// Ids of all commands, separate from commandsTable.ts to keep the start bundle small.

/** In the order of package.json. */
export const commandNames = [
  'showStatus',
  'showIndexing',
  'setApiKey',
  'clearApiKey',
  'storeUrlSecret',
  'copyChecksummedAddress',
  'openNodeSettings',
  'verifySignIn',
  'restartBackend',
  'showOutput',
  'copyText',
  'openExternal',
  'lookUpHash',
  'lookUpAddress',
  'openSource',
  'findOccurrences',
  'inspect',
  'lookUp',
  'lookUpSelection',
  'lookUpUnderCursor',
  'lookUpTerminalSelection',
  'clearLookUpHistory',
  'runOperation',
  'runOperationJson',
  'switchChain',
  'connectNode',
  'inspectItem',
  'refreshItem',
  'copyItem',
  'renameItem',
  'removeItem',
  'saveItem',
  'loadMore',
  'moveIntoFolder',
  'newFolder',
  'refreshAddresses',
  'filterAddresses',
  'clearAddressFilter',
  'groupAddresses',
  'sortAddresses',
  'addSampleAddresses',
  'refreshService',
  'refreshChain',
  'copyServiceValue',
  'saveAddress',
  'saveAddressUnderCursor',
  'editAddress',
  'removeAddresses',
  'importAddresses',
  'importFolder',
  'exportAddresses',
  'startHttp',
  'stopHttp',
  'copyHttpUrl',
  'copyHttpKey',
  'showHttp',
] as const;

export type CommandName = (typeof commandNames)[number];
export type CommandId = `hexlens.${CommandName}`;

/** `commandIds.setApiKey` is `'hexlens.setApiKey'`. */
export const commandIds = Object.fromEntries(commandNames.map(name => [name, `hexlens.${name}`])) as {
  readonly [Name in CommandName]: `hexlens.${Name}`;
};
