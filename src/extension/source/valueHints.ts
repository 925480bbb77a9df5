// Inlay hints behind state variables in Solidity: their values on the known deployments.
import {
  type CancellationToken,
  EventEmitter,
  InlayHint,
  type InlayHintsProvider,
  type Range,
  type TextDocument,
  workspace,
} from 'vscode';
import { disposable, Owner } from '../../base/disposable.ts';
import { toByteText } from '../../decode/source/solidityTokens.ts';
import { formatValueHint, renderSourceValues } from '../../view/source/sourceValueHover.ts';
import { unlessCancelled, withAbortSignal } from '../editor/toAbortSignal.ts';
import { toHoverMarkdown } from '../hover/hoverMarkdown.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { DeployedContracts } from './deployedContracts.ts';
import type { DocumentOutline, DocumentOutlines } from './documentOutlines.ts';
import type { SourceValues } from './sourceValues.ts';

export interface ValueHintsDeps {
  readonly values: SourceValues;
  readonly contracts: DeployedContracts;
  readonly outlines: DocumentOutlines;
  readonly worker: WorkerClient;
}

/** Values are read again at most this often, however fast blocks follow on each other. */
const MIN_REFRESH_MS = 1_000;

export class ValueHints extends Owner implements InlayHintsProvider {
  readonly #deps: ValueHintsDeps;
  readonly #changed = this.store.add(new EventEmitter<void>());
  readonly onDidChangeInlayHints = this.#changed.event;
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: ValueHintsDeps) {
    super();
    this.#deps = deps;
    const { worker, contracts } = deps;
    const refresh = () => this.#refresh();
    for (const event of [worker.onDidChangeConnections, contracts.onDidChange]) this.store.add(event(refresh));
    this.store.add(worker.onEvent(event => event.type === 'headChange' && refresh()));
    this.store.add(disposable(() => clearTimeout(this.#timer ?? undefined)));
  }

  #refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#changed.fire();
    }, MIN_REFRESH_MS);
  }

  async provideInlayHints(document: TextDocument, range: Range, token: CancellationToken): Promise<InlayHint[]> {
    if (workspace.getWorkspaceFolder(document.uri) === undefined) return [];
    const parsed = await this.#deps.outlines.getAfterTyping(document, token);
    if (parsed === null) return [];
    return withAbortSignal(token, signal => unlessCancelled(this.#createHints(document, parsed, range, signal), []));
  }

  async #createHints(
    document: TextDocument,
    parsed: DocumentOutline,
    range: Range,
    signal: AbortSignal,
  ): Promise<InlayHint[]> {
    const places = parsed.outline.variables.flatMap(variable => {
      const { contract, name, nameStart, value } = variable;
      if (contract === null) return [];
      const end = parsed.toPosition(value?.end ?? nameStart + name.length);
      return range.contains(end) ? [{ contract, variable, end }] : [];
    });
    const hints: InlayHint[] = [];
    for (const [contract, own] of Map.groupBy(places, each => each.contract)) {
      const variables = own.map(each => each.variable);
      const values = await this.#deps.values.readVariables(document, contract, variables, signal);
      for (const { variable, end } of own) {
        const found = values.get(variable.name) ?? [];
        // Behind what it was set to: `fee = 3 → 5`.
        const label = formatValueHint(found, variable.value === null || variable.isConstant ? '=' : '→');
        const written = variable.isConstant ? parsed.source.slice(variable.value?.start, variable.value?.end) : null;
        // A constant whose value is written there needs no hint.
        if (label === null || found.every(({ value }) => value !== null && toByteText(value) === written)) continue;
        const hint = new InlayHint(end, label);
        hint.paddingLeft = true;
        hint.tooltip = toHoverMarkdown(renderSourceValues(found, []) ?? '');
        hints.push(hint);
      }
    }
    return hints;
  }
}
