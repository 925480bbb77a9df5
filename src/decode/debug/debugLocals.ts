// Where the legacy code generator of solc keeps the variables of a function: by their order, from the stack at its entry on.
import type {
  ContractDeclarations,
  FunctionDeclaration,
  LocalVariable,
  SolidityType,
} from '../../api/contractDeclarations.ts';
import type { SourceFunction } from '../source/solidityOutline.ts';
import { getType } from '../source/storageValues.ts';

/** A variable with the position of its first word on the stack. */
export interface PlacedVariable {
  readonly variable: LocalVariable;
  /** From the bottom of the stack. */
  readonly at: number;
  readonly words: number;
}

export interface LocalPlaces {
  readonly variables: readonly PlacedVariable[];
  /** Height of the stack with them. */
  readonly height: number;
}

/** Words on the stack: references to calldata of dynamic length have their length too. */
export function getStackWords({ location }: LocalVariable, type: SolidityType): number {
  if (type.kind === 'function') return type.isExternal ? 2 : 1;
  if (location !== 'calldata') return 1;
  const isDynamic = type.kind === 'string' || type.kind === 'bytes' || (type.kind === 'array' && type.length === null);
  return isDynamic ? 2 : 1;
}

/** A function, or a modifier with the offset of its `_`. */
export interface RunningDeclaration {
  readonly declaration: FunctionDeclaration;
  readonly placeholder: number;
}

export class FunctionLocals {
  readonly #declarations: ContractDeclarations;
  /** The function, then its modifiers in the order in which they run. */
  readonly #running: readonly RunningDeclaration[];

  constructor(declarations: ContractDeclarations, running: readonly RunningDeclaration[]) {
    this.#declarations = declarations;
    this.#running = running;
  }

  /** Of the function. */
  get parameterWords(): number {
    return this.#wordsOf(this.#running[0]?.declaration.parameters ?? []);
  }

  /**
   * The variables at a place of the function that runs (`current`), or of one of its modifiers. `entryHeight`: of the stack at
   * the first instruction, with the parameters on top.
   */
  at(entryHeight: number, current: FunctionDeclaration, position: number): LocalPlaces {
    const [{ declaration: owner } = { declaration: current }, ...modifiers] = this.#running;
    let height = entryHeight - this.#wordsOf(owner.parameters);
    const variables: PlacedVariable[] = [];
    const add = (list: readonly LocalVariable[], isShown: boolean) => {
      for (const variable of list) {
        const words = this.#words(variable);
        if (isShown) variables.push({ variable, at: height, words });
        height += words;
      }
    };
    const isBody = current === owner;
    add(owner.parameters, isBody);
    add(owner.returns, isBody);
    for (const { declaration: modifier, placeholder } of modifiers) {
      const isCurrent = modifier === current;
      add(modifier.parameters, isCurrent);
      // What a modifier declares before its `_` stays below the variables of the body.
      const until = isCurrent ? position : placeholder;
      add(live(modifier, until), isCurrent);
      if (isCurrent) return { variables, height };
    }
    if (isBody) add(live(owner, position), true);
    return { variables, height };
  }

  #words(variable: LocalVariable): number {
    return getStackWords(variable, getType(this.#declarations.types, variable.type));
  }

  #wordsOf(variables: readonly LocalVariable[]): number {
    return variables.reduce((sum, variable) => sum + this.#words(variable), 0);
  }
}

/** Variables that are declared before the position and can be used there. */
const live = ({ locals }: FunctionDeclaration, position: number): readonly LocalVariable[] =>
  locals.filter(({ end, scopeStart, scopeEnd }) => end <= position && scopeStart <= position && position < scopeEnd);

/** The declaration of a function in the source with this id. */
export const findDeclaration = (
  { functions }: ContractDeclarations,
  definition: SourceFunction,
  source: number,
): FunctionDeclaration | null =>
  functions.find(each => each.source === source && each.start === definition.start && each.end === definition.end) ??
  null;
