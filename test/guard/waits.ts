// Finds timers and sleeps in tests, which wait for states and not for time.
import type { SourceFile } from '../../scripts/findFiles.ts';

/** Timers of a file: how many lines have one, and why it does not make a test wait for time. */
export interface AllowedTimers {
  readonly lines: number;
  readonly reason: string;
}

const TIMER =
  /\b(setTimeout|setInterval|waitForTimeout|Atomics\.wait)\(|\.sleep\(|\bsleep \d|\bsetTimeout\b.*node:timers\/promises/;

/** The numbers, from 1, of the lines with a timer. */
export function findTimers(text: string): readonly number[] {
  return text.split('\n').flatMap((line, index) => (TIMER.test(line) ? [index + 1] : []));
}

/** One sentence for each file that has more or fewer timers than allowed. */
export function findTimerProblems(
  files: readonly SourceFile[],
  allowed: Readonly<Record<string, AllowedTimers>>,
): readonly string[] {
  const problems = files.flatMap(({ path, text }) => {
    const found = findTimers(text);
    const { lines } = allowed[path] ?? { lines: 0 };
    if (found.length > lines)
      return [`${path} has timers in lines ${found.join(', ')}, ${lines} allowed: wait for a state instead.`];
    return found.length < lines ? [`${path} has ${found.length} timers, ${lines} allowed: correct the list.`] : [];
  });
  const missing = Object.keys(allowed).filter(path => !files.some(file => file.path === path));
  return [...problems, ...missing.map(path => `${path} does not exist: correct the list.`)];
}
