// Links to block explorers: the chain that a host shows, and what its paths refer to.
import { findChainIdByWord } from '../api/chainNames.ts';
import { findChainIdByExplorer } from '../api/chainTable.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName, mentionsAccount } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

const EXPLORER_HOST =
  /(?:scan|explorer|blockscout|otterscan|routescan|tenderly|ethtx|beaconcha|openchain|phalcon)|^(?:localhost|127\.0\.0\.1|\[::1\])$/i;

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

/** Explorers of EVM chains that have Ethereum under `/mainnet/`; on any other host it is that of the host's own chain. */
const ETHEREUM_HOST = /(?:^|\.)(?:tenderly\.co|ethtx\.info)$/i;

/** The chain of `?chainid=8453` or `&network=base`. */
function findChainIdInQuery(link: string): number | null {
  const value = /[?&](?:chain(?:[_-]?id)?|network)=(?:eip155:)?([\w-]{1,60})/i.exec(link)?.[1] ?? '';
  if (/^(?:\d{1,15}|0x[0-9a-f]{1,13})$/i.test(value)) return Number(value);
  return /^mainnet$/i.test(value) ? null : findChainIdByWord(value);
}

/** The rest of a link from inside it, to where it ends. */
function readLinkRest(text: string, start: number): string {
  const rest = text.slice(start, start + MAX_LINK_LENGTH);
  const end = [...rest].findIndex(char => LINK_ENDS.includes(char));
  return end < 0 ? rest : rest.slice(0, end);
}

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
  const last = segments.findLast(part => findChainIdByWord(part) === null) ?? '';
  const hostChainId = findChainIdByExplorer(host, path);
  const isExplorer = hostChainId !== null || EXPLORER_HOST.test(host);
  const named = ETHEREUM_HOST.test(host) ? segments : segments.filter(part => !/^mainnet$/i.test(part));
  return {
    host: host.toLowerCase(),
    // APIs for several chains have the host of one of them: `api.etherscan.io/v2/api?chainid=8453`.
    chainId:
      findChainIdInQuery(path + readLinkRest(text, start)) ??
      hostChainId ??
      named.map(findChainIdByWord).find(id => id !== null) ??
      null,
    isExplorer,
    isPlain:
      isExplorer ||
      (!/[?#]/.test(path) && segments.every(part => PLAIN_SEGMENT.test(part) || findChainIdByWord(part) !== null)),
    // `openchain.xyz/trace/ethereum/0x…`
    words: isExplorer && last === 'trace' ? ['transaction'] : splitWords(last),
  };
}

/**
 * The chain directly before a literal (EIP-3770 `eth:0x…`, CAIP-10 `eip155:137:0x…`, CAIP-19 `eip155:137/erc721:0x…`) or after
 * it (EIP-681 `0x…@137`, ERC-7828 `0x…@base`).
 */
export function findChainIdBeside(text: string, start: number, end: number): number | null {
  const after = /^@(?:eip155:)?(?:(0x[0-9a-f]{1,13}|\d{1,15})|([a-z][\w-]{1,40}))(?![\w.-])/i.exec(
    text.slice(end, end + 60),
  );
  const afterId = after === null ? null : after[1] === undefined ? findChainIdByWord(after[2] ?? '') : Number(after[1]);
  if (afterId !== null) return afterId;
  if (text[start - 1] !== ':') return null;
  const before = /(?:\beip155:(\d{1,15})(?:\/[-a-z0-9]{3,8})?|(?:^|[^\w:.-])([a-z0-9][\w-]{1,40})):$/i.exec(
    text.slice(Math.max(0, start - 60), start),
  );
  if (before === null) return null;
  return before[1] === undefined ? findChainIdByWord(before[2] ?? '') : Number(before[1]);
}

const MAX_LINK_DISTANCE = 320;
const SITE_PATH = /\bhref=["']\/(tx|transaction|block)\/$/i;

/** The link that the literal is part of, or that is of the same value nearby, as where it is the text of the link. */
export function findLink(text: string, scanned: ScannedLiteral): ExplorerLink | null {
  const { start, end, text: own } = scanned;
  const from = Math.max(0, start - MAX_LINK_DISTANCE);
  const before = text.slice(from, start).lastIndexOf(own);
  const after = text.slice(end, end + MAX_LINK_DISTANCE).indexOf(own);
  for (const at of [start, before < 0 ? -1 : from + before, after < 0 ? -1 : end + after]) {
    const link = at < 0 ? null : findExplorerLinkBefore(text, at);
    if (link !== null)
      return { ...link, isPlain: link.isPlain && !isAmbiguousPath(text, { start: at, end: at + own.length }) };
    // `<a href="/tx/0x…">0x…</a>`
    const path = at < start && at >= 0 ? SITE_PATH.exec(text.slice(Math.max(0, at - 40), at))?.[1] : undefined;
    if (path !== undefined)
      return { host: '', chainId: null, isExplorer: false, isPlain: true, words: splitWords(path) };
  }
  return null;
}

/** A longer line is data. */
const MAX_LINE_LENGTH = 300;
/** `redis://tx/0x…`, `file:///tx/0x…` */
const OTHER_SCHEME = /(?<![\w+.-])(?!https?:)[a-z][\w+.-]{1,20}:\/\//i;
const HTTP_HOST = /https?:\/\/[\w.:-]{1,100}/i;
/** `#authorizationlist` of Etherscan */
const TAB = /#authorizationlist$/i;
/** What a web page or an app does with a value in its address. */
const PATH_ACTION = wordSet('import export login restore recover unlock bip verify push address');

/** `/tx/0x…/sign`, `/wallet/tx/0x…`, `/import?tx=0x…`, `/tx/0x…?format=private_key` */
export function isAmbiguousPath(text: string, { start, end }: Pick<ScannedLiteral, 'start' | 'end'>): boolean {
  const before =
    text
      .slice(Math.max(0, start - MAX_LINE_LENGTH), start)
      .split(/[\s"'`<>]/)
      .at(-1) ?? '';
  const [rest = '', after = ''] =
    /^(\/\w{1,40})?(?:[/?#&][\w.~%&=;,:/?#-]{0,200})?/.exec(text.slice(end, end + 260)) ?? [];
  // `broadcast/` is Foundry's folder of transactions.
  const path = before.includes('://') ? before.replace(HTTP_HOST, '') : before.replace('broadcast/', '');
  const words = splitWords(`${path} ${rest.replace(TAB, '')}`);
  return (
    OTHER_SCHEME.test(path) ||
    mentionsAccount(words) ||
    isActionName(words) ||
    isAccountName(splitWords(after)) ||
    words.some(word => PATH_ACTION.has(word))
  );
}
