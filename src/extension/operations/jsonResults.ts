// Runs an operation with progress and a way to cancel, and opens the answer as a read-only JSON document.

import { commands, l10n, ProgressLocation, type TextDocumentContentProvider, Uri, window, workspace } from 'vscode';
import { type OperationId, operations } from '../../api/operations/operations.ts';
import { type InputTexts, parseInputTexts } from '../../api/wire/inputTexts.ts';
import { encodeRequest } from '../../api/wire/request.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { translate } from '../../base/localize.ts';
import { faultFromReply } from '../../client/client.ts';
import type { Transport } from '../../client/transport.ts';
import { commandIds } from '../../manifest/commands.ts';

/** Shared with other read-only documents of ours; the authority tells whose they are. */
const SCHEME = 'hexlens';
const AUTHORITY = 'operation';
/** Older ones are forgotten; their documents, where one is still open, keep their text. */
const MOST = 50;

export interface JsonResults extends Disposable {
  /** Resolves with whether a document was opened; what went wrong has been shown then. */
  open(id: OperationId, texts: InputTexts): Promise<boolean>;
  /** Shows why something could not be done, with the way out of it. */
  showFault(error: unknown): void;
}

/** The service's own JSON, field names and all. Rejects with a HexLensError. */
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

export function createJsonResults(transport: Transport): JsonResults {
  const store = new DisposableStore();
  const texts = new Map<string, string>();
  let count = 0;
  const provider: TextDocumentContentProvider = {
    provideTextDocumentContent: ({ authority, path }) =>
      authority === AUTHORITY ? (texts.get(path) ?? l10n.t('This result is gone: run the operation again.')) : null,
  };
  store.add(workspace.registerTextDocumentContentProvider(SCHEME, provider));

  const explain = (error: unknown) => {
    if (isFault(error, 'cancelled')) return;
    const actions = isFault(error, 'node-unreachable', 'no-node', 'egress-refused', 'node-timeout')
      ? [{ title: l10n.t('Connect Node…'), command: commandIds.connectNode }]
      : isFault(error, 'unauthorized')
        ? [{ title: l10n.t('Set API Key'), command: commandIds.setApiKey }]
        : isFault(error, 'bad-input')
          ? []
          : [{ title: l10n.t('Show Log'), command: commandIds.showOutput }];
    void window.showErrorMessage(formatFault(error), ...actions).then(choice => {
      if (choice !== undefined) void commands.executeCommand(choice.command);
    });
  };

  return {
    showFault: explain,
    async open(id, input) {
      const work = {
        location: ProgressLocation.Notification,
        title: `HexLens: ${translate(operations[id].title)}`,
        cancellable: true,
      };
      try {
        const text = await window.withProgress(work, (_, token) => {
          const controller = new AbortController();
          token.onCancellationRequested(() => controller.abort());
          return fetchAsJson(transport, id, input, controller.signal);
        });
        const path = `/${++count}/${id}.json`;
        texts.set(path, text);
        for (const oldest of texts.keys()) {
          if (texts.size <= MOST) break;
          texts.delete(oldest);
        }
        const document = await workspace.openTextDocument(Uri.from({ scheme: SCHEME, authority: AUTHORITY, path }));
        await window.showTextDocument(document, { preview: true });
        return true;
      } catch (error) {
        explain(error);
        return false;
      }
    },
    dispose: () => store.dispose(),
  };
}
