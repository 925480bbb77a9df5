// CPU time of the extension's bundles in a CPU profile, in total and at most between two samples of the event loop.
import type { Profiler } from 'node:inspector';
import { pathToFileURL } from 'node:url';

/** Taken by a timer, so none is taken while the event loop is blocked. Microseconds. */
export interface ThreadSample {
  /** On the clock of the profile. */
  readonly at: number;
  /** CPU time of the thread up to this sample. */
  readonly spent: number;
}

/** A location in the extension's bundles, and the CPU time spent there. */
export interface CodeLocation {
  /** Function, file, line and column as in a stack trace, or the engine's own activity, such as garbage collection. */
  readonly location: string;
  readonly ms: number;
}

/** Milliseconds. */
export interface ExtensionWork {
  /** The longest work between two samples. */
  readonly longest: number;
  /** Its locations, longest first. */
  readonly longestOf: readonly CodeLocation[];
  readonly total: number;
  readonly totalOf: readonly CodeLocation[];
  /** Number of garbage collections during the extension's work. */
  readonly collections: number;
  readonly samples: number;
}

/** Activity of the engine without a JavaScript function, which is attributed to adjacent work. */
const ENGINE_ACTIVITY: ReadonlySet<string> = new Set(['(program)', '(garbage collector)']);
const MAX_LOCATIONS = 6;
const GARBAGE_COLLECTOR = '(garbage collector)';

/** The innermost location in the extension's bundles on the stack of each profile node, by the node's id. */
export function findExtensionFrames({ nodes }: Profiler.Profile, bundles: string): ReadonlyMap<number, string> {
  const prefixes = [bundles, pathToFileURL(bundles).href];
  const byId = new Map(nodes.map(node => [node.id, node]));
  const locations = new Map<number, string>();
  const visit = (id: number, outer: string | undefined) => {
    const node = byId.get(id);
    if (node === undefined) return;
    const { functionName, url, lineNumber, columnNumber } = node.callFrame;
    const isExtension = prefixes.some(prefix => url.startsWith(prefix));
    const name = functionName || '(anonymous)';
    const location = isExtension ? `${name} ${url.split('/').at(-1)}:${lineNumber + 1}:${columnNumber + 1}` : outer;
    if (location !== undefined) locations.set(id, location);
    for (const child of node.children ?? []) visit(child, location);
  };
  visit(nodes[0]?.id ?? 0, undefined);
  return locations;
}

/** The time of each profile sample, and the number of thread samples up to then. */
function getSampleTimes({ timeDeltas = [], startTime }: Profiler.Profile, threadSamples: readonly ThreadSample[]) {
  let [at, threadSampleCount] = [startTime, 0];
  return timeDeltas.map(delta => {
    at += delta;
    while (threadSampleCount < threadSamples.length && (threadSamples[threadSampleCount]?.at ?? 0) <= at)
      threadSampleCount++;
    return { at, threadSampleCount };
  });
}

type SampleTimes = ReturnType<typeof getSampleTimes>;

/**
 * The extension's location for each profile sample: where one of its functions is on the stack, and for engine activity
 * directly before or after that between the same thread samples, such as deserializing a message.
 */
function attributeSamples(
  profile: Profiler.Profile,
  times: SampleTimes,
  bundles: string,
): readonly (string | undefined)[] {
  const { nodes, samples = [] } = profile;
  const frames = findExtensionFrames(profile, bundles);
  const engineActivity = new Map(
    nodes.flatMap(({ id, callFrame: { functionName } }) =>
      ENGINE_ACTIVITY.has(functionName) ? [[id, functionName]] : [],
    ),
  );
  const locations = samples.map(id => frames.get(id));
  const extensionSamples = locations.flatMap((location, index) => (location === undefined ? [] : [index]));
  const isSameWindow = (a: number, b: number) => times[a]?.threadSampleCount === times[b]?.threadSampleCount;
  for (const step of [-1, 1])
    for (const index of extensionSamples)
      for (let i = index + step; locations[i] === undefined && isSameWindow(i, index); i += step) {
        const activity = engineActivity.get(samples[i] ?? -1);
        if (activity === undefined) break;
        locations[i] = activity;
      }
  return locations;
}

const addTime = (times: Map<string, number>, location: string, ms: number) =>
  times.set(location, (times.get(location) ?? 0) + ms);

const sumTimes = (times: ReadonlyMap<string, number>) => [...times.values()].reduce((sum, ms) => sum + ms, 0);

const getLongestLocations = (times: ReadonlyMap<string, number>): readonly CodeLocation[] =>
  [...times]
    .map(([location, ms]) => ({ location, ms }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, MAX_LOCATIONS);

/** Work between two thread samples is limited to the thread's CPU time between them, without time of other processes. */
export function measureExtensionWork(
  profile: Profiler.Profile,
  threadSamples: readonly ThreadSample[],
  bundles: string,
): ExtensionWork {
  const { samples = [], endTime } = profile;
  const sampleTimes = getSampleTimes(profile, threadSamples);
  const locations = attributeSamples(profile, sampleTimes, bundles);
  /** Time by location, for each number of thread samples. */
  const windows = new Map<number, Map<string, number>>();
  for (const [index, { at, threadSampleCount }] of sampleTimes.entries()) {
    const location = locations[index];
    if (location === undefined) continue;
    const window = windows.get(threadSampleCount) ?? new Map<string, number>();
    addTime(window, location, ((sampleTimes[index + 1]?.at ?? endTime) - at) / 1_000);
    windows.set(threadSampleCount, window);
  }
  const total = new Map<string, number>();
  let longest: { readonly ms: number; readonly times: ReadonlyMap<string, number> } = { ms: 0, times: new Map() };
  for (const [threadSampleCount, window] of windows) {
    const wallMs = sumTimes(window);
    const [before, after] = [threadSamples[threadSampleCount - 1], threadSamples[threadSampleCount]];
    const cpuMs = before === undefined || after === undefined ? wallMs : (after.spent - before.spent) / 1_000;
    const share = wallMs === 0 ? 0 : Math.min(1, cpuMs / wallMs);
    const times = new Map([...window].map(([location, ms]) => [location, ms * share]));
    if (wallMs * share > longest.ms) longest = { ms: wallMs * share, times };
    for (const [location, ms] of times) addTime(total, location, ms);
  }
  const isCollection = (index: number) => locations[index] === GARBAGE_COLLECTOR;
  return {
    longest: longest.ms,
    longestOf: getLongestLocations(longest.times),
    total: sumTimes(total),
    totalOf: getLongestLocations(total),
    collections: locations.filter((_, index) => isCollection(index) && !isCollection(index - 1)).length,
    samples: samples.length,
  };
}
