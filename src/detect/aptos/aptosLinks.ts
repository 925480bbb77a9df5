// Links to Aptos explorers and to the REST API of nodes: the network, and what the path refers to.

export interface AptosLink {
  readonly host: string;
  /** `mainnet`, `testnet`, `devnet`; `null` when neither host nor query tells. */
  readonly network: string | null;
  readonly kind: 'account' | 'transaction' | 'block' | 'type';
}

const HOST =
  /(?:https?:\/\/)?((?:explorer|api\.(?:mainnet|testnet|devnet)|fullnode\.(?:mainnet|testnet|devnet))\.(?:aptoslabs|aptos)\.(?:com|dev)|(?:www\.)?aptoscan\.com|(?:www\.)?tracemove\.io)(?::\d+)?\//gi;

/** Last path segment before the value, without plurals. */
const KINDS: Readonly<Record<string, AptosLink['kind']>> = {
  account: 'account',
  accounts: 'account',
  object: 'account',
  objects: 'account',
  validator: 'account',
  fungible_asset: 'account',
  collection: 'account',
  token: 'account',
  txn: 'transaction',
  tx: 'transaction',
  transaction: 'transaction',
  by_version: 'transaction',
  by_hash: 'transaction',
  block: 'block',
  by_height: 'block',
  coin: 'type',
  resource: 'type',
};

const MAX_DISTANCE = 300;
const ENDS = /[\s"'`<>(){}|]/;

/** The link whose path ends at `start`; `null` when there is none, or it is not about Aptos. */
export function findAptosLinkBefore(text: string, start: number, end: number): AptosLink | null {
  if (text[start - 1] !== '/') return null;
  let from = start;
  while (from > 0 && start - from < MAX_DISTANCE && !ENDS.test(text.charAt(from - 1))) from--;
  const chunk = text.slice(from, start);
  const host = [...chunk.matchAll(HOST)].at(-1);
  if (host === undefined) return null;
  const segments = chunk
    .slice(host.index + host[0].length)
    .split('/')
    .filter(part => part !== '');
  const last = segments.at(-1)?.toLowerCase() ?? '';
  const kind = Object.hasOwn(KINDS, last) ? KINDS[last] : undefined;
  if (kind === undefined) return null;
  const name = host[1] ?? '';
  const rest = /^[^\s"'`<>(){}|]*/.exec(text.slice(end, end + MAX_DISTANCE))?.[0] ?? '';
  const queried = /[?&]network=(mainnet|testnet|devnet)\b/i.exec(rest)?.[1];
  const named = /\.(mainnet|testnet|devnet)\./i.exec(name)?.[1];
  const isBlock = kind === 'transaction' && segments.at(-2)?.toLowerCase() === 'blocks';
  return {
    host: name.toLowerCase(),
    network: (queried ?? named)?.toLowerCase() ?? null,
    kind: isBlock ? 'block' : kind,
  };
}
