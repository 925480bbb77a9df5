// Runs an operation with cancellable progress and opens its reply as a read-only JSON document.
import { commands, l10n, window } from 'vscode';
import { type OperationId, operations } from '../../api/operations/operations.ts';
import { type InputTexts, parseInputTexts } from '../../api/wire/inputTexts.ts';
import { encodeRequest } from '../../api/wire/request.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { translate } from '../../base/localize.ts';
import { faultFromReply } from '../../client/client.ts';
import type { Transport } from '../../client/transport.ts';
import { commandIds } from '../../manifest/commands.ts';
import { createReadOnlyDocuments } from '../editor/readOnlyDocuments.ts';
import { showErrorMessage, withCancelButton } from '../prompts/showMessage.ts';

/** The service's own JSON with its field names. Rejects with a `HexLensError`. */
export async function fetchAsJson(
  transport: Transport,
  id: OperationId,
  texts: InputTexts,
  signal: AbortSignal,
): Promise<string> {
  const reply = await transport.send(encodeRequest(id, parseInputTexts(id, texts)), { signal });
  if (reply.status >= 400) throw faultFromReply(reply, operations[id].group);
  return `${JSON.stringify(reply.body, null, 2)}\n`;
}

export type JsonResults = ReturnType<typeof createJsonResults>;

export function createJsonResults(transport: Transport) {
  const documents = createReadOnlyDocuments({
    authority: 'operation',
    expiredText: l10n.t('This result is no longer available. Run the operation again.'),
  });

  const showFault = (error: unknown) => {
    if (isFault(error, 'cancelled')) return;
    const actions = isFault(error, 'node-unreachable', 'no-node', 'egress-refused', 'node-timeout')
      ? [{ title: l10n.t('Connect Node…'), command: commandIds.connectNode }]
      : isFault(error, 'unauthorized')
        ? [{ title: l10n.t('Set API Key'), command: commandIds.setApiKey }]
        : isFault(error, 'bad-input')
          ? []
          : [{ title: l10n.t('Show Log'), command: commandIds.showOutput }];
    void showErrorMessage(formatFault(error), ...actions).then(choice => {
      if (choice !== undefined) void commands.executeCommand(choice.command);
    });
  };

  return {
    /** Shows a fault as an error message instead when the operation fails. */
    async open(id: OperationId, input: InputTexts) {
      try {
        const text = await withCancelButton(`HexLens: ${translate(operations[id].title)}`, signal =>
          fetchAsJson(transport, id, input, signal),
        );
        await window.showTextDocument(await documents.open(`${id}.json`, text), { preview: true });
      } catch (error) {
        showFault(error);
      }
    },
    dispose: () => documents.dispose(),
  };
}
