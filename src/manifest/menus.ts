// Where commands stand besides the palette: title bars, context menus, inline actions, each with its `when`.
import type { CommandName } from './commands.ts';
import { sidebarMenus } from './sidebar.ts';

export interface MenuItem {
  readonly command: CommandName;
  readonly when?: string;
  /** `inline@1`, `navigation@2`, `1_hexlens@1`. */
  readonly group?: string;
}

/** By VS Code's name of the menu (`editor/context`, `view/title`); the palette's own menu is made of the commands. */
export const menus: Readonly<Record<string, readonly MenuItem[]>> = {
  ...sidebarMenus,
  'explorer/context': [
    {
      command: 'importAddresses',
      when: 'resourceFilename =~ /^(broadcast|deployments|run-latest\\.json|deployed_addresses\\.json)$/',
      group: '7_hexlens@1',
    },
  ],
};
