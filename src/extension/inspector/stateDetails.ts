// What a transaction changed, as its page shows it.
import type { AccountChanges } from '../../api/stateChanges.ts';
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { TokenAmountUnit } from '../../base/formatUnits.ts';
import { localize } from '../../base/localize.ts';
import { getStateNotes, listStateAddresses } from '../../decode/source/formatStateChanges.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import type { StateDetails } from '../../protocol/messages.ts';
import type { Coin } from '../../protocol/recordColumns.ts';
import { getRestrictedText } from '../../view/source/noBuildText.ts';
import { isTokenAmount, toStateAccount } from '../../view/source/stateTable.ts';
import type { DataPorts } from './inspectorPorts.ts';

export async function fetchStateDetails(
  target: TraceTarget,
  coin: Coin,
  ports: DataPorts,
  signal: AbortSignal,
): Promise<StateDetails> {
  const { chain } = target;
  const state = await ports.fetchState(target, signal);
  if (state.kind === 'noStateChanges') return { accounts: [], lacksNames: false, notes: [localize(state.reason)] };
  await ports.learnNames(chain, listStateAddresses(state.accounts), signal);
  const accounts = await Promise.all(
    state.accounts.map(async account => {
      const unit = await fetchUnit(account, chain, ports, signal);
      return toStateAccount(account, { coin, unit, getName: address => ports.getName(address, chain) });
    }),
  );
  const hasStorage = state.accounts.some(({ storage }) => storage.length > 0);
  const notes = getStateNotes(state).map(localize);
  if (hasStorage && !ports.isWorkspaceTrusted()) notes.unshift(getRestrictedText());
  return { accounts, lacksNames: state.withoutLayout.length > 0, notes };
}

/** Of a token whose amounts changed; one that does not answer has none. */
async function fetchUnit(
  { address, storage }: AccountChanges,
  chain: string,
  { lookup }: DataPorts,
  signal: AbortSignal,
): Promise<TokenAmountUnit | null> {
  if (!storage.some(({ path }) => isTokenAmount(path))) return null;
  const unit = await lookup('tokenUnit', { chain, address }, signal).catch(() => null);
  return unit?.standard === 'ERC20' ? toAmountUnit(unit) : null;
}
