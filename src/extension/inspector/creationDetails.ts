// The transaction that created a contract, as its page shows it, with the line where a contract did so.
import type { TransactionSource } from '../../api/transactionStack.ts';
import type { Hex } from '../../base/hex.ts';
import { isLibrarySource } from '../../decode/source/isLibrarySource.ts';
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
  const options = { callersOf: call };
  const source = call === 0 ? null : await ports.fetchSource({ chain, hash }, signal, options).catch(() => null);
  const names = [from, creator].flatMap(each => {
    const name = ports.getName(each, chain);
    return name === null ? [] : [[each, name] as const];
  });
  return {
    hash,
    from,
    creator,
    names: Object.fromEntries(names),
    places: source === null ? [] : findPlaces(source, call),
  };
}

/** Where a library has the instruction, the project's own call of it comes first. */
export function findPlaces(
  { calls, callers = [] }: Pick<TransactionSource, 'calls' | 'callers'>,
  call: number,
): CreationDetails['places'] {
  const location = calls.find(each => each.call === call)?.callSite ?? null;
  if (location === null) return [];
  const own = isLibrarySource(location.source)
    ? callers.findLast(frame => frame.location !== null && !isLibrarySource(frame.location.source))
    : undefined;
  return [
    ...(own?.location ? [{ location: own.location, isInferred: own.isInferred }] : []),
    { location, isInferred: false },
  ];
}
