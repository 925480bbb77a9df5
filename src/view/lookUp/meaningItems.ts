// Rows of the Look Up box for what a text can mean, by itself or on each chain.
import { getSelectorChainId } from '../../api/chains.ts';
import { findChain } from '../../api/chainTable.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../../base/displayAddress.ts';
import { shortenHex } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';
import { type AbiRegistry, createAbiRegistry } from '../../decode/abiRegistry.ts';
import type { DecodedItemFormat } from '../../decode/formatDecodedItem.ts';
import { addRecord } from '../../detect/addRecord.ts';
import type { HexLiteral } from '../../detect/hexLiteral.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { decodeDataLiteral } from '../decodedLiteral.ts';
import { describeUnowned } from '../unownedAddress.ts';
import { createItem, type LookUpChain, type LookUpItem, type LookUpSource, type LookUpState } from './lookUpItem.ts';
import type { LookUpMeaning, RejectionReason, WellKnownKind } from './parseLookUp.ts';
import type { RawTransaction } from './rawTransaction.ts';
import { sanitizeLabel } from './summaryPreview.ts';

type Meaning<Kind extends LookUpMeaning['kind']> = Extract<LookUpMeaning, { readonly kind: Kind }>;

const wellKnownTexts: Readonly<Record<WellKnownKind, { readonly icon: string; title(): string }>> = {
  event: { icon: 'symbol-event', title: () => t('Event topic') },
  function: { icon: 'symbol-method', title: () => t('Function selector') },
  error: { icon: 'error', title: () => t('Error selector') },
  selector: { icon: 'symbol-method', title: () => t('Selector that no known ABI declares') },
  interface: { icon: 'symbol-interface', title: () => t('ERC-165 interface') },
  constant: { icon: 'symbol-constant', title: () => t('Well-known constant') },
  number: { icon: 'symbol-number', title: () => t('32-byte number') },
  text: { icon: 'symbol-string', title: () => t('32-byte text') },
  data: { icon: 'file-binary', title: () => t('Data') },
};

export const rejectionTexts: Readonly<Record<RejectionReason, () => string>> = {
  key: () => t('This is the private key of a dev account: it is never looked up.'),
  truncated: () => t('Digits are missing in the middle, so there is nothing to look up.'),
  digits: () => t('It has the wrong number of digits for an address (40) or a hash (64).'),
};

/** What links of the explorer without a network show. */
const DEFAULT_APTOS_NETWORK = 'mainnet';

/** Decodings that are offered of one text. */
const MAX_DECODINGS = 3;

let bundledRegistry: AbiRegistry | undefined;

const createFormat = ({ registry, getName }: LookUpState): DecodedItemFormat => {
  bundledRegistry ??= createAbiRegistry();
  return { registry: registry ?? bundledRegistry, getName: address => getName(address) };
};

/** The chain with the id if it is configured, otherwise local forks of it; all chains without an id. */
function selectChains(chains: readonly LookUpChain[], chainId: number | null): readonly LookUpChain[] {
  if (chainId === null) return chains;
  const named = chains.filter(({ selector }) => getSelectorChainId(selector) === chainId);
  return named.length > 0 ? named : chains.filter(({ id }) => id === chainId);
}

/** Opens the way to a node for the chain that a link names. */
export function toMissingChainItems(chainId: number | null, { chains }: LookUpState): LookUpItem[] {
  const chain = chainId === null ? undefined : findChain(chainId);
  if (chain === undefined || chains.length === 0 || selectChains(chains, chainId).length > 0) return [];
  return [toConnectItem(t('{0} is not configured', chain.title), t('Press Enter to connect a node.'))];
}

/** Opens the way to a node. */
export const toConnectItem = (label: string, detail: string): LookUpItem =>
  createItem('meaning', 'plug', label, { detail, target: { kind: 'connect' } });

const getDigits = ({ text }: HexLiteral): string => text.replace(/^@?0x/i, '').toLowerCase();
const getSecretWord = (literal: HexLiteral): string | null => ('secretWord' in literal ? literal.secretWord : null);

/** A selected literal is classified by its surroundings in the file, which are not in the box. */
function withSource(literal: HexLiteral, source: LookUpSource | null): Pick<LookUpItem, 'literal' | 'fileName'> {
  const digits = getDigits(literal);
  const selected = source?.literals.find(candidate => getDigits(candidate) === digits);
  if (source === null || selected === undefined) return { literal, fileName: '' };
  const { fileName } = source;
  if (!('secretWord' in literal)) return { literal, fileName };
  const secretWord = literal.secretWord ?? getSecretWord(selected);
  const isUsedAsKey = selected.kind === 'hash32' && selected.rule === 'usedAsKey';
  if (literal.kind === 'hash32' && isUsedAsKey)
    return { literal: { ...literal, secretWord, rule: selected.rule }, fileName };
  return { literal: { ...literal, secretWord }, fileName };
}

function toAddressItems({ address, literal, chainId }: Meaning<'address'>, state: LookUpState): LookUpItem[] {
  const saved = state.getName(address);
  const name = saved ?? getWellKnownName(address);
  const label = name === null ? toDisplayAddress(address) : `${sanitizeLabel(name)} ${toShortDisplayAddress(address)}`;
  const warn = literal.kind === 'address' && literal.shouldWarn ? ` · ${t('the checksum is wrong')}` : '';
  return selectChains(state.chains, chainId).map(({ selector, title }) =>
    createItem('meaning', warn === '' ? 'account' : 'warning', label, {
      description: `${title}${warn}`,
      detail: describeUnowned(address) ?? '',
      target: { kind: 'address', chain: selector, address },
      copyText: toDisplayAddress(address),
      addressToSave: saved === null ? address : null,
      ...withSource(literal, state.source),
    }),
  );
}

/** What a tool has recorded proves that it is a hash on the chain of the record only. */
function toHashItems({ hash, chainId, literal }: Meaning<'hash'>, { chains, source, getRecord }: LookUpState) {
  const record = getRecord(hash);
  const recordedOn = record === null ? [] : selectChains(chains, record.chainId);
  const sourced = withSource(literal, source);
  const proved = sourced.literal && record && addRecord(sourced.literal, record);
  return selectChains(chains, chainId).map(chain =>
    createItem('meaning', 'symbol-key', shortenHex(hash), {
      description: t('Transaction or block on {0}', chain.title),
      target: { kind: 'hash', chain: chain.selector, hash },
      chainTitle: chain.title,
      copyText: hash,
      ...sourced,
      ...(recordedOn.includes(chain) && { literal: proved }),
    }),
  );
}

function toBlockItems({ block, chainId }: Meaning<'block'>, { chains }: LookUpState): LookUpItem[] {
  const text = String(block);
  const literal: HexLiteral = { kind: 'blockNumber', start: 0, end: 0, text, number: block, chainId: null, host: '' };
  return selectChains(chains, chainId).map(({ selector, title }) =>
    createItem('meaning', 'package', t('Block {0}', formatInteger(block)), {
      description: t('on {0}', title),
      target: { kind: 'block', chain: selector, block: text },
      copyText: text,
      literal,
    }),
  );
}

function toAptosAccountItem({ address, literal }: Meaning<'aptosAddress'>, state: LookUpState): LookUpItem {
  const saved = state.getName(address);
  const label = saved === null ? shortenHex(address) : `${sanitizeLabel(saved)} ${shortenHex(address)}`;
  return createItem('meaning', 'account', label, {
    description: t('Aptos account: its NFTs'),
    target: { kind: 'aptosAccount', address },
    copyText: address,
    addressToSave: saved === null ? address : null,
    ...withSource(literal, state.source),
  });
}

function toAptosTransactionItem(
  { transaction, network, literal }: Meaning<'aptosTransaction'>,
  { source }: LookUpState,
): LookUpItem {
  const text = /^\d+$/.test(transaction) ? formatInteger(BigInt(transaction)) : shortenHex(transaction);
  const on = network ?? DEFAULT_APTOS_NETWORK;
  return createItem('meaning', 'arrow-swap', t('Transaction {0}', text), {
    description: t('on {0}', t('Aptos {0}', on)),
    target: { kind: 'aptosTransaction', network: on, transaction },
    copyText: transaction,
    ...withSource(literal, source),
  });
}

const toCoinItem = ({ coinType }: Meaning<'coinType'>): LookUpItem =>
  createItem('meaning', 'credit-card', sanitizeLabel(coinType, 120), {
    description: t('Aptos coin: its transfers'),
    target: { kind: 'coinType', coinType },
    copyText: coinType,
  });

const toEnsItem = ({ name }: Meaning<'ens'>, { ensChain }: LookUpState): LookUpItem =>
  ensChain === null
    ? toConnectItem(
        t('ENS names need an Ethereum node'),
        t('ENS names are resolved on Ethereum. Press Enter to connect a node for the chain eth.'),
      )
    : createItem('meaning', 'globe', sanitizeLabel(name, 80), {
        description: t('ENS name'),
        target: { kind: 'ens', name },
      });

const toLatestItems = ({ chains }: LookUpState): LookUpItem[] =>
  chains.map(({ selector, title }) =>
    createItem('meaning', 'package', t('Latest blocks'), {
      description: t('on {0}', title),
      target: { kind: 'block', chain: selector, block: 'latest' },
    }),
  );

function toKnownItems({ what, value, meaning, data }: Meaning<'known'>, state: LookUpState): LookUpItem[] {
  const { icon, title } = wellKnownTexts[what];
  const lines = data === undefined ? [] : decodeDataLiteral(data, createFormat(state));
  if (lines.length > 0)
    return lines.slice(0, MAX_DECODINGS).map(line =>
      createItem('meaning', icon, sanitizeLabel(line, 400), {
        description: data?.form === 'words' ? t('Return data') : title(),
        target: { kind: 'document', lines },
        copyText: line,
      }),
    );
  const target = { kind: 'copy', text: meaning } as const;
  return [createItem('meaning', icon, sanitizeLabel(meaning, 120), { description: title(), target, copyText: value })];
}

function toRawTransactionItems({ raw, hash, chainId }: RawTransaction, { chains }: LookUpState): LookUpItem[] {
  const selected = selectChains(chains, chainId);
  return (selected.length > 0 ? selected : [null]).map(chain =>
    createItem('meaning', 'edit', t('Signed transaction {0}', shortenHex(hash)), {
      description: chain === null ? t('Chain {0}', String(chainId ?? '')) : t('on {0}', chain.title),
      target: { kind: 'rawTransaction', chain: chain?.selector ?? null, hash, raw },
      copyText: hash,
      // Anyone who has the signed transaction may send it: its hash is no secret.
      literal: {
        kind: 'hash32',
        start: 0,
        end: hash.length,
        text: hash,
        hash,
        secretWord: null,
        chainId,
        hint: { kind: 'transaction', word: 'signed transaction' },
        lookupOrder: ['transaction'],
      },
    }),
  );
}

export function toMeaningItems(
  meaning: Exclude<LookUpMeaning, { readonly kind: 'shortened' }>,
  state: LookUpState,
): LookUpItem[] {
  switch (meaning.kind) {
    case 'address':
      return toAddressItems(meaning, state);
    case 'hash':
      return toHashItems(meaning, state);
    case 'rawTransaction':
      return toRawTransactionItems(meaning.transaction, state);
    case 'block':
      return toBlockItems(meaning, state);
    case 'latest':
      return toLatestItems(state);
    case 'aptosAddress':
      return [toAptosAccountItem(meaning, state)];
    case 'aptosTransaction':
      return [toAptosTransactionItem(meaning, state)];
    case 'coinType':
      return [toCoinItem(meaning)];
    case 'ens':
      return [toEnsItem(meaning, state)];
    case 'known':
      return toKnownItems(meaning, state);
    case 'refused':
      return [createItem('meaning', 'circle-slash', rejectionTexts[meaning.why]())];
  }
}
