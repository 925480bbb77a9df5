// The local part of a hover: what is known about a literal without a network request.

import type { SavedEntry } from '../../addressBook/entry.ts';
import type { RecordedHash } from '../../addressBook/recordedHashes.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { joinParts, shortenHex } from '../../base/displayText.ts';
import { formatByteCount } from '../../base/formatByteCount.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { Signature } from '../../decode/signatures/findSignatures.ts';
import {
  type AddressLiteral,
  type DataLiteral,
  type HashLiteral,
  type HexLiteral,
  isAptosLiteral,
  type NearMissLiteral,
  type SelectorLiteral,
  type WordLiteral,
} from '../../detect/hexLiteral.ts';
import { getChainTitleById } from '../chainTitle.ts';
import { renderAptosLocalHover } from './aptosLocalHover.ts';
import { createCopyLink } from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';
import { escapeMarkdown, joinLines, toCodeSpan } from './markdown.ts';
import { createSaveLink, renderSavedEntries } from './savedEntries.ts';

/** Where a deployment tool has recorded a hash, and what the transaction did. */
export interface HashSource extends Pick<RecordedHash, 'chainId' | 'action'> {
  /** Of the file, from the folder of the workspace. */
  readonly path: string;
  readonly uri: string;
}

export interface LocalHoverContext {
  readonly parts: HoverParts;
  /** The name to show for an address: of a trusted entry, else a well-known one. */
  getName(address: Hex): string | null;
  readonly isWorkspaceTrusted: boolean;
  /** Saved entries of an address, those of a workspace that is not trusted among them. */
  getEntries(address: Hex): readonly SavedEntry[];
  /** What call data, revert data or ABI words of the literal say, with values, in one line each; untrusted text. */
  readonly decoded?: readonly string[];
  /** What a chain has under a hash that nothing in the text explains; `late` where that is not known yet. */
  readonly found?: 'transaction' | 'block' | 'late' | null;
  /** Where a deployment tool has recorded a hash. */
  readonly recorded?: HashSource | undefined;
  /** Aptos networks are configured, so 32 bytes may be an Aptos address. */
  readonly hasAptosNetworks?: boolean;
}

/** Maximum number of candidates for one selector or topic. */
const MAX_CANDIDATES = 4;

function formatSignatures(what: string, signatures: readonly Signature[]): string | null {
  if (signatures.length === 0) return null;
  const shown = signatures
    .slice(0, MAX_CANDIDATES)
    .map(({ text, standard }) => `${toCodeSpan(text, 160)} · ${escapeMarkdown(standard)}`);
  const head = signatures.length === 1 ? `**${what}**` : t('**{0}**, one of {1}:', what, signatures.length);
  return signatures.length === 1 ? `${head} ${shown[0] ?? ''}` : joinLines(head, ...shown);
}

function checksumWarning({ address, shouldWarn }: AddressLiteral): string | null {
  const right = checksumAddress(address);
  return shouldWarn
    ? `$(warning) ${t('**The EIP\\-55 checksum is wrong**: a digit or its case was changed. These digits would be written {0}', `\`${right}\``)}`
    : null;
}

function formatAddress(literal: AddressLiteral, context: LocalHoverContext): string {
  const { parts, getName } = context;
  const entries = parts.savedName ? context.getEntries(literal.address) : [];
  const name = (parts.savedName ? getName(literal.address) : null) ?? literal.name;
  const right = checksumAddress(literal.address);
  const nothing = literal.canLookUp ? null : t('It has no owner, so it is not looked up.');
  return joinLines(
    joinParts(
      parts.kind && `**${t('Address')}**`,
      parts.kind && name !== null && toCodeSpan(name, 60),
      parts.checksum && literal.checksum === 'valid' && `$(pass) ${t('EIP\\-55 checksum')}`,
      parts.actions && createCopyLink(literal.address === right ? t('Copy') : t('Copy with checksum'), right),
      parts.actions && literal.canLookUp && entries.length === 0 && createSaveLink(right),
    ),
    renderSavedEntries(entries, name, context),
    parts.checksum && checksumWarning(literal),
    nothing,
  );
}

function describeHashKind(kind: NonNullable<HashLiteral['hint']>['kind'] | 'late' | undefined, aptos: boolean): string {
  switch (kind) {
    case 'transaction':
      return t('Transaction hash');
    case 'block':
      return t('Block hash');
    case 'topic':
      return t('Event topic');
    case 'late':
      return t('32 bytes');
    case undefined:
      return aptos
        ? t('32 bytes: could be a hash, an Aptos address, or a private key')
        : t('32 bytes: a hash, or a private key');
    default:
      return t('Hash');
  }
}

/** `Creates Token · Sepolia · recorded in broadcast/…`; the texts of files are untrusted. */
function formatRecorded({ action, chainId, path, uri }: HashSource): string {
  const name = action === null ? '' : toCodeSpan(action.name, 100);
  const file = `[${toCodeSpan(path, 160)}](${uri})`;
  return joinParts(
    action !== null && (action.kind === 'creates' ? t('Creates {0}', name) : t('Calls {0}', name)),
    chainId !== null && escapeMarkdown(getChainTitleById(chainId) ?? t('Chain {0}', String(chainId))),
    t('recorded in {0}', file),
  );
}

function hashText(literal: HashLiteral, context: LocalHoverContext): string {
  const { parts, getEntries, hasAptosNetworks = false } = context;
  if (literal.secretWord !== null) {
    return joinLines(
      `$(lock) ${t('**32 bytes that may be a secret**: next to {0}.', toCodeSpan(literal.secretWord, 40))}`,
      t('It never leaves this machine. Do not keep a real key in a file that others can read.'),
    );
  }
  const entries = parts.savedName ? getEntries(literal.hash) : [];
  if (entries.length > 0) {
    const name = context.getName(literal.hash);
    return joinLines(
      joinParts(
        `**${t('Aptos address')}**`,
        name !== null && toCodeSpan(name, 60),
        parts.actions && createCopyLink(t('Copy'), literal.hash),
      ),
      renderSavedEntries(entries, name, context),
    );
  }
  const named = literal.hint?.kind;
  const found = literal.recordedAs ?? context.found;
  const known = named === 'hash' && found !== 'late' ? found : null;
  const what = describeHashKind(known ?? named ?? found ?? undefined, hasAptosNetworks);
  const topic = literal.lookupOrder.length === 0 && literal.hint?.kind === 'topic';
  return joinLines(
    joinParts(parts.kind && `**${what}**`, parts.actions && createCopyLink(t('Copy'), literal.hash)),
    context.recorded !== undefined && parts.kind && formatRecorded(context.recorded),
    topic && t('Not a well\\-known event.'),
  );
}

function formatSelector(literal: SelectorLiteral): string {
  const found = joinLines(
    formatSignatures(t('Function'), literal.functions),
    formatSignatures(t('Error'), literal.errors),
    literal.interfaceName !== null && t('**ERC\\-165 interface ID** of {0}', escapeMarkdown(literal.interfaceName)),
  );
  return found === '' ? t('**4\\-byte selector** · not well\\-known') : found;
}

const FORMS: Readonly<Record<DataLiteral['form'], () => string>> = {
  calldata: () => t('Call data'),
  revert: () => t('Revert data'),
  bytecode: () => t('EVM bytecode'),
  delegation: () => t('EIP\\-7702 delegation'),
  signature: () => t('Signature (r, s, v)'),
  words: () => t('ABI words'),
  bytes: () => t('Data'),
};

/** Decodings that a hover shows of one literal. */
const MAX_DECODINGS = 3;

function formatData(literal: DataLiteral, decoded: readonly string[] = []): string {
  const size = formatByteCount(literal.size);
  return joinLines(
    `**${FORMS[literal.form]()}** · ${size}`,
    ...decoded.slice(0, MAX_DECODINGS).map(text => toCodeSpan(text, 600)),
    decoded.length === 0 && formatSignatures(t('Function'), literal.functions),
    decoded.length === 0 && formatSignatures(t('Error'), literal.errors),
    literal.address !== null && t('to {0}', `\`${checksumAddress(literal.address)}\``),
  );
}

function formatWord({ form, value, content }: WordLiteral): string {
  if (form === 'zero') return `**${t('32 zero bytes')}**`;
  if (form === 'max') return t('**2\\^256 − 1**, the largest `uint256`; `-1` as `int256`');
  if (form === 'text' && content !== null) return t('**Text** {0} as `bytes32`', toCodeSpan(content, 40));
  if (form === 'number') return `**${t('Number')}** \`${value}\``;
  return form === 'mask' ? t('**Bit mask** of 32 bytes') : t('**32 bytes in a pattern**, not a hash');
}

function formatNearMiss({ expected, difference, digits }: NearMissLiteral): string {
  const count = Math.abs(difference);
  const few = count === 1 ? t('1 digit too few') : t('{0} digits too few', count);
  const many = count === 1 ? t('1 digit too many') : t('{0} digits too many', count);
  const deviation = difference < 0 ? few : many;
  return expected === 'address'
    ? `$(warning) ${t('**Address with {0}**: it has {1}, {2} are needed.', deviation, digits, 40)}`
    : `$(warning) ${t('**Hash with {0}**: it has {1}, {2} are needed.', deviation, digits, 64)}`;
}

/** Markdown; empty when there is nothing to show. */
export function renderLocalHover(literal: HexLiteral, context: LocalHoverContext): string {
  const { parts } = context;
  if (isAptosLiteral(literal)) return renderAptosLocalHover(literal, context);
  switch (literal.kind) {
    case 'address':
      return formatAddress(literal, context);
    case 'paddedAddress': {
      const entries = parts.savedName ? context.getEntries(literal.address) : [];
      const name = (parts.savedName ? context.getName(literal.address) : null) ?? literal.name;
      const right = checksumAddress(literal.address);
      return joinLines(
        joinParts(
          parts.kind && t('**Address padded to 32 bytes**: {0}', `\`${right}\``),
          parts.kind && name !== null && toCodeSpan(name, 60),
          parts.actions && createCopyLink(t('Copy address'), right),
          parts.actions && literal.canLookUp && entries.length === 0 && createSaveLink(right),
        ),
        renderSavedEntries(entries, name, context),
      );
    }
    case 'hash32':
      return hashText(literal, context);
    case 'topic':
      return parts.signature ? (formatSignatures(t('Event topic'), literal.events) ?? '') : '';
    case 'constant':
      if (!parts.signature) return '';
      return literal.differences === 0
        ? `**${escapeMarkdown(literal.name)}**`
        : `$(warning) ${t('Not the value that is called {0}: {1} of its 64 digits differ. It may be mistyped.', `**${escapeMarkdown(literal.name)}**`, literal.differences)}`;
    case 'word':
      return parts.kind ? formatWord(literal) : '';
    case 'developmentKey':
      return joinLines(
        `$(key) ${t('**{0}**, of {1}', escapeMarkdown(literal.name), `\`${checksumAddress(literal.address)}\``)}`,
        t('It is public: anything it holds on a public chain is taken at once. It is never looked up.'),
      );
    case 'selector':
      return parts.signature ? formatSelector(literal) : '';
    case 'data':
      return parts.signature &&
        ((context.decoded?.length ?? 0) > 0 || (literal.form !== 'bytes' && literal.form !== 'words'))
        ? formatData(literal, context.decoded)
        : '';
    case 'blockNumber':
      return parts.kind ? `**${t('Block {0}', formatInteger(literal.number))}**` : '';
    case 'truncated':
      return parts.kind
        ? t('{0} is shortened: the missing digits cannot be looked up.', `\`${shortenHex(literal.text)}\``)
        : '';
    case 'nearMiss':
      return parts.checksum ? formatNearMiss(literal) : '';
  }
}
