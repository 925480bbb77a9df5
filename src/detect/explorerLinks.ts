// Links to block explorers: the chain that a host shows, and what its paths refer to.
import { splitWords } from './splitWords.ts';

/** EIP-155 chain id and the hosts that show only this chain, without `www.`. */
const HOSTS = `
1 etherscan.io eth.blockscout.com ethplorer.io beaconcha.in
5 goerli.etherscan.io
10 optimistic.etherscan.io explorer.optimism.io optimism.blockscout.com
25 cronoscan.com explorer.cronos.org
56 bscscan.com bsctrace.com
97 testnet.bscscan.com
100 gnosisscan.io gnosis.blockscout.com
130 uniscan.xyz unichain.blockscout.com
137 polygonscan.com polygon.blockscout.com
146 sonicscan.org
204 opbnb.bscscan.com
250 ftmscan.com explorer.fantom.network
324 explorer.zksync.io era.zksync.network
1101 zkevm.polygonscan.com
1284 moonbeam.moonscan.io moonscan.io
4002 testnet.ftmscan.com
5000 mantlescan.xyz
8453 basescan.org base.blockscout.com
17000 holesky.etherscan.io
42161 arbiscan.io arbitrum.blockscout.com
42220 celoscan.io
43113 testnet.snowtrace.io
43114 snowtrace.io snowscan.xyz
59144 lineascan.build
80001 mumbai.polygonscan.com
80002 amoy.polygonscan.com
80094 berascan.com
81457 blastscan.io
84532 sepolia.basescan.org
421614 sepolia.arbiscan.io
534352 scrollscan.com
560048 hoodi.etherscan.io
11155111 sepolia.etherscan.io eth-sepolia.blockscout.com
11155420 sepolia-optimism.etherscan.io
11297108109 explorer.palm.io
`;

/** Names of chains in paths of multi-chain explorers, and before a literal (EIP-3770, CAIP-10). */
const NAMES = `
1 eth ethereum mainnet homestead
10 optimism oeth op
25 cronos cro
56 bsc bnb
97 bsc-testnet bnbt
100 gnosis gno xdai
137 polygon matic pol
250 fantom ftm
8453 base
42161 arbitrum arb1 arbitrum-one
43114 avalanche avax
59144 linea
534352 scroll
11155111 sepolia sep
11297108109 palm
`;

function parseTable(table: string): ReadonlyMap<string, number> {
  const entries = table
    .trim()
    .split('\n')
    .map(line => line.split(' '));
  return new Map(entries.flatMap(([id, ...names]) => names.map((name): [string, number] => [name, Number(id)])));
}

let hosts: ReadonlyMap<string, number> | undefined;
let names: ReadonlyMap<string, number> | undefined;

/** Chain id of a host name in any case; `null` when the host shows several chains or is unknown. */
export function getChainIdOfHost(host: string): number | null {
  hosts ??= parseTable(HOSTS);
  return hosts.get(host.toLowerCase().replace(/^(?:www|api|cn)\./, '')) ?? null;
}

export function getChainIdOfName(name: string): number | null {
  names ??= parseTable(NAMES);
  return names.get(name.toLowerCase()) ?? null;
}

const EXPLORER_HOST =
  /(?:scan|explorer|blockscout|otterscan|routescan|tenderly|ethtx|beaconcha)|^(?:localhost|127\.0\.0\.1|\[::1\])$/i;

/** What a link tells about the literal in it. */
export interface ExplorerLink {
  readonly host: string;
  /** EIP-155 id; `null` when neither host nor path tells. */
  readonly chainId: number | null;
  /** The host is known, its name looks like an explorer, or it is this machine. */
  readonly isExplorer: boolean;
  /** A link to an explorer, or of a path such as `/api/v1/tx/` on another host. */
  readonly isPlain: boolean;
  /** Words of the path segment or parameter before the literal. */
  readonly words: readonly string[];
}

const PLAIN_SEGMENT = /^(?:api|explorer|v\d{1,2}|txs?|transactions?|blocks?|receipts?|(?:by-?)?hash)$/i;

const LINK =
  /^(?:(?:https?|wss?):\/\/)?((?:[\w-]+\.)+[a-z]{2,}|localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?([/?#].*)$/i;
const MAX_LINK_LENGTH = 300;
/** Characters that end a link when read backwards; `[` and `]` belong to an IPv6 host. */
const LINK_ENDS = ' \t\r\n"\'`<>(){}|,;';
/** The link whose path or query ends at `start`; `null` when there is none. */
export function findExplorerLinkBefore(text: string, start: number): ExplorerLink | null {
  if (!'/=Ff'.includes(text.charAt(start - 1) || ' ')) return null;
  let from = start;
  while (from > 0 && start - from < MAX_LINK_LENGTH && !LINK_ENDS.includes(text.charAt(from - 1))) from--;
  const chunk = text.slice(from, start);
  if (!/\.|:|%3A/i.test(chunk)) return null;
  const decoded = chunk
    .replaceAll('\\/', '/')
    .replace(/%(?:2F|3A|3D|3F|26)/gi, code => decodeURIComponent(code))
    .replace(/^.*(?=https?:\/\/)/i, '');
  const url = LINK.exec(decoded);
  const host = url?.[1];
  const path = url?.[2];
  if (host === undefined || path === undefined) return null;
  const segments = path.split(/[/?&#]+/).flatMap(part => (part === '' ? [] : [part.replace(/=.*/s, '')]));
  // `/tx/mainnet/0x…`: a chain's name may be in between.
  const last = segments.findLast(part => getChainIdOfName(part) === null) ?? '';
  const hostChainId = getChainIdOfHost(host);
  const isExplorer = hostChainId !== null || EXPLORER_HOST.test(host);
  return {
    host: host.toLowerCase(),
    chainId: hostChainId ?? segments.map(getChainIdOfName).find(id => id !== null) ?? null,
    isExplorer,
    isPlain:
      isExplorer ||
      (!/[?#]/.test(path) && segments.every(part => PLAIN_SEGMENT.test(part) || getChainIdOfName(part) !== null)),
    words: splitWords(last),
  };
}

/** The chain directly before (`eth:0x…`, `eip155:137:0x…`) or after (`0x…@137`, `0x…@0x89`) a literal. */
export function findChainIdBeside(text: string, start: number, end: number): number | null {
  const after = /^@(0x[0-9a-f]{1,10}|\d{1,12})(?![\w.])/i.exec(text.slice(end, end + 16))?.[1];
  if (after !== undefined) return Number(after);
  if (text[start - 1] !== ':') return null;
  const before = /(?:\beip155:(\d{1,12})|(?:^|[^\w:.-])([a-z][a-z0-9-]{1,15})):$/i.exec(
    text.slice(Math.max(0, start - 30), start),
  );
  if (before === null) return null;
  return before[1] === undefined ? getChainIdOfName(before[2] ?? '') : Number(before[1]);
}
