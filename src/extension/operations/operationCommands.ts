// The commands of the operations: asks for what each needs, step by step, then opens the result. Loaded at first need.

import { l10n, type Memento, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import { chainByName } from '../../api/chains.ts';
import { type OperationId, operationIds, operations } from '../../api/operations/operations.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';
import { refusalOf } from '../../api/wire/inputTexts.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { translated } from '../../base/localize.ts';
import { readTarget } from '../../protocol/inspectorTarget.ts';
import {
  beatenBy,
  type Form,
  type FormFacts,
  formOf,
  isNeeded,
  parametersOf,
  parameterTitle,
  retiredOn,
} from '../../view/operations/operationForm.ts';
import { isRemembered, type OfferSources, valueKind } from '../../view/operations/parameterSuggestions.ts';
import type { Book } from '../addressBook/addressBook.ts';
import { subjectAtCursor } from '../commands/cursor.ts';
import { ask, type StepRow } from '../prompts/quickPickStep.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { BackendHost } from '../worker/workerClient.ts';
import { createJsonResults } from './jsonResults.ts';
import { createLastUsed } from './lastUsedValues.ts';
import { openTarget } from './openTarget.ts';
import { askParameter, type Texts } from './promptParameter.ts';

export interface OperationCommandsDeps {
  readonly backend: BackendHost;
  readonly settings: SettingsSource;
  readonly book: Book;
  readonly memory: Memento;
}

export interface OperationCommands extends Disposable {
  /** Asks for the rest and opens the result. `given` are parameters that are known; with all that is needed, none is asked. */
  call(id: string, given?: unknown): Promise<void>;
  /** Which operation, then the same, always as JSON. */
  callAsJson(id?: unknown, given?: unknown): Promise<void>;
  /** Opens an `InspectorTarget`. */
  open(target: unknown): Promise<void>;
}

const isOperation = (id: unknown): id is OperationId => typeof id === 'string' && Object.hasOwn(operations, id);
const GROUPS = { auth: 'Sign-In', evm: 'EVM', aptos: 'Aptos' } as const;

export function createOperationCommands({ backend, settings, book, memory }: OperationCommandsDeps): OperationCommands {
  const store = new DisposableStore();
  const json = store.add(createJsonResults(backend.transport));
  const lastUsed = createLastUsed(memory);

  const factsOf = (id: OperationId): FormFacts => ({
    remote: settings.current()[operations[id].group].mode === 'remote',
    chains: backend.chains().map(({ selector }) => selector),
    now: Date.now(),
  });

  async function askForm(id: OperationId, facts: FormFacts, form: Form): Promise<InputTexts | undefined> {
    const title = translated(operations[id].title);
    const parameters = parametersOf(id);
    const values: Record<string, Texts> = { ...form.presets };
    const subject = subjectAtCursor();
    const chains = backend
      .chains()
      .map(({ selector }) => ({ selector, title: chainByName(selector)?.title ?? selector }));
    await book.ready();
    const sourcesOf = (name: string): OfferSources => {
      const parameter = parameters[name];
      const used = parameter === undefined ? [] : lastUsed.of(valueKind(parameter).name);
      return { subject, saved: book.entries(), used, chains };
    };
    const steps = form.asked.length + 1;
    const askOne = async (name: string, step: number | null, back: boolean) => {
      const parameter = parameters[name];
      if (parameter === undefined) return undefined;
      return askParameter({
        title: `${title}: ${parameterTitle(name)}`,
        name,
        parameter,
        needed: isNeeded(parameter, facts),
        value: values[name] ?? '',
        sources: sourcesOf(name),
        back,
        ...(step !== null && { position: { step, of: steps } }),
      });
    };
    for (let at = 0; ; ) {
      const name = form.asked[at];
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
        at = Math.max(0, form.asked.length - 1);
        if (form.asked.length === 0) return undefined;
        continue;
      }
      const said = await askOne(choice.name, null, true);
      if (said === undefined) return undefined;
      if (said !== 'back') values[choice.name] = said;
    }
  }

  function askMore(
    id: OperationId,
    form: Form,
    values: InputTexts,
    position: { readonly step: number; readonly of: number },
    facts: FormFacts,
  ): Promise<'run' | { readonly name: string } | 'back' | undefined> {
    const parameters = parametersOf(id);
    const retired = retiredOn(id, facts.now);
    const shown = (name: string): string => {
      const texts = values[name] ?? '';
      if (texts.length === 0) return '';
      const text = typeof texts === 'string' ? texts.replace(/\s+/g, ' ').slice(0, 80) : texts.join(', ').slice(0, 80);
      const winner = beatenBy(id, name, values);
      return winner === null
        ? text
        : l10n.t('{0} (not used: {1} is given)', text, parameterTitle(winner).toLowerCase());
    };
    const row = (name: string): StepRow<'run' | { readonly name: string }> => {
      const { doc = '', until } = parameters[name] ?? {};
      const dated = until === undefined ? '' : ` ${l10n.t('Hosts dropped it on {0}.', until)}`;
      return {
        label: parameterTitle(name),
        description: shown(name),
        // Rows that are set are short, so that all of them fit into the window.
        ...(shown(name) === '' ? { detail: doc + dated } : dated !== '' && { detail: dated.trim() }),
        iconPath: new ThemeIcon(shown(name) === '' ? 'circle-outline' : 'pass-filled'),
        result: { name },
      };
    };
    return ask<'run' | { readonly name: string }>({
      title: translated(operations[id].title),
      placeholder: l10n.t('Enter runs it. Or choose a parameter to set.'),
      position,
      back: form.asked.length > 0,
      rows(typed) {
        const wanted = typed.trim().toLowerCase();
        const fits = (name: string) => `${parameterTitle(name)} ${name}`.toLowerCase().includes(wanted);
        // What has a value stands on top: the rest of the list may be longer than the window.
        const isGiven = (name: string) => form.asked.includes(name) || (values[name]?.length ?? 0) > 0;
        const names = Object.keys(parameters).filter(fits);
        const asked = names.filter(isGiven).map(row);
        const more = names.filter(name => !isGiven(name)).map(row);
        const run: StepRow<'run' | { readonly name: string }> = {
          label: l10n.t('Run'),
          description: translated(operations[id].summary),
          iconPath: new ThemeIcon('play'),
          result: 'run',
        };
        const warning: StepRow<'run' | { readonly name: string }>[] =
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
  async function mayRun(id: OperationId, facts: FormFacts): Promise<boolean> {
    const retired = retiredOn(id, facts.now);
    if (!facts.remote || retired === null) return true;
    const run = l10n.t('Run Anyway');
    const text = l10n.t(
      'Hosts removed "{0}" on {1}. The remote host of your settings will most likely refuse it; the embedded service over your own node still answers.',
      translated(operations[id].title),
      retired,
    );
    return (await window.showWarningMessage(text, run, l10n.t('Cancel'))) === run;
  }

  async function inputFor(id: OperationId, given: unknown): Promise<InputTexts | undefined> {
    const target = given === undefined ? null : readTarget({ kind: 'operation', operation: id, parameters: given });
    const known: InputTexts = target?.kind === 'operation' ? target.parameters : {};
    const facts = factsOf(id);
    if (!(await mayRun(id, facts))) return undefined;
    const form = formOf(id, facts, known);
    const parameters = parametersOf(id);
    const complete = Object.entries(parameters).every(
      ([name, parameter]) => !isNeeded(parameter, facts) || refusalOf(parameter, form.presets[name] ?? '') === null,
    );
    const texts = target !== null && complete ? form.presets : await askForm(id, facts, form);
    if (texts === undefined) return undefined;
    const filled = Object.entries(texts).filter(([, value]) => value.length > 0);
    for (const [name, value] of filled) {
      const parameter = parameters[name];
      if (parameter === undefined) continue;
      const kept = (typeof value === 'string' ? [value] : value).filter(text => isRemembered(parameter, text));
      if (kept.length > 0) await lastUsed.remember(valueKind(parameter).name, kept);
    }
    return Object.fromEntries(filled);
  }

  async function pickOperation(): Promise<OperationId | undefined> {
    const now = Date.now();
    const picked = await ask<OperationId>({
      title: l10n.t('Run Operation as JSON'),
      placeholder: l10n.t('Which operation?'),
      back: false,
      rows(typed) {
        const wanted = typed.trim().toLowerCase();
        let group = '';
        return operationIds.flatMap((id): StepRow<OperationId>[] => {
          const operation = operations[id];
          const title = translated(operation.title);
          const summary = translated(operation.summary);
          if (!`${title} ${id} ${summary}`.toLowerCase().includes(wanted)) return [];
          const head =
            operation.group === group ? [] : [{ label: GROUPS[operation.group], kind: QuickPickItemKind.Separator }];
          group = operation.group;
          const retired = retiredOn(id, now) === null ? '' : l10n.t('retired by hosts');
          return [...head, { label: title, description: retired, detail: summary, result: id }];
        });
      },
    });
    return picked === 'back' ? undefined : picked;
  }

  return {
    async call(id, given) {
      if (!isOperation(id)) return;
      const parameters = await inputFor(id, given);
      if (parameters !== undefined) await openTarget({ kind: 'operation', operation: id, parameters }, json);
    },
    async callAsJson(wanted, given) {
      const id = isOperation(wanted) ? wanted : await pickOperation();
      if (id === undefined) return;
      const texts = await inputFor(id, given);
      if (texts !== undefined) await json.open(id, texts);
    },
    async open(value) {
      const target = readTarget(value);
      if (target !== null) await openTarget(target, json);
    },
    dispose: () => store.dispose(),
  };
}
