// Which operation, with which texts, answers a target.
import type { OperationId } from '../api/operations/operations.ts';
import type { InputTexts } from '../api/wire/inputTexts.ts';
import type { InspectorTarget } from './inspectorTarget.ts';

export interface TargetRequest {
  readonly operation: OperationId;
  readonly texts: InputTexts;
}

/** `null` for targets that no single operation answers: an address, and the head as a list of blocks. */
export function getTargetRequest(target: InspectorTarget): TargetRequest | null {
  switch (target.kind) {
    case 'block':
      return target.block === 'latest'
        ? null
        : { operation: 'block', texts: { block: target.block, chain: target.chain } };
    case 'transaction':
      return { operation: 'transaction', texts: { hash: target.hash, chain: target.chain } };
    case 'operation':
      return { operation: target.operation, texts: target.parameters };
    case 'address':
      return null;
  }
}

/** The chain selector a target is about; `null` where it has none (Aptos, sign-in) or leaves it to the settings. */
export function getTargetChain(target: InspectorTarget): string | null {
  if (target.kind !== 'operation') return target.chain;
  const chain = Object.hasOwn(target.parameters, 'chain') ? target.parameters['chain'] : undefined;
  return typeof chain === 'string' ? chain : null;
}
