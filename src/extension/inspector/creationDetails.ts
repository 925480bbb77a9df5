// The transaction that created a contract, as its page shows it, with the line where a contract did so.
import type { Hex } from '../../base/hex.ts';
import type { CreationDetails } from '../../protocol/messages.ts';
import type { DataPorts } from './inspectorPorts.ts';

/** `null` also on chains of others, whose nodes would have to be asked for many old states. */
export async function fetchCreationDetails(
  chain: string,
  address: Hex,
  ports: DataPorts,
  signal: AbortSignal,
): Promise<CreationDetails | null> {
  if (!ports.chains().some(({ selector, isLocal }) => selector === chain && isLocal)) return null;
  const { creation } = await ports.lookup('contractCreation', { chain, address }, signal);
  if (creation === null) return null;
  const { hash, from, creator, call } = creation;
  await ports.learnNames(chain, [from, creator], signal);
  // Without a line the rest is shown all the same.
  const source = call === 0 ? null : await ports.fetchSource({ chain, hash }, signal).catch(() => null);
  const names = [from, creator].flatMap(each => {
    const name = ports.getName(each, chain);
    return name === null ? [] : [[each, name] as const];
  });
  const location = source?.calls.find(each => each.call === call)?.callSite ?? null;
  return { hash, from, creator, names: Object.fromEntries(names), location };
}
