// Names of the commands that the sidebar handles.
import type { CommandName } from '../../manifest/commands.ts';

export const sidebarCommands = [
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
  'watch',
  'watchEvent',
  'stopWatching',
  'markActivitySeen',
  'clearActivity',
  'refreshService',
  'refreshChain',
  'copyServiceValue',
] as const satisfies readonly CommandName[];

export type SidebarCommand = (typeof sidebarCommands)[number];
