// The breakpoints of a session, as the client set them.
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugBreakpoint } from '../../api/debugSession.ts';

type Conditions = Pick<DebugProtocol.SourceBreakpoint, 'condition' | 'hitCondition' | 'logMessage'>;
type At = DebugBreakpoint['at'];

const toConditions = ({ condition, hitCondition, logMessage }: Conditions) => ({
  ...(condition !== undefined && condition !== '' && { condition }),
  ...(hitCondition !== undefined && hitCondition !== '' && { hitCondition }),
  ...(logMessage !== undefined && logMessage !== '' && { logMessage }),
});

export class BreakpointStore {
  /** By source, or by the kind of those that are in none. */
  readonly #groups = new Map<string, readonly DebugBreakpoint[]>();
  #nextId = 1;

  all(): readonly DebugBreakpoint[] {
    return [...this.#groups.values()].flat();
  }

  /** Replaces those of a source; `null` for one that no code is at. The number of each. */
  setStatements(
    source: string,
    breakpoints: readonly ((Conditions & { readonly source: number; readonly line: number }) | null)[],
  ): readonly number[] {
    const ids = breakpoints.map(() => this.#nextId++);
    this.#groups.set(
      `source ${source}`,
      breakpoints.flatMap((each, i) => {
        if (each === null) return [];
        const at: At = { kind: 'statement', source: each.source, line: each.line };
        return [{ id: ids[i] as number, at, ...toConditions(each) }];
      }),
    );
    return ids;
  }

  /** Replaces those of a kind. The number of each. */
  setOther<T extends Conditions>(
    kind: Exclude<At['kind'], 'statement'>,
    breakpoints: readonly T[],
    toAt: (each: T) => At,
  ) {
    const set = breakpoints.map(each => ({ id: this.#nextId++, at: toAt(each), ...toConditions(each) }));
    this.#groups.set(kind, set);
    return set.map(({ id }) => id);
  }
}
