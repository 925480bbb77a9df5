// The commands of the operations: prompts for the parameters step by step, then opens the result.

import { commands, l10n, type Memento, QuickPickItemKind, ThemeIcon } from 'vscode';
import { getParameters, type OperationId, operations } from '../../api/operations/operations.ts';
import { type InputTexts, validateParameter } from '../../api/wire/inputTexts.ts';
import type { Disposable } from '../../base/disposable.ts';
import { translate } from '../../base/localize.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import { commandIds } from '../../manifest/commands.ts';
import { type InspectorTarget, parseInspectorTarget } from '../../protocol/inspectorTarget.ts';
import { getConfiguredTitle } from '../../view/chainTitle.ts';
import { isSecretLiteral } from '../../view/checkDisclosure.ts';
import { getOperationsByCategory } from '../../view/operations/operationCategories.ts';
import {
  createOperationForm,
  formatParameterName,
  getOverridingParameter,
  getRetirementDate,
  isParameterRequired,
  type OperationForm,
  type OperationFormContext,
} from '../../view/operations/operationForm.ts';
import {
  canBeSuggestedAgain,
  getValueKind,
  type SuggestionSources,
} from '../../view/operations/parameterSuggestions.ts';
import { detectLiteralAtCursor } from '../editor/detectLiteral.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { type StepItem, showStep } from '../prompts/quickPickStep.ts';
import { showWarningMessage } from '../prompts/showMessage.ts';
import { createJsonResults, type JsonResults } from './jsonResults.ts';
import { type ParameterTexts, promptParameter } from './promptParameter.ts';
import { promptContractCall } from './readContract.ts';

const LAST_USED_KEY = 'hexlens.lastUsed';
const MAX_VALUES = 8;

const isStringArray = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(entry => typeof entry === 'string');

/** Values of parameters by kind, newest first, which the workspace remembers. */
class LastUsedValues {
  readonly #workspaceState: Memento;

  constructor(workspaceState: Memento) {
    this.#workspaceState = workspaceState;
  }

  get(kind: string): readonly string[] {
    const stored = this.#readAll()[kind];
    return isStringArray(stored) ? stored : [];
  }

  async save(kind: string, values: readonly string[]): Promise<void> {
    const newest = [...new Set([...values, ...this.get(kind)])].slice(0, MAX_VALUES);
    await this.#workspaceState.update(LAST_USED_KEY, { ...this.#readAll(), [kind]: newest });
  }

  #readAll(): Readonly<Record<string, unknown>> {
    const stored = this.#workspaceState.get<unknown>(LAST_USED_KEY);
    return stored !== null && typeof stored === 'object' ? (stored as Readonly<Record<string, unknown>>) : {};
  }
}

export type OperationCommandsDeps = Pick<FeatureDeps, 'worker' | 'settings' | 'book' | 'abis' | 'workspaceState'>;

type OverviewChoice = 'run' | { readonly name: string };

const isOperationId = (id: unknown): id is OperationId => typeof id === 'string' && Object.hasOwn(operations, id);

const openInInspector = (target: InspectorTarget) => commands.executeCommand(commandIds.inspect, target);

/** The literal at the cursor, unless it may be a secret. */
function detectOfferedLiteral(): HexLiteral | null {
  const atCursor = detectLiteralAtCursor();
  return atCursor === null || isSecretLiteral(atCursor.literal, atCursor.fileName) ? null : atCursor.literal;
}

/** The last step: runs the operation or selects one more parameter to set. */
function promptOverview(
  id: OperationId,
  form: OperationForm,
  values: InputTexts,
  position: { readonly step: number; readonly of: number },
  context: OperationFormContext,
): Promise<OverviewChoice | 'back' | undefined> {
  const parameters = getParameters(id);
  const retirementDate = context.isRemote ? getRetirementDate(id, context.now) : null;
  const formatValue = (name: string): string => {
    const texts = values[name] ?? '';
    if (texts.length === 0) return '';
    const text = typeof texts === 'string' ? texts.replace(/\s+/g, ' ').slice(0, 80) : texts.join(', ').slice(0, 80);
    const overriding = getOverridingParameter(id, name, values);
    return overriding === null
      ? text
      : l10n.t('{0} (ignored: {1} is set)', text, formatParameterName(overriding).toLowerCase());
  };
  const createParameterItem = (name: string): StepItem<OverviewChoice> => {
    const { doc = '', removedSince } = parameters[name] ?? {};
    const removalNote =
      removedSince === undefined ? '' : ` ${l10n.t('Hosted services removed it on {0}.', removedSince)}`;
    const value = formatValue(name);
    return {
      label: formatParameterName(name),
      description: value,
      // Items of set parameters are short, so that all of them fit into the window.
      ...(value === '' ? { detail: doc + removalNote } : removalNote !== '' && { detail: removalNote.trim() }),
      iconPath: new ThemeIcon(value === '' ? 'circle-outline' : 'pass-filled'),
      result: { name },
    };
  };
  return showStep<OverviewChoice>({
    title: translate(operations[id].title),
    placeholder: l10n.t('Press Enter to run, or select a parameter to set'),
    position,
    back: form.prompted.length > 0,
    createItems(typed) {
      const filter = typed.trim().toLowerCase();
      const matches = (name: string) => `${formatParameterName(name)} ${name}`.toLowerCase().includes(filter);
      // Set parameters come first, because the list may be longer than the window.
      const isSet = (name: string) => form.prompted.includes(name) || (values[name]?.length ?? 0) > 0;
      const names = Object.keys(parameters).filter(matches);
      const setItems = names.filter(isSet).map(createParameterItem);
      const moreItems = names.filter(name => !isSet(name)).map(createParameterItem);
      const run: StepItem<OverviewChoice> = {
        label: l10n.t('Run'),
        description: translate(operations[id].summary),
        iconPath: new ThemeIcon('play'),
        result: 'run',
      };
      const warning: StepItem<OverviewChoice>[] =
        retirementDate === null
          ? []
          : [
              {
                label: l10n.t(
                  'Hosted services removed this operation on {0}; it still works over your own node.',
                  retirementDate,
                ),
                iconPath: new ThemeIcon('warning'),
              },
            ];
      const separator = (label: string) => ({ label, kind: QuickPickItemKind.Separator });
      return [
        ...(filter === '' ? [run, ...warning] : []),
        ...(setItems.length > 0 ? [separator(l10n.t('Set')), ...setItems] : []),
        ...(moreItems.length > 0 ? [separator(l10n.t('More parameters')), ...moreItems] : []),
      ];
    },
  });
}

/** Warns before prompting that a remote host will most likely reject an operation that has been retired. */
async function confirmRetired(id: OperationId, context: OperationFormContext): Promise<boolean> {
  const retirementDate = getRetirementDate(id, context.now);
  if (!context.isRemote || retirementDate === null) return true;
  const runAnyway = l10n.t('Run Anyway');
  const text = l10n.t(
    'Hosted services removed "{0}" on {1}. The remote host in your settings will most likely reject it; the embedded service over your own node still answers.',
    translate(operations[id].title),
    retirementDate,
  );
  return (await showWarningMessage(text, runAnyway, l10n.t('Cancel'))) === runAnyway;
}

export class OperationCommands implements Disposable {
  readonly #deps: OperationCommandsDeps;
  /** The documents with results as JSON. */
  readonly #json: JsonResults;
  /** What prompts offer again. */
  readonly #lastUsed: LastUsedValues;

  constructor(deps: OperationCommandsDeps) {
    this.#deps = deps;
    this.#json = createJsonResults(deps.worker.transport);
    this.#lastUsed = new LastUsedValues(deps.workspaceState);
  }

  dispose(): void {
    this.#json.dispose();
  }

  /**
   * Opens the result in the inspector. Prompts for the operation when `id` is absent, and for parameters unless
   * `parameters` has all that are required.
   */
  async run(operation?: unknown, argument?: unknown): Promise<void> {
    const id = isOperationId(operation) ? operation : await this.#pickOperation(l10n.t('Run Operation'));
    if (id === undefined) return;
    const parameters = await this.#promptInput(id, argument);
    if (parameters !== undefined) await openInInspector({ kind: 'operation', operation: id, parameters });
  }

  /** As `run`, but opens the result as JSON. */
  async runAsJson(operation?: unknown, argument?: unknown): Promise<void> {
    const id = isOperationId(operation) ? operation : await this.#pickOperation(l10n.t('Run Operation as JSON'));
    if (id === undefined) return;
    const texts = await this.#promptInput(id, argument);
    if (texts !== undefined) await this.#json.open(id, texts);
  }

  /** Opens the result of a read-only function; prompts for what `argument`, an address or a node of the sidebar, does not say. */
  async readContract(argument?: unknown): Promise<void> {
    const { book, worker, abis } = this.#deps;
    await book.ready();
    const promptAddress = () => this.#promptContract();
    const target = await promptContractCall(argument, { worker, book, abis, promptAddress });
    if (target !== undefined) await openInInspector(target);
  }

  async openTarget(value: unknown): Promise<void> {
    const target = parseInspectorTarget(value);
    if (target !== null) await openInInspector(target);
  }

  #createContext(id: OperationId): OperationFormContext {
    return {
      isRemote: this.#deps.settings.current()[operations[id].group].mode === 'remote',
      chains: this.#deps.worker.chains().map(({ selector }) => selector),
      now: Date.now(),
    };
  }

  async #promptForm(
    id: OperationId,
    context: OperationFormContext,
    form: OperationForm,
  ): Promise<InputTexts | undefined> {
    const { worker, book, abis } = this.#deps;
    const title = translate(operations[id].title);
    const parameters = getParameters(id);
    const values: Record<string, ParameterTexts> = { ...form.presets };
    const literal = detectOfferedLiteral();
    const configured = await worker.identifyChains();
    const chains = configured.map(chain => ({ selector: chain.selector, title: getConfiguredTitle(chain) }));
    await book.ready();
    const events = (await abis.load()).allEvents();
    const getSources = (name: string): SuggestionSources => {
      const parameter = parameters[name];
      const recent = parameter === undefined ? [] : this.#lastUsed.get(getValueKind(parameter).name);
      return { literal, saved: book.trustedEntries(), recent, events, chains };
    };
    const totalSteps = form.prompted.length + 1;
    const prompt = async (name: string, step: number | null, back: boolean) => {
      const parameter = parameters[name];
      if (parameter === undefined) return undefined;
      return promptParameter({
        title: `${title}: ${formatParameterName(name)}`,
        name,
        parameter,
        isRequired: isParameterRequired(parameter, context),
        value: values[name] ?? '',
        sources: getSources(name),
        back,
        ...(step !== null && { position: { step, of: totalSteps } }),
      });
    };
    for (let index = 0; ; ) {
      const name = form.prompted[index];
      if (name !== undefined) {
        const value = await prompt(name, index + 1, index > 0);
        if (value === undefined) return undefined;
        if (value === 'back') index--;
        else {
          values[name] = value;
          index++;
        }
        continue;
      }
      const choice = await promptOverview(id, form, values, { step: totalSteps, of: totalSteps }, context);
      if (choice === undefined) return undefined;
      if (choice === 'run') return values;
      if (choice === 'back') {
        index = Math.max(0, form.prompted.length - 1);
        if (form.prompted.length === 0) return undefined;
        continue;
      }
      const value = await prompt(choice.name, null, true);
      if (value === undefined) return undefined;
      if (value !== 'back') values[choice.name] = value;
    }
  }

  async #promptContract(): Promise<string | undefined> {
    const name = 'address';
    const parameter = getParameters('contractLogs')[name];
    if (parameter === undefined) return undefined;
    const { name: kind } = getValueKind(parameter);
    const sources: SuggestionSources = {
      literal: detectOfferedLiteral(),
      saved: this.#deps.book.trustedEntries().filter(entry => entry.kind === 'contract' || entry.kind === 'collection'),
      recent: this.#lastUsed.get(kind),
      events: [],
      chains: [],
    };
    const title = l10n.t('Read Contract');
    const value = await promptParameter({ title, name, parameter, isRequired: true, value: '', sources, back: false });
    if (typeof value !== 'string' || value === 'back') return undefined;
    await this.#lastUsed.save(kind, [value]);
    return value;
  }

  async #promptInput(id: OperationId, argument: unknown): Promise<InputTexts | undefined> {
    const target =
      argument === undefined ? null : parseInspectorTarget({ kind: 'operation', operation: id, parameters: argument });
    const given: InputTexts = target?.kind === 'operation' ? target.parameters : {};
    const context = this.#createContext(id);
    if (!(await confirmRetired(id, context))) return undefined;
    const form = createOperationForm(id, context, given);
    const parameters = getParameters(id);
    const isComplete = Object.entries(parameters).every(
      ([name, parameter]) =>
        !isParameterRequired(parameter, context) || validateParameter(parameter, form.presets[name] ?? '') === null,
    );
    const texts = target !== null && isComplete ? form.presets : await this.#promptForm(id, context, form);
    if (texts === undefined) return undefined;
    const filled = Object.entries(texts).filter(([, value]) => value.length > 0);
    for (const [name, value] of filled) {
      const parameter = parameters[name];
      if (parameter === undefined) continue;
      const used = (typeof value === 'string' ? [value] : value).filter(text => canBeSuggestedAgain(parameter, text));
      if (used.length > 0) await this.#lastUsed.save(getValueKind(parameter).name, used);
    }
    return Object.fromEntries(filled);
  }

  async #pickOperation(title: string): Promise<OperationId | undefined> {
    const now = Date.now();
    const picked = await showStep<OperationId>({
      title,
      placeholder: l10n.t('Select an operation'),
      back: false,
      createItems: typed => {
        const filter = typed.trim().toLowerCase();
        let previous = '';
        return getOperationsByCategory().flatMap(({ id, category }): StepItem<OperationId>[] => {
          const operation = operations[id];
          const label = translate(operation.title);
          const summary = translate(operation.summary);
          if (!`${category} ${label} ${id} ${summary}`.toLowerCase().includes(filter)) return [];
          const separator = category === previous ? [] : [{ label: category, kind: QuickPickItemKind.Separator }];
          previous = category;
          const isRemote = this.#deps.settings.current()[operation.group].mode === 'remote';
          const isRetired = isRemote && getRetirementDate(id, now) !== null;
          const description = isRetired ? l10n.t('retired by hosted services') : '';
          return [...separator, { label, description, detail: summary, result: id }];
        });
      },
    });
    return picked === 'back' ? undefined : picked;
  }
}
