// Asks for one parameter of an operation: typed or picked, judged by the contract's own rules while it is typed.

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
  /** Hosts or the operation need it: it can not be left empty. */
  readonly needed: boolean;
  readonly value: ParameterTexts;
  readonly sources: SuggestionSources;
  readonly position?: { readonly step: number; readonly of: number };
  readonly back: boolean;
}

/** Sections of the list, in the order of `offersFor`. */
function sectionOf(offer: ParameterSuggestion): string {
  if (offer.source === 'cursor') return l10n.t('under the cursor');
  if (offer.source === 'saved') return l10n.t('saved');
  return offer.source === 'used' ? l10n.t('used before') : '';
}

const ICONS = { cursor: 'symbol-text', choice: 'circle-outline', saved: 'bookmark', used: 'history' } as const;

/** More would only be scrolled through; whoever looks for one types its name. */
const MOST_OFFERS = 200;

function matching(offers: readonly ParameterSuggestion[], typed: string): readonly ParameterSuggestion[] {
  const wanted = typed.trim().toLowerCase();
  const fits = ({ label, value, description: note }: ParameterSuggestion) =>
    `${label}\n${value}\n${note}`.toLowerCase().includes(wanted);
  return (wanted === '' ? offers : offers.filter(fits)).slice(0, MOST_OFFERS);
}

function offerRows<T>(
  offers: readonly ParameterSuggestion[],
  row: (offer: ParameterSuggestion) => Partial<StepItem<T>>,
): StepItem<T>[] {
  const rows: StepItem<T>[] = [];
  let section = '';
  for (const offer of offers) {
    const next = sectionOf(offer);
    if (next !== section) rows.push({ label: next, kind: QuickPickItemKind.Separator });
    section = next;
    const description = offer.description === offer.label ? '' : offer.description;
    rows.push({ label: offer.label, description, iconPath: new ThemeIcon(ICONS[offer.source]), ...row(offer) });
  }
  return rows;
}

const info = <T>(text: string, icon = 'info'): StepItem<T> => ({
  label: text,
  iconPath: new ThemeIcon(icon),
});

function hintRows<T>(parameter: AnyParameter, use: (text: string) => StepItem<T>): readonly StepItem<T>[] {
  const examples = getExamples(parameter);
  if (examples.length === 0) return [];
  return [{ label: l10n.t('for example'), kind: QuickPickItemKind.Separator }, ...examples.map(use)];
}

/** A long text cannot be typed into one line: it comes from the editor. */
function editorOffers(parameter: AnyParameter): readonly StepItem<ParameterTexts>[] {
  const editor = window.activeTextEditor;
  if (getValueKind(parameter).name !== 'text' || editor === undefined) return [];
  const selected = editor.document.getText(editor.selection);
  const rows: StepItem<ParameterTexts>[] = [];
  const add = (label: string, text: string) => {
    if (validateParameter(parameter, [text]) === null)
      rows.push({ label, description: text.trim().slice(0, 60), iconPath: new ThemeIcon('selection'), result: text });
  };
  if (selected.trim() !== '') add(l10n.t('The selection of the editor'), selected);
  else if (editor.document.lineCount < 1_000) add(l10n.t('The whole text of the editor'), editor.document.getText());
  return rows;
}

const frameOf = ({ title, position, back }: ParameterPrompt) => ({
  ...{ title, back },
  ...(position !== undefined && { position }),
});

function askOne(question: ParameterPrompt): Promise<ParameterTexts | 'back' | undefined> {
  const { parameter, sources, needed } = question;
  const offers = getSuggestions(parameter, sources);
  const closed = getChoices(parameter).length > 0;
  const current = typeof question.value === 'string' ? question.value : (question.value[0] ?? '');
  return showStep<ParameterTexts>({
    ...frameOf(question),
    placeholder:
      `${translate(parameter.doc)} ${closed ? '' : l10n.t('Write {0}.', translate(parameter.kind.hint))}`.trim(),
    ...(closed ? {} : { value: current }),
    createItems(typed) {
      const text = typed.trim();
      const rows: StepItem<ParameterTexts>[] = [];
      const exact = offers.find(({ value }) => value.toLowerCase() === text.toLowerCase());
      const refusal = text === '' ? null : validateParameter(parameter, [text]);
      if (text !== '' && refusal === null && (exact === undefined || !closed))
        rows.push({ label: text, description: l10n.t('use this'), iconPath: new ThemeIcon('check'), result: text });
      const shown = matching(offers, text === current && !closed ? '' : text).filter(
        offer => offer !== exact || closed,
      );
      rows.push(...editorOffers(parameter));
      rows.push(...offerRows<ParameterTexts>(shown, ({ value }) => ({ result: value, picked: value === current })));
      // What is typed may be the name of something saved: a refusal comes first only where nothing else fits.
      if (refusal !== null) {
        const said = info<ParameterTexts>(`${formatParameterName(question.name)} ${refusal}`, 'error');
        if (shown.length === 0) rows.unshift(said);
        else rows.push(said);
      }
      if (!needed) rows.push({ label: l10n.t('Leave empty'), iconPath: new ThemeIcon('dash'), result: '' });
      if (text === '')
        rows.push(
          ...hintRows<ParameterTexts>(parameter, example => ({
            label: example,
            iconPath: new ThemeIcon('lightbulb'),
            result: example,
          })),
        );
      return rows.length > 0 ? rows : [info(l10n.t('Write {0}.', translate(parameter.kind.hint)))];
    },
  });
}

function askMany(question: ParameterPrompt): Promise<ParameterTexts | 'back' | undefined> {
  const { parameter, sources, needed } = question;
  const offers = getSuggestions(parameter, sources);
  const chosen = new Set(typeof question.value === 'string' ? splitValues(parameter, question.value) : question.value);
  const nameOf = (value: string) => offers.find(offer => offer.value === value && offer.source === 'saved')?.label;
  const remove = { iconPath: new ThemeIcon('close'), tooltip: l10n.t('Remove') };
  return showStep<ParameterTexts>({
    ...frameOf(question),
    placeholder: `${translate(parameter.doc)} ${l10n.t('Write {0}; several at once with commas or spaces.', translate(parameter.kind.hint))}`,
    onButton: row => chosen.delete(row.description ?? row.label) || chosen.delete(row.label),
    createItems(typed) {
      const rows: StepItem<ParameterTexts>[] = [];
      const values = splitValues(parameter, typed);
      const added = values.filter(value => !chosen.has(value));
      const refusal = added.length === 0 ? null : validateParameter(parameter, [...chosen, ...added]);
      const shown = matching(offers, typed).filter(({ value }) => !chosen.has(value));
      if (added.length > 0 && refusal === null)
        rows.push({
          label: added.length === 1 ? (added[0] ?? '') : l10n.t('{0} values', added.length),
          description: l10n.t('add'),
          iconPath: new ThemeIcon('add'),
          run: () => {
            for (const value of added) chosen.add(value);
          },
        });
      if (typed.trim() === '' && chosen.size > 0) {
        const wrong = validateParameter(parameter, [...chosen]);
        if (wrong === null)
          rows.push({
            label: chosen.size === 1 ? l10n.t('Go on with 1 value') : l10n.t('Go on with {0} values', chosen.size),
            iconPath: new ThemeIcon('check-all'),
            result: [...chosen],
          });
        else rows.push(info(`${formatParameterName(question.name)}: ${wrong}`, 'error'));
        rows.push({ label: l10n.t('chosen'), kind: QuickPickItemKind.Separator });
        for (const value of chosen) {
          const name = nameOf(value);
          rows.push({
            label: name ?? value,
            ...(name !== undefined && { description: value }),
            iconPath: new ThemeIcon('pass-filled'),
            buttons: [remove],
            run: () => void chosen.delete(value),
          });
        }
      }
      rows.push(...offerRows<ParameterTexts>(shown, ({ value }) => ({ run: () => void chosen.add(value) })));
      if (refusal !== null) {
        const said = info<ParameterTexts>(`${formatParameterName(question.name)}: ${refusal}`, 'error');
        if (shown.length === 0) rows.unshift(said);
        else rows.push(said);
      }
      if (!needed && chosen.size === 0)
        rows.push({ label: l10n.t('Leave empty'), iconPath: new ThemeIcon('dash'), result: [] });
      return rows.length > 0 ? rows : [info(l10n.t('Write {0}.', translate(parameter.kind.hint)))];
    },
  });
}

/** The texts, `'back'`, or `undefined` when the box was closed. */
export function promptParameter(question: ParameterPrompt): Promise<ParameterTexts | 'back' | undefined> {
  return isListKind(question.parameter.kind) ? askMany(question) : askOne(question);
}
