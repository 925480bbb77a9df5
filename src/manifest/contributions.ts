// Contribution points that are neither commands, menus nor settings: views, key bindings, walkthroughs, tools.

import { languageModelTools } from './languageModelTools.ts';
import { sidebarContributions } from './sidebar.ts';
import { walkthroughs } from './walkthrough.ts';

/** By VS Code's name of the point, as it stands below `contributes`; texts in it are `Text`. */
export const contributions: Readonly<Record<string, unknown>> = {
  ...sidebarContributions,
  // The committed address book: comments are welcome, fields are known.
  languages: [{ id: 'jsonc', filenamePatterns: ['**/.hexlens/addresses.json'] }],
  jsonValidation: [{ fileMatch: '/.hexlens/addresses.json', url: './media/addresses.schema.json' }],
  languageModelTools,
  walkthroughs,
  submenus: [{ id: 'hexlens.editor', label: 'HexLens' }],
};
