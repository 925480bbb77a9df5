// Opens what was asked for in the inspector; as JSON where there is no inspector.
import { commands } from 'vscode';
import type { OperationId } from '../../api/operations/operations.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { JsonResults } from './jsonResults.ts';

/** The operation that says most about a target. */
export function operationOf(target: InspectorTarget): { readonly id: OperationId; readonly texts: InputTexts } {
  switch (target.kind) {
    case 'block':
      return { id: 'block', texts: { block: target.block, chain: target.chain } };
    case 'transaction':
      return { id: 'transaction', texts: { hash: target.hash, chain: target.chain } };
    case 'address':
      return { id: 'walletBalances', texts: { walletAddresses: [target.address], chain: target.chain } };
    case 'operation':
      return { id: target.operation, texts: target.parameters };
  }
}

export async function openInInspector(target: InspectorTarget, json: JsonResults): Promise<void> {
  // Contributed is not registered: until the inspector is part of the build, its command runs nothing.
  const known = await commands.getCommands(true);
  if (known.includes(commandIds.inspect)) await commands.executeCommand(commandIds.inspect, target);
  else {
    const { id, texts } = operationOf(target);
    await json.open(id, texts);
  }
}
