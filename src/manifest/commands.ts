// Ids of all commands, separate from commandsTable.ts, whose titles the start bundle does not have.
import type { commands } from './commandsTable.ts';

export type CommandName = keyof typeof commands;

/** `commandIds.setApiKey` is `'hexlens.setApiKey'`: made from the name when it is read. */
export const commandIds = new Proxy({} as { readonly [Name in CommandName]: `hexlens.${Name}` }, {
  get: (_, name) => `hexlens.${String(name)}`,
});
