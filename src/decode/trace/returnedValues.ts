// What a traced call returned, by the function that it called.
import type { TransactionTrace } from '../../api/transactionTrace.ts';
import type { Hex } from '../../base/hex.ts';
import type { AbiItem } from '../abiItem.ts';
import type { AbiRegistry } from '../abiRegistry.ts';
import type { DecodedValue } from '../decodeValues.ts';
import { decodeCallResult } from '../encodeCall.ts';
import { formatEnumMember, getEnumMember } from '../formatDecodedItem.ts';
import { findDeclaredFunction } from '../functionDeclaration.ts';
import { toChecksummed, toPlainValues } from '../plainValues.ts';
import { parseCalledFunction } from '../simulationInput.ts';

/** The function, with what it returns: as an ABI declares it, else as it was declared. */
function findFunction(input: Hex, registry: AbiRegistry, declaration: string | undefined): AbiItem | null {
  const hasOutputs = ({ outputs = [] }: AbiItem) => outputs.length > 0;
  const written = parseCalledFunction(declaration);
  if (written !== null) {
    const declared = findDeclaredFunction(written, registry);
    return hasOutputs(declared) ? declared : null;
  }
  const { workspace, bundled } = registry.functions(input.slice(0, 10));
  return [...workspace, ...bundled].find(hasOutputs) ?? null;
}

interface Returned {
  readonly output: Hex;
  /** `null` where the function's types are not known, or the data is not of them. */
  readonly values: readonly DecodedValue[] | null;
}

/** `null` for a call that failed or returned nothing, and for a creation. */
export function decodeReturned(
  { calls, status }: TransactionTrace,
  registry: AbiRegistry,
  declaration?: string,
): Returned | null {
  const root = calls[0];
  if (root === undefined || status === 'failed' || root.output === '0x' || root.kind !== 'CALL') return null;
  const item = findFunction(root.input, registry, declaration);
  const isWhole = root.output.length === 2 + 2 * root.outputSize;
  return { output: root.output, values: item === null || !isWhole ? null : decodeCallResult(item, root.output) };
}

/** One value as it is, several or a list as JSON; the data where its types are not known. */
export function formatReturned(trace: TransactionTrace, registry: AbiRegistry, declaration?: string): string | null {
  const returned = decodeReturned(trace, registry, declaration);
  if (returned === null || returned.values === null) return returned?.output ?? null;
  const values = returned.values.map(toChecksummed);
  const [only] = values;
  if (values.length === 1 && only !== undefined && typeof only.value === 'string')
    return formatEnumMember(only, { registry }) ?? only.value;
  return JSON.stringify(toPlainValues(values, value => getEnumMember(value, registry)));
}

export function toReturnedJson(trace: TransactionTrace, registry: AbiRegistry, declaration?: string): object | null {
  const returned = decodeReturned(trace, registry, declaration);
  if (returned === null) return null;
  const { output, values } = returned;
  return {
    data: output,
    values: values === null ? null : toPlainValues(values.map(toChecksummed), value => getEnumMember(value, registry)),
  };
}
