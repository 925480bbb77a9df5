// The gas of a transaction as blocks inside each other: contract and function, what these call, and their lines.
import type { FunctionGas, GasTreeEntry, TransactionGas } from '../../api/transactionGas.ts';
import type { SourceLocation } from '../../api/transactionStack.ts';
import { shortenHex } from '../../base/displayText.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';

export interface GasBlock {
  readonly label: string;
  readonly kind: 'transaction' | 'function' | 'line' | 'other';
  /** The contract, by which blocks are colored; `null` for what is of none. */
  readonly contract: string | null;
  /** With what is inside. */
  readonly gas: number;
  /** Runs of a function; 0 for all else. */
  readonly calls: number;
  readonly location: SourceLocation | null;
  readonly children: readonly GasBlock[];
}

/** Without a file where it was edited since: the lines are those of the build. */
export function toGasLocation(
  { sources }: TransactionGas,
  { source, file }: { readonly source: string; readonly file: string | null },
  line: number,
): SourceLocation {
  const isChanged = sources.find(each => each.source === source && each.file === file)?.isChanged ?? false;
  const position = { line, character: 0 };
  return { source, file: isChanged ? null : file, isChanged, start: position, end: position };
}

const toOther = (label: string, gas: number): readonly GasBlock[] =>
  gas > 0 ? [{ label, kind: 'other', contract: null, gas, calls: 0, location: null, children: [] }] : [];

const toName = ({ contract, functionName }: FunctionGas): string => `${contract} ${functionName}`;

class GasBlocks {
  readonly #gas: TransactionGas;
  readonly #getName: (address: Hex) => string | null;
  /** Of which there are several functions. */
  readonly #overloaded: ReadonlySet<string>;

  constructor(gas: TransactionGas, getName: (address: Hex) => string | null) {
    this.#gas = gas;
    this.#getName = getName;
    const names = gas.functions.map(toName);
    this.#overloaded = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  }

  #label(own: FunctionGas): string {
    const isOverloaded = this.#overloaded.has(toName(own));
    return isOverloaded ? `${own.functionName}(${own.parameterTypes.join(', ')})` : own.functionName;
  }

  toBlock({ contract, function: index, address, calls, total, lines, children }: GasTreeEntry): GasBlock {
    const own = index === null ? undefined : this.#gas.functions[index];
    const name = contract ?? this.#getName(address) ?? shortenHex(address);
    const lineBlocks = lines.flatMap(({ source: at, line, gas }): readonly GasBlock[] => {
      const source = this.#gas.sources[at];
      if (source === undefined) return [];
      const label = `${source.source.replace(/^.*\//, '')}:${line + 1}`;
      const location = toGasLocation(this.#gas, source, line);
      return [{ label, kind: 'line', contract, gas, calls: 0, location, children: [] }];
    });
    const inner = [...children.map(each => this.toBlock(each)), ...lineBlocks].sort((a, b) => b.gas - a.gas);
    const rest = total - inner.reduce((sum, { gas }) => sum + gas, 0);
    const label = own === undefined ? name : `${name}.${this.#label(own)}`;
    // Without a build all of it is the code's.
    const other = contract === null ? [] : toOther(t('Code without a line'), rest);
    const location = own === undefined ? null : toGasLocation(this.#gas, own, own.line);
    return { label, kind: 'function', contract: name, gas: total, calls, location, children: [...inner, ...other] };
  }
}

/** The refund is in no block: it is subtracted from all of them together. */
export function toGasBlocks(gas: TransactionGas, getName: (address: Hex) => string | null): GasBlock {
  const { transaction, data, accessList, authorizations, floor, refund } = gas.fixed;
  const tree = gas.tree === null ? [] : [new GasBlocks(gas, getName).toBlock(gas.tree)];
  const children = [
    ...tree.filter(each => each.gas > 0),
    ...toOther(t('The transaction itself'), transaction),
    ...toOther(t('Its data'), data + floor),
    ...toOther(t('Its access list and authorizations'), accessList + authorizations),
  ];
  const total = gas.gasUsed + refund;
  const label = t('Transaction');
  return { label, kind: 'transaction', contract: null, gas: total, calls: 0, location: null, children };
}
