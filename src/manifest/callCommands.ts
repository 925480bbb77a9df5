// One command per operation, generated from the table of operations for package.json.
import { operationIds, operations } from '../api/operations/operations.ts';
import { type NlsText, nlsText } from './nlsText.ts';

/** The id of an operation's command. */
export const toCallCommandId = <Id extends string>(id: Id): `hexlens.call.${Id}` => `hexlens.call.${id}`;

/** The ellipsis shows that the command prompts for parameters. */
function titleOf(id: (typeof operationIds)[number]): NlsText {
  return nlsText(`${operations[id].title}…`);
}

/** In the table's order. */
export const callCommands: readonly { readonly command: string; readonly key: string; readonly title: NlsText }[] =
  operationIds.map(id => ({ command: toCallCommandId(id), key: `command.call.${id}.title`, title: titleOf(id) }));
