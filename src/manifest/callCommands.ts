// One command per operation, made of the table of operations. For package.json only: the table is no part of the start.
import { operationIds, operations } from '../api/operations/operations.ts';
import { type Text, text } from './nlsText.ts';

/** The id of an operation's command: the operation's own word behind `hexlens.call.`. */
export const operationCommandId = <Id extends string>(id: Id): `hexlens.call.${Id}` => `hexlens.call.${id}`;

/** The dots say that something is asked for first. */
function titleOf(id: (typeof operationIds)[number]): Text {
  const { title, retired }: { readonly title: string; readonly retired?: string } = operations[id];
  return text(retired === undefined ? `${title}…` : `${title} (Retired)…`);
}

/** In the table's order. */
export const operationCommands: readonly { readonly command: string; readonly key: string; readonly title: Text }[] =
  operationIds.map(id => ({ command: operationCommandId(id), key: `command.call.${id}.title`, title: titleOf(id) }));
