// The parameters of an operation as a form that folds away.
import { html, nothing, type TemplateResult } from 'lit';
import type { InputTexts } from '../../../api/wire/inputTexts.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { FormField } from '../../../protocol/messages.ts';

export interface ParametersFormOptions {
  readonly isOpen: boolean;
  /** What is wrong with the fields, named as in messages of the service. */
  readonly issues: readonly { readonly field: string; readonly message: string }[];
  onToggle(open: boolean): void;
  onSubmit(parameters: InputTexts): void;
}

/** What a parameter says while the form is closed: of several values, how many. */
function atAGlance(text: string, list: boolean): string {
  const values = text.split('\n').length;
  if (list && values > 1) return formatInteger(values);
  return text.length > 24 ? `${text.slice(0, 12)}…` : text;
}

function read(form: HTMLFormElement, fields: readonly FormField[]): InputTexts {
  const data = new FormData(form);
  const parameters: Record<string, string | readonly string[]> = {};
  for (const { name, isList: list } of fields) {
    const text = String(data.get(name) ?? '').trim();
    if (text === '') continue;
    parameters[name] = list ? text.split(/[\s,]+/).filter(item => item !== '') : text;
  }
  return parameters as InputTexts;
}

function control(
  { name, placeholder: hint, isList: list, choices, value: text }: FormField,
  wrong: boolean,
): TemplateResult {
  const invalid = wrong ? 'true' : nothing;
  if (list || text.length > 120)
    return html`<textarea id=${name} name=${name} rows="2" spellcheck="false" placeholder=${hint} aria-invalid=${invalid} .value=${text}></textarea>`;
  return choices !== null
    ? html`<select id=${name} name=${name} aria-invalid=${invalid}><option value="">${t('(default)')}</option>${choices.map(choice => html`<option value=${choice} ?selected=${choice === text}>${choice}</option>`)}</select>`
    : html`<input id=${name} name=${name} type="text" spellcheck="false" autocomplete="off" placeholder=${hint} aria-invalid=${invalid} .value=${text}>`;
}

export function renderParametersForm(fields: readonly FormField[], use: ParametersFormOptions): TemplateResult {
  const issues = new Map(use.issues.map(issue => [issue.field.replaceAll('_', '').toLowerCase(), issue.message]));
  const given = fields.flatMap(({ label, value: text, isList: list }) =>
    text === '' ? [] : `${label}: ${atAGlance(text, list)}`,
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    use.onSubmit(read(event.currentTarget as HTMLFormElement, fields));
  };
  return html`<details class="form" ?open=${use.isOpen} @toggle=${(event: Event) => use.onToggle((event.target as HTMLDetailsElement).open)}>
      <summary>${t('Parameters')} <span class="muted">${given.join(' · ')}</span></summary>
      <form @submit=${submit}>${fields.map(field => {
        const { name, label, description: doc, required } = field;
        const issue = issues.get(name.toLowerCase());
        return html`<div class="field" title=${doc}><label for=${name}>${label}${required ? html`<span aria-hidden="true"> *</span>` : nothing}</label>${control(field, issue !== undefined)}${issue === undefined ? nothing : html`<span class="issue">${issue}</span>`}</div>`;
      })}<div class="send"><button class="action" type="submit">${t('Ask')}</button></div></form></details>`;
}
