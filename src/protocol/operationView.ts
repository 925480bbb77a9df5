// How pages show operations, derived from their traits in the API. Pages receive it: the table itself is not in their bundle.
import { type OperationId, operationIds, operations } from '../api/operations/operations.ts';
import { type AnyParameter, isListKind, type Parameters } from '../api/operations/parameters.ts';
import type { InputTexts } from '../api/wire/inputTexts.ts';
import { translate } from '../base/localize.ts';
import type { AddressTab, OperationView } from './messages.ts';

export function getOperationView(operation: OperationId): OperationView {
  const { source, isLive = false, hasImages = false, histogram = null } = operations[operation].traits;
  return { isLive, hasImages, histogram, taskKind: source === 'index' || source === 'logs' ? source : null };
}

/** The tabs of an address page, in their order. */
export function createAddressTabs(address: string, chain: string): readonly AddressTab[] {
  return operationIds
    .flatMap(operation => {
      const { addressTab } = operations[operation].traits;
      return addressTab === undefined ? [] : [{ operation, ...addressTab }];
    })
    .sort((a, b) => a.position - b.position)
    .map(({ id, label, for: addresses, operation, parameter, parameters }): AddressTab => {
      const { kind } = (operations[operation].parameters as Parameters)[parameter] as AnyParameter; // the traits' own
      const texts: InputTexts = { [parameter]: isListKind(kind) ? [address] : address, chain, ...parameters };
      const view = getOperationView(operation);
      return { id, label: translate(label), addresses, operation, parameters: texts, view };
    });
}
