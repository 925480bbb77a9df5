// The form of an operation: its parameters with what is in them, as a page shows them above the rows.

import { type OperationId, operations } from '../../api/operations/operations.ts';
import { isList, type Parameters } from '../../api/operations/parameters.ts';
import { translated } from '../../base/localize.ts';
import { labelOf } from '../../protocol/fieldLabels.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { Field, Show } from '../../protocol/messages.ts';

/** Asked for by the page itself: a row count and a place in the list are no business of a form. */
const HIDDEN = new Set(['cursor', 'disableTotal', 'offset']);

function choicesOf(schema: unknown): readonly string[] | null {
  const { type, enum: values } = (schema ?? {}) as { readonly type?: unknown; readonly enum?: unknown };
  if (type === 'boolean') return ['true', 'false'];
  return Array.isArray(values) && values.length <= 20 && values.every(value => typeof value === 'string')
    ? values
    : null;
}

export function formOf(target: InspectorTarget): Show['form'] {
  if (target.kind !== 'operation') return null;
  const id: OperationId = target.operation;
  const { title, summary } = operations[id];
  const parameters: Parameters = operations[id].parameters;
  const fields = Object.entries(parameters)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, { kind, doc, required }]): Field => {
      const given = Object.hasOwn(target.parameters, name) ? target.parameters[name] : undefined;
      return {
        name,
        label: labelOf(name),
        hint: translated(kind.hint),
        doc: translated(doc),
        required,
        list: isList(kind),
        choices: isList(kind) ? null : choicesOf(kind.schema),
        text: given === undefined ? '' : typeof given === 'string' ? given : given.join('\n'),
      };
    });
  return { title: translated(title), summary: translated(summary), fields };
}
