// Where commands stand besides the palette: title bars, context menus, inline actions, each with its `when`.
import type { CommandName } from './commands.ts';
import { sidebarMenus } from './sidebar.ts';

export type MenuItem = MenuPlace & ({ readonly command: CommandName } | { readonly submenu: `hexlens.${string}` });

interface MenuPlace {
  readonly when?: string;
  /** `inline@1`, `navigation@2`, `1_hexlens@1`. */
  readonly group?: string;
}

/** By VS Code's name of the menu (`editor/context`, `view/title`); the palette's own menu is made of the commands. */
export const menus: Readonly<Record<string, readonly MenuItem[]>> = {
  ...sidebarMenus,
  // One entry in other people's menus, everything else below it. No key bindings: every short key is somebody's already.
  'editor/context': [{ submenu: 'hexlens.editor', when: 'editorTextFocus', group: '1_hexlens@1' }],
  'hexlens.editor': [
    { command: 'lookUpSelection', group: '1_look@1' },
    { command: 'openExternal', group: '1_look@2' },
    { command: 'saveAddressUnderCursor', group: '2_copy@1' },
    { command: 'copyChecksummedAddress', group: '2_copy@2' },
    { command: 'verifySignIn', when: 'editorHasSelection', group: '3_verify@1' },
  ],
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
