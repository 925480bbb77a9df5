// Sets breakpoints as the client asks for them, and says which of them nothing in the transaction can hit.
import type { DebugProtocol } from '@vscode/debugprotocol';
import type {
  DebugBreakpoint,
  DebugInstructionReference,
  DebugSlot,
  SendDebugRequest,
} from '../../api/debugSession.ts';
import { t } from '../../base/localize.ts';
import type { DebugSources } from './debugSources.ts';
import { decodeInstruction } from './instructionReferences.ts';

type Conditions = Pick<DebugProtocol.SourceBreakpoint, 'condition' | 'hitCondition' | 'logMessage'>;
type At = DebugBreakpoint['at'];

const toConditions = ({ condition, hitCondition, logMessage }: Conditions) => ({
  ...(condition !== undefined && condition !== '' && { condition }),
  ...(hitCondition !== undefined && hitCondition !== '' && { hitCondition }),
  ...(logMessage !== undefined && logMessage !== '' && { logMessage }),
});

class BreakpointStore {
  /** By source, or by the kind of those that are in none. */
  readonly #groups = new Map<string, readonly DebugBreakpoint[]>();
  /** By it the client names a breakpoint that is hit. */
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

type Breakpoints = { readonly breakpoints: DebugProtocol.Breakpoint[] };

const NOTHING = { functions: [], writes: [], instructions: [] } as const;

/** What `dataBreakpointInfo` gave; `null` for any other text. */
function parseSlot(dataId: string): DebugSlot | null {
  try {
    const slot = JSON.parse(dataId) as DebugSlot | null;
    return typeof slot?.slot === 'string' && typeof slot.address === 'string' ? slot : null;
  } catch {
    return null;
  }
}

function parseInstruction(reference: string, offset: number): DebugInstructionReference | null {
  try {
    return decodeInstruction(reference, offset);
  } catch {
    return null; // no number
  }
}

const toBreakpoint = (id: number, verified: boolean, message: string): DebugProtocol.Breakpoint =>
  verified ? { id, verified } : { id, verified, message };

export class BreakpointRequests {
  readonly #store = new BreakpointStore();
  readonly #send: SendDebugRequest;
  readonly #sources: () => DebugSources;

  constructor(send: SendDebugRequest, sources: () => DebugSources) {
    this.#send = send;
    this.#sources = sources;
  }

  all(): readonly DebugBreakpoint[] {
    return this.#store.all();
  }

  /** `toLine`: as the session counts. */
  async setStatements(
    { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
    toLine: (line: number) => number,
  ): Promise<Breakpoints> {
    const sources = this.#sources();
    const id = sources.find(source);
    const lines = breakpoints.map(({ line }) => toLine(line));
    const { places } = id === null ? { places: [] } : await this.#send('locate', { source: id, lines });
    const key = id === null ? `${source.path}` : `${id}`;
    const numbers = this.#store.setStatements(
      key,
      breakpoints.map((each, i) => {
        const line = places[i]?.start.line;
        return id === null || line === undefined ? null : { ...each, source: id, line };
      }),
    );
    return {
      breakpoints: breakpoints.map((_, i) => sources.toBreakpoint(numbers[i] ?? 0, places[i] ?? null)),
    };
  }

  async setFunctions({ breakpoints }: DebugProtocol.SetFunctionBreakpointsArguments): Promise<Breakpoints> {
    const ids = this.#store.setOther('function', breakpoints, ({ name }) => ({ kind: 'function', name }));
    const names = breakpoints.map(({ name }) => name);
    const { functions } = await this.#send('verify', { ...NOTHING, functions: names });
    const message = t(
      'No build of this transaction has a function of this name: write it as withdraw or Vault.withdraw.',
    );
    return { breakpoints: ids.map((id, i) => toBreakpoint(id, functions[i] === true, message)) };
  }

  async setInstructions({ breakpoints }: DebugProtocol.SetInstructionBreakpointsArguments): Promise<Breakpoints> {
    const places = breakpoints.map(({ instructionReference, offset = 0 }) =>
      parseInstruction(instructionReference, offset),
    );
    const known = places.map(place => place ?? { code: -1, pc: -1 });
    const pairs = breakpoints.map((each, i) => ({ ...each, at: known[i] as DebugInstructionReference }));
    const ids = this.#store.setOther('instruction', pairs, ({ at }) => ({ kind: 'instruction', ...at }));
    const { instructions } = await this.#send('verify', { ...NOTHING, instructions: known });
    const message = t('No code of this transaction has an instruction there.');
    return { breakpoints: ids.map((id, i) => toBreakpoint(id, instructions[i] === true, message)) };
  }

  async setWrites({ breakpoints }: DebugProtocol.SetDataBreakpointsArguments): Promise<Breakpoints> {
    const slots = breakpoints.map(each => ({ ...each, at: parseSlot(each.dataId) }));
    const known = slots.flatMap(each => (each.at === null ? [] : [{ ...each, at: each.at }]));
    const ids = this.#store.setOther('write', known, ({ at }) => ({ kind: 'write', ...at }));
    const { writes } = await this.#send('verify', { ...NOTHING, writes: known.map(({ at }) => at) });
    let next = 0;
    return {
      breakpoints: slots.map(({ at }) => {
        if (at === null) return { verified: false, message: t('This is no value in storage.') };
        const i = next++;
        return toBreakpoint(ids[i] as number, writes[i] === true, t('The transaction does not write it.'));
      }),
    };
  }
}
