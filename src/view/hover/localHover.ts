// The local part of a hover: what a literal says by itself, at once and without any network.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { escapeMarkdown, shortenHex, toCodeSpan } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { Signature } from '../../decode/signatures/signature.ts';
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
import { renderAptosLocalHover } from './aptosLocalHover.ts';
import { createCopyLink } from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';
import { createSaveLink, renderSavedEntries } from './savedEntries.ts';

export interface LocalHoverContext {
  readonly parts: HoverParts;
  /** Well-known name of an address, for those that nobody has saved. */
  getName(address: Hex): string | null;
  /** Saved entries of an address, the one that counts first. */
  getEntries(address: Hex): readonly SavedEntry[];
  /** Aptos networks are configured: 32 bytes may be an address there. */
  readonly hasAptosNetworks?: boolean;
}

const BREAK = '  \n';
const joined = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(' · ');
const lines = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(BREAK);

/** At most this many candidates for one selector or topic. */
const CANDIDATES = 4;

function signatureLines(what: string, signatures: readonly Signature[]): string | null {
  if (signatures.length === 0) return null;
  const shown = signatures
    .slice(0, CANDIDATES)
    .map(({ text, standard }) => `${toCodeSpan(text, 160)} · ${escapeMarkdown(standard)}`);
  const head = signatures.length === 1 ? `**${what}**` : t('**{0}**, one of {1}:', what, signatures.length);
  return signatures.length === 1 ? `${head} ${shown[0] ?? ''}` : lines(head, ...shown);
}

function checksumWarning({ address, shouldWarn: warn }: AddressLiteral): string | null {
  const right = checksumAddress(address);
  return warn
    ? `$(warning) ${t('**The EIP\\-55 checksum is wrong**: a digit or its case was changed. These digits would be written {0}', `\`${right}\``)}`
    : null;
}

function addressText(subject: AddressLiteral, context: LocalHoverContext): string {
  const { parts, getName: nameOf } = context;
  const entries = parts.savedName ? context.getEntries(subject.address) : [];
  const name = entries[0]?.name ?? (parts.savedName ? nameOf(subject.address) : null) ?? subject.name;
  const right = checksumAddress(subject.address);
  const nothing = subject.canLookUp ? null : t('Nobody owns it: it is not looked up.');
  return lines(
    joined(
      parts.kind && `**${t('Address')}**`,
      parts.kind && name !== null && toCodeSpan(name, 60),
      parts.checksum && subject.checksum === 'valid' && `$(pass) ${t('EIP\\-55 checksum')}`,
      parts.actions && createCopyLink(subject.checksum === 'valid' ? t('Copy') : t('Copy with checksum'), right),
      parts.actions && subject.canLookUp && entries.length === 0 && createSaveLink(right),
    ),
    renderSavedEntries(entries, parts),
    parts.checksum && checksumWarning(subject),
    nothing,
  );
}

function kindOfHash(evidence: HashLiteral['hint'], aptos: boolean): string {
  switch (evidence?.kind) {
    case 'transaction':
      return t('Transaction hash');
    case 'block':
      return t('Block hash');
    case 'topic':
      return t('Event topic');
    case undefined:
      return aptos
        ? t('32 bytes: could be a hash, an Aptos address, or a private key')
        : t('32 bytes: a hash, or a private key');
    default:
      return t('Hash');
  }
}

function hashText(
  subject: HashLiteral,
  { parts, getEntries: entriesOf, hasAptosNetworks: aptos = false }: LocalHoverContext,
): string {
  if (subject.secretWord !== null) {
    return lines(
      `$(lock) ${t('**32 bytes that may be a secret**: {0} stands next to it.', toCodeSpan(subject.secretWord, 40))}`,
      t('It never leaves this machine. A real key does not belong into a file that others read.'),
    );
  }
  const entries = parts.savedName ? entriesOf(subject.hash) : [];
  const [first] = entries;
  if (first !== undefined)
    return lines(
      joined(
        `**${t('Aptos address')}**`,
        toCodeSpan(first.name, 60),
        parts.actions && createCopyLink(t('Copy'), subject.hash),
      ),
      renderSavedEntries(entries, parts),
    );
  const what = kindOfHash(subject.hint, aptos);
  const topic = subject.lookupOrder.length === 0 && subject.hint?.kind === 'topic';
  return lines(
    joined(parts.kind && `**${what}**`, parts.actions && createCopyLink(t('Copy'), subject.hash)),
    topic && t('Not among the well\\-known events.'),
  );
}

function selectorText(subject: SelectorLiteral): string {
  const found = lines(
    signatureLines(t('Function'), subject.functions),
    signatureLines(t('Error'), subject.errors),
    subject.interfaceName !== null && t('**ERC\\-165 interface id** of {0}', escapeMarkdown(subject.interfaceName)),
  );
  return found === '' ? t('**4\\-byte selector** · not among the well\\-known ones') : found;
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

function dataText(subject: DataLiteral): string {
  const size = subject.size === 1 ? t('1 byte') : t('{0} bytes', formatInteger(subject.size));
  return lines(
    `**${FORMS[subject.form]()}** · ${size}`,
    signatureLines(t('Function'), subject.functions),
    signatureLines(t('Error'), subject.errors),
    subject.address !== null && t('to {0}', `\`${checksumAddress(subject.address)}\``),
  );
}

function wordText({ form, value, content }: WordLiteral): string {
  if (form === 'zero') return `**${t('32 zero bytes')}**`;
  if (form === 'max') return t('**2\\^256 − 1**, the largest `uint256`; `-1` as `int256`');
  if (form === 'text' && content !== null) return t('**Text** {0} as `bytes32`', toCodeSpan(content, 40));
  if (form === 'number') return `**${t('Number')}** \`${value}\``;
  return form === 'mask' ? t('**Bit mask** of 32 bytes') : t('**32 bytes of a pattern**, no hash');
}

function nearMissText({ expected: of, difference: off, digits }: NearMissLiteral): string {
  const count = Math.abs(off);
  const few = count === 1 ? t('1 digit too few') : t('{0} digits too few', count);
  const many = count === 1 ? t('1 digit too many') : t('{0} digits too many', count);
  const said = off < 0 ? few : many;
  return of === 'address'
    ? `$(warning) ${t('**Address with {0}**: it has {1}, {2} are needed.', said, digits, 40)}`
    : `$(warning) ${t('**Hash with {0}**: it has {1}, {2} are needed.', said, digits, 64)}`;
}

/** Markdown of what is known without asking anybody; empty when a hover should say nothing. */
export function renderLocalHover(subject: HexLiteral, context: LocalHoverContext): string {
  const { parts } = context;
  if (isAptosLiteral(subject)) return renderAptosLocalHover(subject, context);
  switch (subject.kind) {
    case 'address':
      return addressText(subject, context);
    case 'paddedAddress': {
      const entries = parts.savedName ? context.getEntries(subject.address) : [];
      const known = parts.savedName ? context.getName(subject.address) : null;
      const name = entries[0]?.name ?? known ?? subject.name;
      const right = checksumAddress(subject.address);
      return lines(
        joined(
          parts.kind && t('**Address padded to 32 bytes**: {0}', `\`${right}\``),
          parts.kind && name !== null && toCodeSpan(name, 60),
          parts.actions && createCopyLink(t('Copy address'), right),
          parts.actions && subject.canLookUp && entries.length === 0 && createSaveLink(right),
        ),
        renderSavedEntries(entries, parts),
      );
    }
    case 'hash32':
      return hashText(subject, context);
    case 'topic':
      return parts.signature ? (signatureLines(t('Event topic'), subject.events) ?? '') : '';
    case 'constant':
      return parts.signature ? `**${escapeMarkdown(subject.name)}**` : '';
    case 'word':
      return parts.kind ? wordText(subject) : '';
    case 'developmentKey':
      return lines(
        `$(key) ${t('**{0}**: a public development key, of {1}', escapeMarkdown(subject.name), `\`${checksumAddress(subject.address)}\``)}`,
        t('Everybody knows it: whatever it holds on a public chain is gone at once. It is never looked up.'),
      );
    case 'selector':
      return parts.signature ? selectorText(subject) : '';
    case 'data':
      return parts.signature && subject.form !== 'bytes' && subject.form !== 'words' ? dataText(subject) : '';
    case 'blockNumber':
      return parts.kind ? `**${t('Block {0}', formatInteger(subject.number))}**` : '';
    case 'truncated':
      return parts.kind
        ? t('{0} is shortened: the missing digits cannot be looked up.', `\`${shortenHex(subject.text)}\``)
        : '';
    case 'nearMiss':
      return parts.checksum ? nearMissText(subject) : '';
  }
}
