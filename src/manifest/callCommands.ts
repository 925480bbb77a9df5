// One command per operation, made of the table of operations. For package.json only: the table is no part of the start.
import { operationIds, operations } from '../api/operations/operations.ts';
import { type NlsText, text } from './nlsText.ts';

/** The id of an operation's command: the operation's own word behind `hexlens.call.`. */
export const toCallCommandId = <Id extends string>(id: Id): `hexlens.call.${Id}` => `hexlens.call.${id}`;

/** The dots say that something is asked for first. */
function titleOf(id: (typeof operationIds)[number]): NlsText {
  const { title, retired }: { readonly title: string; readonly retired?: string } = operations[id];
  return text(retired === undefined ? `${title}…` : `${title} (Retired)…`);
}

/** In the table's order. */
export const callCommands: readonly { readonly command: string; readonly key: string; readonly title: NlsText }[] =
  operationIds.map(id => ({ command: toCallCommandId(id), key: `command.call.${id}.title`, title: titleOf(id) }));
