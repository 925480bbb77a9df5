// What of a CPU profile is work of our own bundles, and for how long at a time it kept the event loop from anything else.
import type { Profiler } from 'node:inspector';
import { pathToFileURL } from 'node:url';

/** A look at the thread by a timer: none comes while anything keeps the event loop. Microseconds. */
export interface ThreadSample {
  /** On the profile's clock. */
  readonly at: number;
  /** Processor time that the thread had had by then. */
  readonly spent: number;
}

/** A place in our bundles, and how long the thread was in it. */
export interface CodeLocation {
  /** Function, file, line and column of the bundle, as in a stack trace; or what the engine did around it. */
  readonly location: string;
  readonly ms: number;
}

/** Milliseconds. */
export interface ExtensionWork {
  /** Our longest work between two looks. */
  readonly longest: number;
  /** What it was, the longest first. */
  readonly longestOf: readonly CodeLocation[];
  /** All of ours. */
  readonly total: number;
  readonly totalOf: readonly CodeLocation[];
  /** Times that garbage was collected in the midst of our work. */
  readonly collecting: number;
  readonly samples: number;
}

/** What the engine does without a function of JavaScript: it belongs to the work beside it. */
const AROUND: ReadonlySet<string> = new Set(['(program)', '(garbage collector)']);
const PLACES = 6;
const COLLECTOR = '(garbage collector)';

/**
 * The innermost place of our bundles on the stack of each node, by the node's id: what we call is our doing. Nodes that
 * are not in it have none.
 */
export function findExtensionFrames({ nodes }: Profiler.Profile, bundles: string): ReadonlyMap<number, string> {
  const links = [bundles, pathToFileURL(bundles).href];
  const byId = new Map(nodes.map(node => [node.id, node]));
  const places = new Map<number, string>();
  const visit = (id: number, outer: string | undefined) => {
    const node = byId.get(id);
    if (node === undefined) return;
    const { functionName, url, lineNumber, columnNumber } = node.callFrame;
    const isOurs = links.some(link => url.startsWith(link));
    const name = functionName || '(anonymous)';
    const place = isOurs ? `${name} ${url.split('/').at(-1)}:${lineNumber + 1}:${columnNumber + 1}` : outer;
    if (place !== undefined) places.set(id, place);
    for (const child of node.children ?? []) visit(child, place);
  };
  visit(nodes[0]?.id ?? 0, undefined);
  return places;
}

/** When each sample was taken, and how many looks there had been by then. */
function timesOf({ timeDeltas = [], startTime }: Profiler.Profile, looks: readonly ThreadSample[]) {
  let [at, looked] = [startTime, 0];
  return timeDeltas.map(delta => {
    at += delta;
    while (looked < looks.length && (looks[looked]?.at ?? 0) <= at) looked++;
    return { at, looked };
  });
}

type Times = ReturnType<typeof timesOf>;

/**
 * Whose each sample is: ours where one of our functions is anywhere on the stack, and where the engine works by itself
 * right before or after that, such as reading a message that is for us; but not beyond a look.
 */
function ownersOf(profile: Profiler.Profile, times: Times, bundles: string): readonly (string | undefined)[] {
  const { nodes, samples = [] } = profile;
  const places = findExtensionFrames(profile, bundles);
  const around = new Map(
    nodes.flatMap(({ id, callFrame: { functionName } }) => (AROUND.has(functionName) ? [[id, functionName]] : [])),
  );
  const owners = samples.map(id => places.get(id));
  const own = owners.flatMap((owner, at) => (owner === undefined ? [] : [at]));
  for (const step of [-1, 1])
    for (const at of own)
      for (let i = at + step; owners[i] === undefined && times[i]?.looked === times[at]?.looked; i += step) {
        const engine = around.get(samples[i] ?? -1);
        if (engine === undefined) break;
        owners[i] = engine;
      }
  return owners;
}

const add = (sums: Map<string, number>, place: string, ms: number) => sums.set(place, (sums.get(place) ?? 0) + ms);

const sumOf = (sums: ReadonlyMap<string, number>) => [...sums.values()].reduce((sum, ms) => sum + ms, 0);

/** The first of them. */
const placesOf = (sums: ReadonlyMap<string, number>): readonly CodeLocation[] =>
  [...sums]
    .map(([place, ms]) => ({ place, ms }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, PLACES);

/**
 * Work of ours between two looks is at most what the processor gave the thread between them: what it gave to others
 * meanwhile blocks nobody's event loop by our doing.
 */
export function measureExtensionWork(
  profile: Profiler.Profile,
  looks: readonly ThreadSample[],
  bundles: string,
): ExtensionWork {
  const { samples = [], endTime } = profile;
  const times = timesOf(profile, looks);
  const owners = ownersOf(profile, times, bundles);
  /** By how many looks there had been: what each place took. */
  const windows = new Map<number, Map<string, number>>();
  for (const [i, { at, looked }] of times.entries()) {
    const owner = owners[i];
    if (owner === undefined) continue;
    const window = windows.get(looked) ?? new Map<string, number>();
    add(window, owner, ((times[i + 1]?.at ?? endTime) - at) / 1_000);
    windows.set(looked, window);
  }
  const all = new Map<string, number>();
  let longest: { readonly ms: number; readonly of: ReadonlyMap<string, number> } = { ms: 0, of: new Map() };
  for (const [looked, window] of windows) {
    const wall = sumOf(window);
    const [before, after] = [looks[looked - 1], looks[looked]];
    const spent = before === undefined || after === undefined ? wall : (after.spent - before.spent) / 1_000;
    const part = wall === 0 ? 0 : Math.min(1, spent / wall);
    const of = new Map([...window].map(([place, ms]) => [place, ms * part]));
    if (wall * part > longest.ms) longest = { ms: wall * part, of };
    for (const [place, ms] of of) add(all, place, ms);
  }
  return {
    longest: longest.ms,
    longestOf: placesOf(longest.of),
    total: sumOf(all),
    totalOf: placesOf(all),
    collecting: owners.filter((owner, i) => owner === COLLECTOR && owners[i - 1] !== COLLECTOR).length,
    samples: samples.length,
  };
}
