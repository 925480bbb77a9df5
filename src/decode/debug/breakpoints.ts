// Which statements a breakpoint of an editor is at, and which steps write.
import type { DebugSlot } from '../../api/debugSession.ts';
import type { SourceFunction } from '../source/solidityOutline.ts';
import type { SourceText } from '../source/sourceText.ts';
import { extract } from '../source/storageValues.ts';
import type { StorageWrite, Trace } from '../trace/trace.ts';
import type { SourceUnit } from './debugCode.ts';
import type { DebugIndex } from './debugIndex.ts';

/** Whether two sources are the same one, also of different builds. */
export const isSameSource = (a: SourceText, b: SourceText): boolean =>
  a === b || (a.built.path === b.built.path && a.bytes === b.bytes);

/** Statements of a source that have code, in all contracts of the transaction, by number. */
export function listUnits(index: DebugIndex, source: SourceText): readonly number[] {
  const found = new Set<number>();
  for (const code of index.codes()) {
    if (!code.program.sources().some(each => isSameSource(each, source))) continue;
    for (const unit of code.allUnits())
      if (isSameSource((index.units[unit] as SourceUnit).source, source)) found.add(unit);
  }
  return [...found];
}

/** The statement at a line, or the next one below it that has code; by number, one for each contract that has it. */
export function findUnitsAtLine(index: DebugIndex, source: SourceText, line: number): readonly number[] {
  const all = listUnits(index, source).map(number => ({ number, unit: index.units[number] as SourceUnit }));
  const starting = all.filter(({ unit }) => unit.line === line);
  const around = all.filter(({ unit }) => unit.line < line && line <= source.position(unit.end).line);
  const below = all.filter(({ unit }) => unit.line > line);
  const first = (units: typeof all) => Math.min(...units.map(({ unit }) => unit.start));
  const innermost = (units: typeof all) => Math.max(...units.map(({ unit }) => unit.start));
  const start = starting.length > 0 ? first(starting) : around.length > 0 ? innermost(around) : first(below);
  return all.filter(({ unit }) => unit.start === start).map(({ number }) => number);
}

/** Whether a breakpoint on functions means this one: `Vault.withdraw` or `withdraw`. */
export const isNamed = ({ name, contract }: SourceFunction, wanted: string): boolean =>
  wanted === name || wanted === `${contract?.name}.${name}`;

/** Steps that write a value, also those that were undone later. Where it shares its slot, those that change it. */
export function listWrites({ writes }: Trace, value: DebugSlot): readonly number[] {
  const { address, isTransient, offset, bytes } = value;
  const slot = BigInt(value.slot);
  const isOwn = ({ oldValue, newValue }: StorageWrite) =>
    bytes === 32 || extract(oldValue, offset, bytes) !== extract(newValue, offset, bytes);
  return writes
    .filter(each => each.address === address && each.slot === slot && each.isTransient === isTransient && isOwn(each))
    .map(({ step }) => step);
}
