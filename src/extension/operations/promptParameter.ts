// Asks for one parameter of an operation: typed or picked, judged by the contract's own rules while it is typed.

import { l10n, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import type { AnyParameter } from '../../api/operations/parameters.ts';
import { isList } from '../../api/operations/parameters.ts';
import { refusalOf } from '../../api/wire/inputTexts.ts';
import { translated } from '../../base/localize.ts';
import { parameterTitle, splitValues } from '../../view/operations/operationForm.ts';
import {
  choicesOf,
  examplesOf,
  type Offer,
  type OfferSources,
  offersFor,
  valueKind,
} from '../../view/operations/parameterSuggestions.ts';
import { ask, type StepRow } from '../prompts/quickPickStep.ts';

export type Texts = string | readonly string[];

export interface ParameterQuestion {
  readonly title: string;
  readonly name: string;
  readonly parameter: AnyParameter;
  /** Hosts or the operation need it: it can not be left empty. */
  readonly needed: boolean;
  readonly value: Texts;
  readonly sources: OfferSources;
  readonly position?: { readonly step: number; readonly of: number };
  readonly back: boolean;
}

/** Sections of the list, in the order of `offersFor`. */
function sectionOf(offer: Offer): string {
  if (offer.from === 'cursor') return l10n.t('under the cursor');
  if (offer.from === 'saved') return l10n.t('saved');
  return offer.from === 'used' ? l10n.t('used before') : '';
}

const ICONS = { cursor: 'symbol-text', choice: 'circle-outline', saved: 'bookmark', used: 'history' } as const;

/** More would only be scrolled through; whoever looks for one types its name. */
const MOST_OFFERS = 200;

function matching(offers: readonly Offer[], typed: string): readonly Offer[] {
  const wanted = typed.trim().toLowerCase();
  const fits = ({ label, value, note }: Offer) => `${label}\n${value}\n${note}`.toLowerCase().includes(wanted);
  return (wanted === '' ? offers : offers.filter(fits)).slice(0, MOST_OFFERS);
}

function offerRows<T>(offers: readonly Offer[], row: (offer: Offer) => Partial<StepRow<T>>): StepRow<T>[] {
  const rows: StepRow<T>[] = [];
  let section = '';
  for (const offer of offers) {
    const next = sectionOf(offer);
    if (next !== section) rows.push({ label: next, kind: QuickPickItemKind.Separator });
    section = next;
    const description = offer.note === offer.label ? '' : offer.note;
    rows.push({ label: offer.label, description, iconPath: new ThemeIcon(ICONS[offer.from]), ...row(offer) });
  }
  return rows;
}

const info = <T>(text: string, icon = 'info'): StepRow<T> => ({
  label: text,
  iconPath: new ThemeIcon(icon),
});

function hintRows<T>(parameter: AnyParameter, use: (text: string) => StepRow<T>): readonly StepRow<T>[] {
  const examples = examplesOf(parameter);
  if (examples.length === 0) return [];
  return [{ label: l10n.t('for example'), kind: QuickPickItemKind.Separator }, ...examples.map(use)];
}

/** A long text cannot be typed into one line: it comes from the editor. */
function editorOffers(parameter: AnyParameter): readonly StepRow<Texts>[] {
  const editor = window.activeTextEditor;
  if (valueKind(parameter).name !== 'text' || editor === undefined) return [];
  const selected = editor.document.getText(editor.selection);
  const rows: StepRow<Texts>[] = [];
  const add = (label: string, text: string) => {
    if (refusalOf(parameter, [text]) === null)
      rows.push({ label, description: text.trim().slice(0, 60), iconPath: new ThemeIcon('selection'), result: text });
  };
  if (selected.trim() !== '') add(l10n.t('The selection of the editor'), selected);
  else if (editor.document.lineCount < 1_000) add(l10n.t('The whole text of the editor'), editor.document.getText());
  return rows;
}

const frameOf = ({ title, position, back }: ParameterQuestion) => ({
  ...{ title, back },
  ...(position !== undefined && { position }),
});

function askOne(question: ParameterQuestion): Promise<Texts | 'back' | undefined> {
  const { parameter, sources, needed } = question;
  const offers = offersFor(parameter, sources);
  const closed = choicesOf(parameter).length > 0;
  const current = typeof question.value === 'string' ? question.value : (question.value[0] ?? '');
  return ask<Texts>({
    ...frameOf(question),
    placeholder:
      `${translated(parameter.doc)} ${closed ? '' : l10n.t('Write {0}.', translated(parameter.kind.hint))}`.trim(),
    ...(closed ? {} : { value: current }),
    rows(typed) {
      const text = typed.trim();
      const rows: StepRow<Texts>[] = [];
      const exact = offers.find(({ value }) => value.toLowerCase() === text.toLowerCase());
      const refusal = text === '' ? null : refusalOf(parameter, [text]);
      if (text !== '' && refusal === null && (exact === undefined || !closed))
        rows.push({ label: text, description: l10n.t('use this'), iconPath: new ThemeIcon('check'), result: text });
      const shown = matching(offers, text === current && !closed ? '' : text).filter(
        offer => offer !== exact || closed,
      );
      rows.push(...editorOffers(parameter));
      rows.push(...offerRows<Texts>(shown, ({ value }) => ({ result: value, picked: value === current })));
      // What is typed may be the name of something saved: a refusal comes first only where nothing else fits.
      if (refusal !== null) {
        const said = info<Texts>(`${parameterTitle(question.name)} ${refusal}`, 'error');
        if (shown.length === 0) rows.unshift(said);
        else rows.push(said);
      }
      if (!needed) rows.push({ label: l10n.t('Leave empty'), iconPath: new ThemeIcon('dash'), result: '' });
      if (text === '')
        rows.push(
          ...hintRows<Texts>(parameter, example => ({
            label: example,
            iconPath: new ThemeIcon('lightbulb'),
            result: example,
          })),
        );
      return rows.length > 0 ? rows : [info(l10n.t('Write {0}.', translated(parameter.kind.hint)))];
    },
  });
}

function askMany(question: ParameterQuestion): Promise<Texts | 'back' | undefined> {
  const { parameter, sources, needed } = question;
  const offers = offersFor(parameter, sources);
  const chosen = new Set(typeof question.value === 'string' ? splitValues(parameter, question.value) : question.value);
  const nameOf = (value: string) => offers.find(offer => offer.value === value && offer.from === 'saved')?.label;
  const remove = { iconPath: new ThemeIcon('close'), tooltip: l10n.t('Remove') };
  return ask<Texts>({
    ...frameOf(question),
    placeholder: `${translated(parameter.doc)} ${l10n.t('Write {0}; several at once with commas or spaces.', translated(parameter.kind.hint))}`,
    onButton: row => chosen.delete(row.description ?? row.label) || chosen.delete(row.label),
    rows(typed) {
      const rows: StepRow<Texts>[] = [];
      const values = splitValues(parameter, typed);
      const added = values.filter(value => !chosen.has(value));
      const refusal = added.length === 0 ? null : refusalOf(parameter, [...chosen, ...added]);
      const shown = matching(offers, typed).filter(({ value }) => !chosen.has(value));
      if (added.length > 0 && refusal === null)
        rows.push({
          label: added.length === 1 ? (added[0] ?? '') : l10n.t('{0} values', added.length),
          description: l10n.t('add'),
          iconPath: new ThemeIcon('add'),
          act: () => {
            for (const value of added) chosen.add(value);
          },
        });
      if (typed.trim() === '' && chosen.size > 0) {
        const wrong = refusalOf(parameter, [...chosen]);
        if (wrong === null)
          rows.push({
            label: chosen.size === 1 ? l10n.t('Go on with 1 value') : l10n.t('Go on with {0} values', chosen.size),
            iconPath: new ThemeIcon('check-all'),
            result: [...chosen],
          });
        else rows.push(info(`${parameterTitle(question.name)}: ${wrong}`, 'error'));
        rows.push({ label: l10n.t('chosen'), kind: QuickPickItemKind.Separator });
        for (const value of chosen) {
          const name = nameOf(value);
          rows.push({
            label: name ?? value,
            ...(name !== undefined && { description: value }),
            iconPath: new ThemeIcon('pass-filled'),
            buttons: [remove],
            act: () => void chosen.delete(value),
          });
        }
      }
      rows.push(...offerRows<Texts>(shown, ({ value }) => ({ act: () => void chosen.add(value) })));
      if (refusal !== null) {
        const said = info<Texts>(`${parameterTitle(question.name)}: ${refusal}`, 'error');
        if (shown.length === 0) rows.unshift(said);
        else rows.push(said);
      }
      if (!needed && chosen.size === 0)
        rows.push({ label: l10n.t('Leave empty'), iconPath: new ThemeIcon('dash'), result: [] });
      return rows.length > 0 ? rows : [info(l10n.t('Write {0}.', translated(parameter.kind.hint)))];
    },
  });
}

/** The texts, `'back'`, or `undefined` when the box was closed. */
export function askParameter(question: ParameterQuestion): Promise<Texts | 'back' | undefined> {
  return isList(question.parameter.kind) ? askMany(question) : askOne(question);
}
