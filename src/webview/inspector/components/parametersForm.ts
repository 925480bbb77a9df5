// The collapsible form of an operation's parameters.
import { html, nothing, type TemplateResult } from 'lit';
import type { InputTexts } from '../../../api/wire/inputTexts.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { FormField } from '../../../protocol/messages.ts';

export interface ParametersFormOptions {
  readonly isOpen: boolean;
  /** Problems by field, named as the service names it. */
  readonly issues: readonly { readonly field: string; readonly message: string }[];
  onToggle(isOpen: boolean): void;
  onSubmit(parameters: InputTexts): void;
}

/** A parameter in the closed form: shortened, or the number of its values. */
function summarizeValue(value: string, isList: boolean): string {
  const count = value.split('\n').length;
  if (isList && count > 1) return formatInteger(count);
  return value.length > 24 ? `${value.slice(0, 12)}…` : value;
}

function readForm(form: HTMLFormElement, fields: readonly FormField[]): InputTexts {
  const data = new FormData(form);
  const parameters: Record<string, string | readonly string[]> = {};
  for (const { name, isList } of fields) {
    const text = String(data.get(name) ?? '').trim();
    if (text === '') continue;
    parameters[name] = isList ? text.split(/[\s,]+/).filter(item => item !== '') : text;
  }
  return parameters as InputTexts;
}

function renderControl({ name, placeholder, isList, choices, value }: FormField, isInvalid: boolean): TemplateResult {
  const invalid = isInvalid ? 'true' : nothing;
  if (isList || value.length > 120)
    return html`<textarea id=${name} name=${name} rows="2" spellcheck="false" placeholder=${placeholder} aria-invalid=${invalid} .value=${value}></textarea>`;
  return choices !== null
    ? html`<select id=${name} name=${name} aria-invalid=${invalid}><option value="">${t('(default)')}</option>${choices.map(choice => html`<option value=${choice} ?selected=${choice === value}>${choice}</option>`)}</select>`
    : html`<input id=${name} name=${name} type="text" spellcheck="false" autocomplete="off" placeholder=${placeholder} aria-invalid=${invalid} .value=${value}>`;
}

export function renderParametersForm(fields: readonly FormField[], options: ParametersFormOptions): TemplateResult {
  const issues = new Map(options.issues.map(issue => [issue.field.replaceAll('_', '').toLowerCase(), issue.message]));
  const summary = fields.flatMap(({ label, value, isList }) =>
    value === '' ? [] : `${label}: ${summarizeValue(value, isList)}`,
  );
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    options.onSubmit(readForm(event.currentTarget as HTMLFormElement, fields));
  };
  return html`<details class="form" ?open=${options.isOpen} @toggle=${(event: Event) => options.onToggle((event.target as HTMLDetailsElement).open)}>
      <summary>${t('Parameters')} <span class="muted">${summary.join(' · ')}</span></summary>
      <form @submit=${handleSubmit}>${fields.map(field => {
        const { name, label, description, required } = field;
        const issue = issues.get(name.toLowerCase());
        return html`<div class="field" title=${description}><label for=${name}>${label}${required ? html`<span aria-hidden="true"> *</span>` : nothing}</label>${renderControl(field, issue !== undefined)}${issue === undefined ? nothing : html`<span class="issue">${issue}</span>`}</div>`;
      })}<div class="submit"><button class="action" type="submit">${t('Run')}</button></div></form></details>`;
}
