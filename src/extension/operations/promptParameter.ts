// Prompts for one parameter of an operation; the value is typed or picked, and validated while it is typed.
import { l10n, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import type { AnyParameter } from '../../api/operations/parameters.ts';
import { isListKind } from '../../api/operations/parameters.ts';
import { validateParameter } from '../../api/wire/inputTexts.ts';
import { translate } from '../../base/localize.ts';
import { formatParameterName, splitValues } from '../../view/operations/operationForm.ts';
import {
  getChoices,
  getExamples,
  getSuggestions,
  getValueKind,
  type ParameterSuggestion,
  type SuggestionSources,
} from '../../view/operations/parameterSuggestions.ts';
import { type StepItem, showStep } from '../prompts/quickPickStep.ts';

export type ParameterTexts = string | readonly string[];

export interface ParameterPrompt {
  readonly title: string;
  readonly name: string;
  readonly parameter: AnyParameter;
  readonly isRequired: boolean;
  readonly value: ParameterTexts;
  readonly sources: SuggestionSources;
  readonly position?: { readonly step: number; readonly of: number };
  readonly back: boolean;
}

function getSectionTitle({ source }: ParameterSuggestion): string {
  if (source === 'cursor') return l10n.t('Under the cursor');
  if (source === 'saved') return l10n.t('Saved');
  if (source === 'event') return l10n.t('Events');
  return source === 'used' ? l10n.t('Recently used') : '';
}

const ICONS = {
  cursor: 'symbol-text',
  choice: 'circle-outline',
  saved: 'bookmark',
  event: 'symbol-event',
  used: 'history',
} as const;

/** Further suggestions are found by typing. */
const MAX_SUGGESTIONS = 200;

function filterSuggestions(suggestions: readonly ParameterSuggestion[], typed: string): readonly ParameterSuggestion[] {
  const filter = typed.trim().toLowerCase();
  const matches = ({ label, value, description }: ParameterSuggestion) =>
    `${label}\n${value}\n${description}`.toLowerCase().includes(filter);
  return (filter === '' ? suggestions : suggestions.filter(matches)).slice(0, MAX_SUGGESTIONS);
}

/** Items of suggestions with a separator above each section. */
function createSuggestionItems<T>(
  suggestions: readonly ParameterSuggestion[],
  getAction: (suggestion: ParameterSuggestion) => Partial<StepItem<T>>,
): StepItem<T>[] {
  const items: StepItem<T>[] = [];
  let section = '';
  for (const suggestion of suggestions) {
    const { label, source } = suggestion;
    const title = getSectionTitle(suggestion);
    if (title !== section) items.push({ label: title, kind: QuickPickItemKind.Separator });
    section = title;
    const description = suggestion.description === label ? '' : suggestion.description;
    items.push({ label, description, iconPath: new ThemeIcon(ICONS[source]), ...getAction(suggestion) });
  }
  return items;
}

const createMessageItem = <T>(text: string, icon = 'info'): StepItem<T> => ({
  label: text,
  iconPath: new ThemeIcon(icon),
});

function createExampleItems(parameter: AnyParameter): readonly StepItem<ParameterTexts>[] {
  const examples = getExamples(parameter);
  if (examples.length === 0) return [];
  return [
    { label: l10n.t('Examples'), kind: QuickPickItemKind.Separator },
    ...examples.map(example => ({ label: example, iconPath: new ThemeIcon('lightbulb'), result: example })),
  ];
}

/** A multi-line text cannot be typed into the input, so it is taken from the editor. */
function createEditorItems(parameter: AnyParameter): readonly StepItem<ParameterTexts>[] {
  const editor = window.activeTextEditor;
  if (getValueKind(parameter).name !== 'text' || editor === undefined) return [];
  const selected = editor.document.getText(editor.selection);
  const items: StepItem<ParameterTexts>[] = [];
  const add = (label: string, text: string) => {
    if (validateParameter(parameter, [text]) === null)
      items.push({ label, description: text.trim().slice(0, 60), iconPath: new ThemeIcon('selection'), result: text });
  };
  if (selected.trim() !== '') add(l10n.t('Editor selection'), selected);
  else if (editor.document.lineCount < 1_000) add(l10n.t('Editor text'), editor.document.getText());
  return items;
}

const getStepFrame = ({ title, position, back }: ParameterPrompt) => ({
  title,
  back,
  ...(position !== undefined && { position }),
});

function promptSingle(prompt: ParameterPrompt): Promise<ParameterTexts | 'back' | undefined> {
  const { parameter, sources, isRequired } = prompt;
  const suggestions = getSuggestions(parameter, sources);
  const hasFixedChoices = getChoices(parameter).length > 0;
  const current = typeof prompt.value === 'string' ? prompt.value : (prompt.value[0] ?? '');
  return showStep<ParameterTexts>({
    ...getStepFrame(prompt),
    placeholder:
      `${translate(parameter.doc)} ${hasFixedChoices ? '' : l10n.t('Enter {0}.', translate(parameter.kind.hint))}`.trim(),
    ...(hasFixedChoices ? {} : { value: current }),
    createItems(typed) {
      const text = typed.trim();
      const items: StepItem<ParameterTexts>[] = [];
      const exact = suggestions.find(({ value }) => value.toLowerCase() === text.toLowerCase());
      const problem = text === '' ? null : validateParameter(parameter, [text]);
      if (text !== '' && problem === null && (exact === undefined || !hasFixedChoices))
        items.push({
          label: text,
          description: l10n.t('Use this value'),
          iconPath: new ThemeIcon('check'),
          result: text,
        });
      const matching = filterSuggestions(suggestions, text === current && !hasFixedChoices ? '' : text).filter(
        suggestion => suggestion !== exact || hasFixedChoices,
      );
      items.push(...createEditorItems(parameter));
      items.push(
        ...createSuggestionItems<ParameterTexts>(matching, ({ value }) => ({
          result: value,
          picked: value === current,
        })),
      );
      // The typed text may be the name of a saved address: the problem comes first only if no suggestion matches.
      if (problem !== null) {
        const item = createMessageItem<ParameterTexts>(`${formatParameterName(prompt.name)} ${problem}`, 'error');
        if (matching.length === 0) items.unshift(item);
        else items.push(item);
      }
      if (!isRequired) items.push({ label: l10n.t('Leave empty'), iconPath: new ThemeIcon('dash'), result: '' });
      if (text === '') items.push(...createExampleItems(parameter));
      return items.length > 0 ? items : [createMessageItem(l10n.t('Enter {0}.', translate(parameter.kind.hint)))];
    },
  });
}

function promptList(prompt: ParameterPrompt): Promise<ParameterTexts | 'back' | undefined> {
  const { parameter, sources, isRequired } = prompt;
  const suggestions = getSuggestions(parameter, sources);
  const selected = new Set(typeof prompt.value === 'string' ? splitValues(parameter, prompt.value) : prompt.value);
  const getSavedName = (saved: string) =>
    suggestions.find(({ value, source }) => value === saved && source === 'saved')?.label;
  const removeButton = { iconPath: new ThemeIcon('close'), tooltip: l10n.t('Remove') };
  return showStep<ParameterTexts>({
    ...getStepFrame(prompt),
    placeholder: `${translate(parameter.doc)} ${l10n.t('Enter {0}; separate several with commas or spaces.', translate(parameter.kind.hint))}`,
    onButton: item => selected.delete(item.description ?? item.label) || selected.delete(item.label),
    createItems(typed) {
      const items: StepItem<ParameterTexts>[] = [];
      const values = splitValues(parameter, typed);
      const added = values.filter(value => !selected.has(value));
      const problem = added.length === 0 ? null : validateParameter(parameter, [...selected, ...added]);
      const matching = filterSuggestions(suggestions, typed).filter(({ value }) => !selected.has(value));
      if (added.length > 0 && problem === null)
        items.push({
          label: added.length === 1 ? (added[0] ?? '') : l10n.t('{0} values', added.length),
          description: l10n.t('add'),
          iconPath: new ThemeIcon('add'),
          run: () => {
            for (const value of added) selected.add(value);
          },
        });
      if (typed.trim() === '' && selected.size > 0) {
        const listProblem = validateParameter(parameter, [...selected]);
        if (listProblem === null)
          items.push({
            label:
              selected.size === 1 ? l10n.t('Continue with 1 value') : l10n.t('Continue with {0} values', selected.size),
            iconPath: new ThemeIcon('check-all'),
            result: [...selected],
          });
        else items.push(createMessageItem(`${formatParameterName(prompt.name)}: ${listProblem}`, 'error'));
        items.push({ label: l10n.t('Selected'), kind: QuickPickItemKind.Separator });
        for (const value of selected) {
          const name = getSavedName(value);
          items.push({
            label: name ?? value,
            ...(name !== undefined && { description: value }),
            iconPath: new ThemeIcon('pass-filled'),
            buttons: [removeButton],
            run: () => void selected.delete(value),
          });
        }
      }
      items.push(
        ...createSuggestionItems<ParameterTexts>(matching, ({ value }) => ({ run: () => void selected.add(value) })),
      );
      if (problem !== null) {
        const message = l10n.t('{0}: a value {1}', formatParameterName(prompt.name), problem);
        const item = createMessageItem<ParameterTexts>(message, 'error');
        if (matching.length === 0) items.unshift(item);
        else items.push(item);
      }
      if (!isRequired && selected.size === 0)
        items.push({ label: l10n.t('Leave empty'), iconPath: new ThemeIcon('dash'), result: [] });
      return items.length > 0 ? items : [createMessageItem(l10n.t('Enter {0}.', translate(parameter.kind.hint)))];
    },
  });
}

/** Resolves with the value, with `'back'`, or with `undefined` when the quick pick was dismissed. */
export function promptParameter(prompt: ParameterPrompt): Promise<ParameterTexts | 'back' | undefined> {
  return isListKind(prompt.parameter.kind) ? promptList(prompt) : promptSingle(prompt);
}
