// Values of a contract that hovers show (`hexlens.hover.contractValues`): read-only functions without arguments.
import type { AddressSummary } from '../../api/lookups.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, toLowerHex } from '../../base/hex.ts';
import type { AbiItem } from '../../decode/abiItem.ts';
import { getReturnedToken, parseAmountToken } from '../../decode/amountTokens.ts';
import { formatReturnedValues } from '../../decode/formatDecodedItem.ts';
import { parseFunctionDeclaration } from '../../decode/functionDeclaration.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import type { ContractValue } from '../../view/hover/summaryHover.ts';
import { type ContractFunctionsDeps, findContractFunctions } from '../abi/contractFunctions.ts';

/** A name is one of the contract's own functions; a declaration is called wherever the contract has it. */
function findFunction(text: string, functions: readonly AbiItem[]): AbiItem | null {
  const item = text.includes('(')
    ? parseFunctionDeclaration(text, '')
    : (functions.find(({ name, inputs }) => name === text.trim() && inputs.length === 0) ?? null);
  return item === null || item.inputs.length > 0 || (item.outputs?.length ?? 0) === 0 ? null : item;
}

/** Functions that the contract does not have, or that revert, are left out. */
export async function fetchContractValues(
  wanted: readonly string[],
  { address, token }: Pick<AddressSummary, 'address' | 'token'>,
  chain: string,
  deps: ContractFunctionsDeps,
  getName: (address: Hex) => string | null,
  signal: AbortSignal,
): Promise<readonly ContractValue[]> {
  try {
    const { functions, registry } = await findContractFunctions(chain, address, deps, signal);
    const items = wanted.flatMap(text => findFunction(text, functions) ?? []);
    if (items.length === 0) return [];
    const data = items.map(({ hash }) => hash.slice(0, 10) as Hex);
    const isOfAsset = (key: string | null) => key !== null && parseAmountToken(key).isAsset;
    const hasAsset = items.some(item => isOfAsset(getReturnedToken(item, address)));
    const [{ results }, unit] = await Promise.all([
      deps.lookup('contractCalls', { chain, address, data }, signal),
      hasAsset ? deps.lookup('tokenUnit', { chain, address: toLowerHex(address) }, signal).catch(() => token) : token,
    ]);
    const getUnit = (key: string) => (unit === null ? null : toAmountUnit(unit, key));
    return items.flatMap((item, index) => {
      const result = results[index];
      if (result?.outcome !== 'returned') return [];
      const call = { item, values: [], isFromWorkspace: false };
      const text = formatReturnedValues(call, result.output, { registry, getName, getUnit }, address);
      return text === null ? [] : [{ name: item.name, text }];
    });
  } catch (error) {
    if (isFault(error, 'cancelled')) throw error;
    return []; // the hover shows the rest
  }
}
