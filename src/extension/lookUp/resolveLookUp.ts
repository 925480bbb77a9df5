// Resolves what is typed into the look-up boxes of palette and inspector, with the nodes where they are needed.

import { resolveChain, toHexChainId } from '../../api/chains.ts';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import { joinParts } from '../../base/displayText.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { createClient } from '../../client/client.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { formatChainsNotQueried } from '../../view/chainsNotQueried.ts';
import { findConfiguredTitle, getChainTitle } from '../../view/chainTitle.ts';
import type { FoundBuild } from '../../view/contractBuild.ts';
import { formatAptosTransaction } from '../../view/lookUp/formatAptosTransaction.ts';
import type { LookUpItem, LookUpTarget } from '../../view/lookUp/lookUpItem.ts';
import { checkLookUpItem, getLookUpItems } from '../../view/lookUp/lookUpItems.ts';
import { isShortenedFrom } from '../../view/lookUp/parseLookUp.ts';
import { parseRawTransaction } from '../../view/lookUp/rawTransaction.ts';
import { formatRawTransaction, formatSummaryPreview, type PreviewSummary } from '../../view/lookUp/summaryPreview.ts';
import { omitRule } from '../../view/privacyReason.ts';
import type { DataPorts } from '../inspector/inspectorPorts.ts';
import type { LookUpSources } from './lookUpSources.ts';

export type LookUpPreview =
  | {
      readonly kind: 'summary';
      readonly summary: PreviewSummary;
      readonly line: string;
      /** What of the line does not change with time, for the history. */
      readonly lastingLine: string;
    }
  /** What to look up instead: the address of a name, all digits of a shortened value; `null` when there is nothing. */
  | { readonly kind: 'text'; readonly text: Hex | null; readonly line: string }
  /** What is to be shown as a document: a transaction that no chain has. */
  | { readonly kind: 'lines'; readonly lines: readonly string[]; readonly line: string }
  /** Why there is no preview. */
  | { readonly kind: 'message'; readonly line: string };

export const createSummaryPreview = (
  summary: PreviewSummary,
  getName: (address: Hex) => string | null,
  build: FoundBuild | null = null,
  place: string | null = null,
): LookUpPreview => ({
  kind: 'summary',
  summary,
  line: formatSummaryPreview(summary, Date.now(), getName, build, place),
  lastingLine: formatSummaryPreview(summary, null, getName, build, place),
});

export interface LookUpPorts extends Pick<DataPorts, 'lookup' | 'transport'> {
  /** Names of addresses in previews. */
  getName?(address: Hex, chain: string): string | null;
}

function formatEnsResult(outcome: string, address: Hex | null, name: string): string {
  if (address !== null) return `${name} → ${toDisplayAddress(address)}`;
  if (outcome === 'offchain') return t('This name is resolved by a web server, which HexLens does not query.');
  if (outcome === 'no-address') return t('The name is registered, but has no address.');
  return outcome === 'no-registry' ? t('This chain has no ENS.') : t('This name is not registered.');
}

/** Newest blocks whose hashes and addresses may complete shortened ones. */
const MAX_SEARCHED_BLOCKS = 20;

async function completeOnChain(
  target: { readonly chain: string; readonly start: string; readonly end: string },
  { lookup, transport }: LookUpPorts,
  signal: AbortSignal,
): Promise<Hex | null> {
  const { chain } = target;
  const { head } = await lookup('chainStatus', { chain }, signal);
  const client = createClient(transport);
  for (let block = head ?? -1; block >= 0 && block > (head ?? 0) - MAX_SEARCHED_BLOCKS; block--) {
    const { hash, transactions } = await client.block({ chain, block }, { signal });
    const found = [
      hash,
      ...(transactions ?? []).flatMap(({ hash, fromAddress, toAddress, receiptContractAddress }) => [
        hash,
        fromAddress,
        toAddress,
        receiptContractAddress,
      ]),
    ].find(value => typeof value === 'string' && isShortenedFrom(value, target));
    if (typeof found === 'string') return toDisplayAddress(found) as Hex;
  }
  return null;
}

/** A transaction from before EIP-155 is of any chain. */
const NO_CHAIN = { coin: '', decimals: 18 };

/** What a signed transaction says, and what its chain has of it. */
async function fetchRawTransaction(
  { chain, raw }: Extract<LookUpTarget, { kind: 'rawTransaction' }>,
  { lookup, getName }: LookUpPorts,
  signal: AbortSignal,
): Promise<LookUpPreview | undefined> {
  const transaction = parseRawTransaction(raw);
  if (transaction === null) return undefined;
  const { recoverSender } = await import('../../view/lookUp/recoverSender.ts');
  const from = recoverSender(transaction);
  const nameAddress = (address: Hex) => getName?.(address, chain ?? '') ?? getWellKnownName(address);
  const { chainId } = transaction;
  const ofChain = chainId === null ? NO_CHAIN : resolveChain(chain ?? toHexChainId(chainId), chainId);
  const lines = formatRawTransaction(transaction, from, ofChain, nameAddress);
  const summary = chain === null ? null : await lookup('hashSummary', { chain, hash: transaction.hash }, signal);
  if (summary?.kind === 'transaction') return createSummaryPreview(summary, nameAddress);
  const isMissing = summary?.kind === 'nothing' ? t('Not found on {0}', getChainTitle(summary.chain)) : null;
  const line = joinParts(isMissing, ...lines.slice(0, SHOWN_LINES));
  return { kind: 'lines', lines: isMissing === null ? lines : [isMissing, ...lines], line };
}

/** Lines of a transaction that the box shows below it: who sends what to whom. */
const SHOWN_LINES = 3;

/** `undefined` for items without a preview. Rejects with a `HexLensError`. */
export async function fetchLookUpPreview(
  { target }: LookUpItem,
  ensChain: string | null,
  ports: LookUpPorts,
  signal: AbortSignal,
): Promise<LookUpPreview | undefined> {
  const { lookup } = ports;
  if (target?.kind === 'ens' && ensChain !== null) {
    const { outcome, address, name } = await lookup('ensAddress', { chain: ensChain, name: target.name }, signal);
    const text = address === null ? null : (toDisplayAddress(address) as Hex);
    return { kind: 'text', text, line: formatEnsResult(outcome, address, name) };
  }
  if (target?.kind === 'shortened') {
    const text = await completeOnChain(target, ports, signal);
    return { kind: 'text', text, line: text ?? t('Not in the newest {0} blocks.', MAX_SEARCHED_BLOCKS) };
  }
  if (target?.kind === 'rawTransaction') return fetchRawTransaction(target, ports, signal);
  if (target?.kind === 'aptosTransaction') {
    const { network, transaction } = target;
    const summary = await lookup('aptosTransactionSummary', { network, transaction }, signal);
    const lines = formatAptosTransaction(summary, network);
    return { kind: 'lines', lines, line: joinParts(...lines.slice(0, SHOWN_LINES)) };
  }
  const summary =
    target?.kind === 'address'
      ? await lookup('addressSummary', { chain: target.chain, address: target.address }, signal)
      : target?.kind === 'hash'
        ? await lookup('hashSummary', { chain: target.chain, hash: target.hash }, signal)
        : target?.kind === 'block' && target.block !== 'latest'
          ? await lookup('blockSummary', { chain: target.chain, block: Number(target.block) }, signal)
          : null;
  if (summary === null || target === null || !('chain' in target)) return undefined;
  const getName = (address: Hex) => ports.getName?.(address, target.chain) ?? getWellKnownName(address);
  return createSummaryPreview(summary, getName);
}

/** `limit` of an Aptos list that the box opens. */
const INITIAL_APTOS_LIMIT = '25';

/** `null` when the item has no page in the inspector, such as a hash that its chain does not know. */
export function toInspectorTarget({ target }: LookUpItem, preview: LookUpPreview | undefined): InspectorTarget | null {
  switch (target?.kind) {
    case 'address':
    case 'block':
      return target;
    case 'hash': {
      const { chain, hash } = target;
      const summary = preview?.kind === 'summary' ? preview.summary : null;
      if (summary?.kind === 'block') return { kind: 'block', chain, block: hash };
      return summary?.kind === 'transaction' ? { kind: 'transaction', chain, hash } : null;
    }
    case 'rawTransaction': {
      const { chain, hash } = target;
      return chain === null || preview?.kind !== 'summary' ? null : { kind: 'transaction', chain, hash };
    }
    case 'aptosAccount':
      return {
        kind: 'operation',
        operation: 'aptosWalletNfts',
        parameters: { ownerAddresses: [target.address], limit: INITIAL_APTOS_LIMIT },
      };
    case 'coinType':
      return {
        kind: 'operation',
        operation: 'aptosCoinTransfers',
        parameters: { coinType: target.coinType, limit: INITIAL_APTOS_LIMIT },
      };
    default:
      return null;
  }
}

/** Targets whose page, or other text, only a node tells. */
export const FETCHED_TARGETS: readonly LookUpTarget['kind'][] = [
  'hash',
  'ens',
  'shortened',
  'rawTransaction',
  'aptosTransaction',
];

/** A page, or what a text means that has none, such as a selector. */
export type ResolvedLookUp = InspectorTarget | { readonly meaning: string };

/** A text may stand for another one: a shortened hash for all its digits, an ENS name for its address. */
const MAX_STEPS = 3;

/** The first item that means something; of saved addresses only the one with the name, or the only one. */
function pickItem(items: readonly LookUpItem[], typed: string): LookUpItem {
  const [first] = items;
  const saved = items.filter(({ section }) => section === 'saved' || section === 'token' || section === 'account');
  const named = saved.filter(({ label }) => label.toLowerCase() === typed.trim().toLowerCase());
  const [match = first] = named;
  if (match === undefined || (match.target === null && match.copyText === null))
    throw new HexLensError('bad-input', match?.label ?? t('This cannot be looked up.'), {
      fix: match?.detail === '' ? undefined : match?.detail,
    });
  if (saved.includes(match) && named.length !== 1 && saved.length > 1) {
    const names = saved.slice(0, 4).map(({ label }) => label);
    throw new HexLensError('bad-input', t('Several addresses match: {0}.', names.join(', ')), {
      fix: t('Type the whole name.'),
    });
  }
  return match;
}

/**
 * What the text of the inspector's box means on `chain`, or on the chain that the text names. Rejects with `bad-input` when it
 * cannot be looked up, with `not-found` when the chain does not have it.
 */
export async function resolveLookUp(
  typed: string,
  chain: string,
  sources: Pick<LookUpSources, 'createState' | 'getEnsChain' | 'identifyLocalChains' | 'loadTokens'>,
  ports: DataPorts,
  signal: AbortSignal,
): Promise<ResolvedLookUp> {
  await Promise.all([sources.identifyLocalChains(signal), sources.loadTokens(signal)]);
  let text = typed;
  for (let step = 1; ; step++) {
    const item = pickItem(getLookUpItems(text, sources.createState({ firstChain: chain })), text);
    const { target } = item;
    // Entering the text is the action of the user that is required before 32 bytes are sent to a node.
    const verdict = checkLookUpItem(item, { isLocal: false, isUserRequested: true }, false);
    if (verdict?.isSecret) throw new HexLensError('bad-input', omitRule(verdict.reason));
    if (target?.kind === 'copy') return { meaning: `${item.description}: ${target.text}` };
    if (target?.kind === 'document') return { meaning: target.lines[0] ?? item.label };
    if (target?.kind === 'source') return { meaning: `${item.description}: ${item.label}` };
    const problem = item.section === 'saved' && item.detail !== '' ? `${item.label}: ${item.detail}` : item.label;
    if (target?.kind === 'connect' || target === null)
      throw new HexLensError('no-node', problem, { fix: t('Connect a node with "HexLens: Connect Node".') });
    if (target.kind === 'type' && step < MAX_STEPS) {
      text = target.text;
      continue;
    }
    const isFetched = FETCHED_TARGETS.includes(target.kind);
    const preview = isFetched ? await fetchLookUpPreview(item, sources.getEnsChain(), ports, signal) : undefined;
    if (preview?.kind === 'text' && preview.text !== null && step < MAX_STEPS) {
      text = preview.text;
      continue;
    }
    const page = toInspectorTarget(item, preview);
    if (page !== null) return page;
    if (preview?.kind === 'lines') return { meaning: preview.lines.join(' · ') };
    const chains = ports.chains();
    const title = 'chain' in target ? findConfiguredTitle(chains, target.chain ?? chain) : '';
    throw target.kind === 'hash'
      ? new HexLensError('not-found', t('No transaction and no block on {0} has this hash.', title), {
          fix: formatChainsNotQueried(chains),
        })
      : new HexLensError('not-found', preview?.line ?? t('This cannot be looked up.'));
  }
}
