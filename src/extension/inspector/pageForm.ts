// The form of an operation above its rows, with its parameters and their values.
import { type OperationId, operations } from '../../api/operations/operations.ts';
import { isListKind, type Parameters } from '../../api/operations/parameters.ts';
import { translate } from '../../base/localize.ts';
import { getFieldLabel } from '../../protocol/fieldLabels.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { FormField, InspectorState } from '../../protocol/messages.ts';

/** Parameters that the page sets itself. */
const HIDDEN_PARAMETERS = new Set(['cursor', 'disableTotal', 'offset']);

function getChoices(schema: unknown): readonly string[] | null {
  const { type, enum: values } = (schema ?? {}) as { readonly type?: unknown; readonly enum?: unknown };
  if (type === 'boolean') return ['true', 'false'];
  return Array.isArray(values) && values.length <= 20 && values.every(value => typeof value === 'string')
    ? values
    : null;
}

export function createPageForm(target: InspectorTarget): InspectorState['form'] {
  if (target.kind !== 'operation') return null;
  const id: OperationId = target.operation;
  const { title, summary } = operations[id];
  const parameters: Parameters = operations[id].parameters;
  const fields = Object.entries(parameters)
    .filter(([name]) => !HIDDEN_PARAMETERS.has(name))
    .map(([name, { kind, doc, required }]): FormField => {
      const given = Object.hasOwn(target.parameters, name) ? target.parameters[name] : undefined;
      return {
        name,
        label: getFieldLabel(name),
        placeholder: translate(kind.hint),
        description: translate(doc),
        required,
        isList: isListKind(kind),
        choices: isListKind(kind) ? null : getChoices(kind.schema),
        value: given === undefined ? '' : typeof given === 'string' ? given : given.join('\n'),
      };
    });
  return { title: translate(title), summary: translate(summary), fields };
}
