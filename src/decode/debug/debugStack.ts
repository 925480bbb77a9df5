// The call stack at any step: functions of the source and calls between contracts, the innermost first.
import type { SourceFunction } from '../source/solidityOutline.ts';
import type { SourceText } from '../source/sourceText.ts';
import { type DebugIndex, type RunningFunction, sourceFunction } from './debugIndex.ts';

/** A running function at a step, with its place in the source. */
export interface DebugFrame {
  /** Index in `Trace.frames`. */
  readonly frame: number;
  /** The contract whose source has the function; where that is not known, the contract whose code runs. */
  readonly contract: string | null;
  /** `null`: not known, as without a source. */
  readonly functionName: string | null;
  readonly definition: SourceFunction | null;
  readonly source: SourceText | null;
  /** Offsets in bytes; `null`: the place is not known. */
  readonly range: { readonly start: number; readonly end: number } | null;
  /** The optimizer left no trace of the call of this function in the code: it is concluded from the source. */
  readonly isInferred: boolean;
  /** The step that it is at: of the call, for those that called others. */
  readonly step: number;
  /** Program counter at that step. */
  readonly pc: number;
}

type Place = Pick<DebugFrame, 'source' | 'range'> & { readonly definition: SourceFunction | null };

const NOWHERE: Place = { source: null, range: null, definition: null };

export function stackAt(index: DebugIndex, step: number): readonly DebugFrame[] {
  const frames: DebugFrame[] = [];
  let at: RunningFunction | null = sourceFunction(index.runningAt(step));
  let current = step;
  let inner: RunningFunction | null = null;
  while (at !== null) {
    const around: RunningFunction = sourceFunction(at);
    const shown = framesOf(index, around, current, inner);
    frames.push(...shown);
    if (shown.length > 0) inner = around;
    current = around.callStep;
    at = around.caller;
  }
  return frames;
}

/** The running function and those that were inlined at its place, the innermost first. */
function framesOf(
  index: DebugIndex,
  running: RunningFunction,
  step: number,
  inner: RunningFunction | null,
): readonly DebugFrame[] {
  const frame = index.trace.frames[running.frame];
  const code = frame === undefined ? null : index.codeOf(frame);
  const pc = index.trace.steps.pc[step] ?? 0;
  const shared = { frame: running.frame, step, pc };
  if (frame === undefined || code === null)
    return [{ ...shared, contract: null, functionName: null, isInferred: false, ...NOWHERE }];
  const { graph, name } = code.program;
  const place = placeAt(index, running, step, inner !== null);
  const toFrame = (definition: SourceFunction | null, at: Place, isInferred: boolean): DebugFrame => ({
    ...shared,
    definition,
    isInferred,
    source: at.source,
    range: at.range,
    contract: definition === null ? name : (definition.contract?.name ?? null),
    functionName: definition?.name ?? null,
  });
  const base = running.definition ?? running.owner;
  if (base === null) return [toFrame(place.definition, place, false)];
  // With via-IR the body is called by the modifier, which the function called: it is one function, other than a recursion.
  const isPassage =
    inner !== null &&
    inner.frame === running.frame &&
    inner.depth === running.depth &&
    inner.owner === running.owner &&
    inner.owner !== null;
  if (isPassage && (base.kind === 'modifier' || inner.definition === base)) return [];
  if (isPassage && inner.definition?.kind === 'modifier') {
    const call = base.invocations.find(({ name: called }) => called === inner.definition?.name);
    const source = graph?.getSource(base) ?? null;
    return [toFrame(base, call === undefined ? NOWHERE : { source, range: call, definition: base }, false)];
  }
  if (place.definition === null || place.definition === base) return [toFrame(base, place, false)];
  const [way] = graph?.paths(base, place.definition, 1) ?? [];
  // With via-IR a constructor that is not written, which sets values of variables, is code of the compiler.
  if (way === undefined && place.definition.kind === 'constructor') return [toFrame(place.definition, place, false)];
  if (way === undefined) return [toFrame(base, NOWHERE, false)];
  // A modifier is compiled into its function, and constructors of bases into that of the contract: that is no conclusion.
  const isPart = ({ kind }: SourceFunction) => kind === 'modifier' || kind === 'constructor';
  const isInferred = !way.every(({ target }) => isPart(target));
  const outer = way.map(({ call }, i) => {
    const definition = i === 0 ? base : (way[i - 1]?.target ?? base);
    return toFrame(
      definition,
      { source: graph?.getSource(definition) ?? null, range: call, definition },
      isInferred && i > 0,
    );
  });
  return [toFrame(place.definition, place, isInferred), ...outer.toReversed()];
}

/** Where a function is at a step: the expression of a call, else the statement that runs. */
function placeAt(index: DebugIndex, running: RunningFunction, step: number, isCaller: boolean): Place {
  const { stops, units, trace } = index;
  const frame = trace.frames[running.frame];
  const code = frame === undefined ? null : index.codeOf(frame);
  const pc = trace.steps.pc[step] ?? -1;
  if (isCaller) {
    const site = trace.steps.frame[step] === running.frame ? (code?.program.siteAt(pc) ?? null) : null;
    if (site !== null && (code?.unitAt(pc) ?? -1) >= 0)
      return { source: site.source, range: site, definition: site.definition };
  }
  for (let i = index.stopAt(step); i >= 0 && (stops.step[i] as number) >= (frame?.firstStep ?? 0); i--) {
    // Functions of inline assembly have no frame of their own.
    if (sourceFunction(index.running[stops.running[i] as number] as RunningFunction) !== running) continue;
    const unit = units[stops.unit[i] as number];
    return unit === undefined ? NOWHERE : { source: unit.source, range: unit, definition: unit.definition };
  }
  const definition = running.definition ?? running.owner;
  const source = definition === null ? null : (code?.program.graph?.getSource(definition) ?? null);
  // Before its first statement: the name of the function.
  if (definition === null || source === null) return NOWHERE;
  const header = source.text(definition.start, definition.end).search(/[{;]/);
  return { source, range: { start: definition.start, end: definition.start + Math.max(0, header) }, definition };
}
