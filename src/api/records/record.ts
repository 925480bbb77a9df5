// Records: named sets of fields, from which types, schemas, decoders and encoders are derived.

import { toWireName } from '../wire/wireName.ts';
import { nullable, objectSchema } from './jsonSchema.ts';
import type { Presentation, ValueKind } from './valueKinds.ts';

/**
 * How a field without a value is sent.
 * - `null`: as `null`; the default.
 * - `absent`: not at all, as topics of a log.
 * - `always`: the field always has a value.
 * - `extra`: not at all; a field that hosts add to the description.
 * - `requested`: as `null` where a parameter requests the field, else not at all.
 */
export type Absence = 'null' | 'absent' | 'always' | 'extra' | 'requested';

export interface Field<T> {
  readonly kind: ValueKind<T>;
  readonly absence: Absence;
  /** Name on the wire; absent means the snake_case form of the property. */
  readonly wire?: string;
  /** The parameter that requests it. */
  readonly requestedBy?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where fields of every value type meet.
export type AnyField = Field<any>;
export type Fields = Readonly<Record<string, AnyField>>;

const withAbsence =
  (absence: Absence) =>
  <T>(kind: ValueKind<T>, wire?: string): Field<T> => ({ kind, absence, ...(wire && { wire }) });

export const field = withAbsence('null');
export const always = withAbsence('always');
export const absent = withAbsence('absent');
export const extra = withAbsence('extra');

export const requested = <T>(requestedBy: string, kind: ValueKind<T>): Field<T> => ({
  kind,
  absence: 'requested',
  requestedBy,
});

/** A decoded record. Every field may be `null`, since hosts guarantee none of them. */
export type InferFields<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T | null : never };

export interface RecordKind<F extends Fields> extends ValueKind<InferFields<F>> {
  readonly fields: F;
  readonly wires: readonly (readonly [property: string, wire: string, field: AnyField])[];
}

// biome-ignore lint/suspicious/noExplicitAny: see AnyField.
export type AnyRecord = RecordKind<any>;
export type InferRecord<R> = R extends RecordKind<infer F> ? InferFields<F> : never;

const isSentAsNull = ({ absence, requestedBy }: AnyField, { requested: names }: Presentation): boolean =>
  absence === 'null' || absence === 'always' || (requestedBy !== undefined && names?.includes(requestedBy) === true);

/** Creates a kind of record: `decode` returns all fields, `null` where absent; `encode` returns the described form. */
export function record<const F extends Fields>(name: string, fields: F): RecordKind<F> {
  const wires = Object.entries(fields).map(
    ([property, entry]) => [property, entry.wire ?? toWireName(property), entry] as const,
  );
  const isOptional = ({ absence }: AnyField) => absence !== 'null' && absence !== 'always';
  const properties = wires.map(
    ([, wire, { absence, kind }]) =>
      [wire, absence === 'null' || absence === 'requested' ? nullable(kind.schema) : kind.schema] as const,
  );
  const optional = wires.filter(([, , entry]) => isOptional(entry)).map(([, wire]) => wire);
  return {
    name,
    fields,
    wires,
    schema: objectSchema(Object.fromEntries(properties), optional),
    decode(wire) {
      if (wire === null || typeof wire !== 'object' || Array.isArray(wire)) return null;
      const source = wire as Record<string, unknown>;
      const values: Record<string, unknown> = {};
      for (const [property, key, entry] of wires)
        values[property] = Object.hasOwn(source, key) ? entry.kind.decode(source[key]) : null;
      return values as InferFields<F>;
    },
    encode(value: InferFields<F>, presentation: Presentation) {
      const result: Record<string, unknown> = {};
      const source = value as Readonly<Record<string, unknown>>;
      for (const [property, key, entry] of wires) {
        const inner = source[property];
        if (inner !== null && inner !== undefined) result[key] = entry.kind.encode(inner, presentation);
        else if (isSentAsNull(entry, presentation)) result[key] = null;
      }
      return result;
    },
  };
}
