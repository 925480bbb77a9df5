// The commands of the operations: asks for what each needs, step by step, then opens the result. Loaded at first need.

import { commands, l10n, type Memento, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import { getChainByName } from '../../api/chains.ts';
import { type OperationId, operationIds, operations } from '../../api/operations/operations.ts';
import { type InputTexts, validateParameter } from '../../api/wire/inputTexts.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { translate } from '../../base/localize.ts';
import { commandIds } from '../../manifest/commands.ts';
import { type InspectorTarget, parseInspectorTarget } from '../../protocol/inspectorTarget.ts';
import {
  createOperationForm,
  formatParameterName,
  getOverridingParameter,
  getParameters,
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
import type { AddressBook } from '../addressBook/addressBook.ts';
import { detectLiteralAtCursor } from '../editor/detectLiteral.ts';
import { type StepItem, showStep } from '../prompts/quickPickStep.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createJsonResults, type JsonResults } from './jsonResults.ts';
import { createLastUsedValues } from './lastUsedValues.ts';
import { type ParameterTexts, promptParameter } from './promptParameter.ts';

// Opens what was asked for in the inspector; as JSON where there is no inspector.
/** The operation that says most about a target. */
export function operationOf(target: InspectorTarget): { readonly id: OperationId; readonly texts: InputTexts } {
  switch (target.kind) {
    case 'block':
      return { id: 'block', texts: { block: target.block, chain: target.chain } };
    case 'transaction':
      return { id: 'transaction', texts: { hash: target.hash, chain: target.chain } };
    case 'address':
      return { id: 'walletBalances', texts: { walletAddresses: [target.address], chain: target.chain } };
    case 'operation':
      return { id: target.operation, texts: target.parameters };
  }
}

export async function openInInspector(target: InspectorTarget, json: JsonResults): Promise<void> {
  // Contributed is not registered: until the inspector is part of the build, its command runs nothing.
  const known = await commands.getCommands(true);
  if (known.includes(commandIds.inspect)) await commands.executeCommand(commandIds.inspect, target);
  else {
    const { id, texts } = operationOf(target);
    await json.open(id, texts);
  }
}

export interface OperationCommandsDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly book: AddressBook;
  readonly memory: Memento;
}

export interface OperationCommands extends Disposable {
  /** Asks for the rest and opens the result. `given` are parameters that are known; with all that is needed, none is asked. */
  run(id: string, given?: unknown): Promise<void>;
  /** Which operation, then the same, always as JSON. */
  runAsJson(id?: unknown, given?: unknown): Promise<void>;
  /** Opens an `InspectorTarget`. */
  openTarget(target: unknown): Promise<void>;
}

const isOperation = (id: unknown): id is OperationId => typeof id === 'string' && Object.hasOwn(operations, id);
const GROUPS = { auth: 'Sign-In', evm: 'EVM', aptos: 'Aptos' } as const;

export function createOperationCommands({ backend, settings, book, memory }: OperationCommandsDeps): OperationCommands {
  const store = new DisposableStore();
  const json = store.add(createJsonResults(backend.transport));
  const lastUsed = createLastUsedValues(memory);

  const factsOf = (id: OperationId): OperationFormContext => ({
    isRemote: settings.current()[operations[id].group].mode === 'remote',
    chains: backend.chains().map(({ selector }) => selector),
    now: Date.now(),
  });

  async function askForm(
    id: OperationId,
    facts: OperationFormContext,
    form: OperationForm,
  ): Promise<InputTexts | undefined> {
    const title = translate(operations[id].title);
    const parameters = getParameters(id);
    const values: Record<string, ParameterTexts> = { ...form.presets };
    const subject = detectLiteralAtCursor();
    const chains = backend
      .chains()
      .map(({ selector }) => ({ selector, title: getChainByName(selector)?.title ?? selector }));
    await book.ready();
    const sourcesOf = (name: string): SuggestionSources => {
      const parameter = parameters[name];
      const used = parameter === undefined ? [] : lastUsed.get(getValueKind(parameter).name);
      return { literal: subject, saved: book.entries(), recent: used, chains };
    };
    const steps = form.prompted.length + 1;
    const askOne = async (name: string, step: number | null, back: boolean) => {
      const parameter = parameters[name];
      if (parameter === undefined) return undefined;
      return promptParameter({
        title: `${title}: ${formatParameterName(name)}`,
        name,
        parameter,
        needed: isParameterRequired(parameter, facts),
        value: values[name] ?? '',
        sources: sourcesOf(name),
        back,
        ...(step !== null && { position: { step, of: steps } }),
      });
    };
    for (let at = 0; ; ) {
      const name = form.prompted[at];
      if (name !== undefined) {
        const said = await askOne(name, at + 1, at > 0);
        if (said === undefined) return undefined;
        if (said === 'back') at--;
        else {
          values[name] = said;
          at++;
        }
        continue;
      }
      const choice = await askMore(id, form, values, { step: steps, of: steps }, facts);
      if (choice === undefined) return undefined;
      if (choice === 'run') return values;
      if (choice === 'back') {
        at = Math.max(0, form.prompted.length - 1);
        if (form.prompted.length === 0) return undefined;
        continue;
      }
      const said = await askOne(choice.name, null, true);
      if (said === undefined) return undefined;
      if (said !== 'back') values[choice.name] = said;
    }
  }

  function askMore(
    id: OperationId,
    form: OperationForm,
    values: InputTexts,
    position: { readonly step: number; readonly of: number },
    facts: OperationFormContext,
  ): Promise<'run' | { readonly name: string } | 'back' | undefined> {
    const parameters = getParameters(id);
    const retired = getRetirementDate(id, facts.now);
    const shown = (name: string): string => {
      const texts = values[name] ?? '';
      if (texts.length === 0) return '';
      const text = typeof texts === 'string' ? texts.replace(/\s+/g, ' ').slice(0, 80) : texts.join(', ').slice(0, 80);
      const winner = getOverridingParameter(id, name, values);
      return winner === null
        ? text
        : l10n.t('{0} (not used: {1} is given)', text, formatParameterName(winner).toLowerCase());
    };
    const row = (name: string): StepItem<'run' | { readonly name: string }> => {
      const { doc = '', until } = parameters[name] ?? {};
      const dated = until === undefined ? '' : ` ${l10n.t('Hosts dropped it on {0}.', until)}`;
      return {
        label: formatParameterName(name),
        description: shown(name),
        // Rows that are set are short, so that all of them fit into the window.
        ...(shown(name) === '' ? { detail: doc + dated } : dated !== '' && { detail: dated.trim() }),
        iconPath: new ThemeIcon(shown(name) === '' ? 'circle-outline' : 'pass-filled'),
        result: { name },
      };
    };
    return showStep<'run' | { readonly name: string }>({
      title: translate(operations[id].title),
      placeholder: l10n.t('Enter runs it. Or choose a parameter to set.'),
      position,
      back: form.prompted.length > 0,
      createItems(typed) {
        const wanted = typed.trim().toLowerCase();
        const fits = (name: string) => `${formatParameterName(name)} ${name}`.toLowerCase().includes(wanted);
        // What has a value stands on top: the rest of the list may be longer than the window.
        const isGiven = (name: string) => form.prompted.includes(name) || (values[name]?.length ?? 0) > 0;
        const names = Object.keys(parameters).filter(fits);
        const asked = names.filter(isGiven).map(row);
        const more = names.filter(name => !isGiven(name)).map(row);
        const run: StepItem<'run' | { readonly name: string }> = {
          label: l10n.t('Run'),
          description: translate(operations[id].summary),
          iconPath: new ThemeIcon('play'),
          result: 'run',
        };
        const warning: StepItem<'run' | { readonly name: string }>[] =
          retired === null
            ? []
            : [
                {
                  label: l10n.t('Hosts removed this operation on {0}; your own node still answers it.', retired),
                  iconPath: new ThemeIcon('warning'),
                },
              ];
        const head = (label: string) => ({ label, kind: QuickPickItemKind.Separator });
        return [
          ...(wanted === '' ? [run, ...warning] : []),
          ...(asked.length > 0 ? [head(l10n.t('given')), ...asked] : []),
          ...(more.length > 0 ? [head(l10n.t('more parameters')), ...more] : []),
        ];
      },
    });
  }

  /** A host that removed the operation answers with an error: said before anything is asked. */
  async function mayRun(id: OperationId, facts: OperationFormContext): Promise<boolean> {
    const retired = getRetirementDate(id, facts.now);
    if (!facts.isRemote || retired === null) return true;
    const run = l10n.t('Run Anyway');
    const text = l10n.t(
      'Hosts removed "{0}" on {1}. The remote host of your settings will most likely refuse it; the embedded service over your own node still answers.',
      translate(operations[id].title),
      retired,
    );
    return (await window.showWarningMessage(text, run, l10n.t('Cancel'))) === run;
  }

  async function inputFor(id: OperationId, given: unknown): Promise<InputTexts | undefined> {
    const target =
      given === undefined ? null : parseInspectorTarget({ kind: 'operation', operation: id, parameters: given });
    const known: InputTexts = target?.kind === 'operation' ? target.parameters : {};
    const facts = factsOf(id);
    if (!(await mayRun(id, facts))) return undefined;
    const form = createOperationForm(id, facts, known);
    const parameters = getParameters(id);
    const complete = Object.entries(parameters).every(
      ([name, parameter]) =>
        !isParameterRequired(parameter, facts) || validateParameter(parameter, form.presets[name] ?? '') === null,
    );
    const texts = target !== null && complete ? form.presets : await askForm(id, facts, form);
    if (texts === undefined) return undefined;
    const filled = Object.entries(texts).filter(([, value]) => value.length > 0);
    for (const [name, value] of filled) {
      const parameter = parameters[name];
      if (parameter === undefined) continue;
      const kept = (typeof value === 'string' ? [value] : value).filter(text => canBeSuggestedAgain(parameter, text));
      if (kept.length > 0) await lastUsed.save(getValueKind(parameter).name, kept);
    }
    return Object.fromEntries(filled);
  }

  async function pickOperation(): Promise<OperationId | undefined> {
    const now = Date.now();
    const picked = await showStep<OperationId>({
      title: l10n.t('Run Operation as JSON'),
      placeholder: l10n.t('Which operation?'),
      back: false,
      createItems(typed) {
        const wanted = typed.trim().toLowerCase();
        let group = '';
        return operationIds.flatMap((id): StepItem<OperationId>[] => {
          const operation = operations[id];
          const title = translate(operation.title);
          const summary = translate(operation.summary);
          if (!`${title} ${id} ${summary}`.toLowerCase().includes(wanted)) return [];
          const head =
            operation.group === group ? [] : [{ label: GROUPS[operation.group], kind: QuickPickItemKind.Separator }];
          group = operation.group;
          const retired = getRetirementDate(id, now) === null ? '' : l10n.t('retired by hosts');
          return [...head, { label: title, description: retired, detail: summary, result: id }];
        });
      },
    });
    return picked === 'back' ? undefined : picked;
  }

  return {
    async run(id, given) {
      if (!isOperation(id)) return;
      const parameters = await inputFor(id, given);
      if (parameters !== undefined) await openInInspector({ kind: 'operation', operation: id, parameters }, json);
    },
    async runAsJson(wanted, given) {
      const id = isOperation(wanted) ? wanted : await pickOperation();
      if (id === undefined) return;
      const texts = await inputFor(id, given);
      if (texts !== undefined) await json.open(id, texts);
    },
    async openTarget(value) {
      const target = parseInspectorTarget(value);
      if (target !== null) await openInInspector(target, json);
    },
    dispose: () => store.dispose(),
  };
}
