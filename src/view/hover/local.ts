// The local part of a hover: what a literal says by itself, at once and without any network.
import { checksumAddress } from '../../base/address.ts';
import type { Hex } from '../../base/hex.ts';
import { formatInteger } from '../../base/units.ts';
import type { SavedEntry } from '../book/entry.ts';
import { isAptosSubject } from '../find/aptos/subjects.ts';
import type {
  AddressSubject,
  DataSubject,
  HashSubject,
  SelectorSubject,
  Subject,
  WordSubject,
} from '../find/subject.ts';
import type { Signature } from '../signatures/signature.ts';
import { aptosLocalMarkdown } from './aptosLocal.ts';
import { copyLink } from './links.ts';
import type { HoverParts } from './parts.ts';
import { savedLines, saveLink } from './saved.ts';
import { codeSpan, escapeMarkdown, shortHex } from './text.ts';

export interface LocalContext {
  readonly parts: HoverParts;
  /** Well-known name of an address, for those that nobody has saved. */
  nameOf(address: Hex): string | null;
  /** Saved entries of an address, the one that counts first. */
  entriesOf(address: Hex): readonly SavedEntry[];
  /** Aptos networks are configured: 32 bytes may be an address there. */
  readonly aptos?: boolean;
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
    .map(({ text, standard }) => `${codeSpan(text, 160)} · ${escapeMarkdown(standard)}`);
  const head = signatures.length === 1 ? `**${what}**` : `**${what}**, one of ${signatures.length}:`;
  return signatures.length === 1 ? `${head} ${shown[0] ?? ''}` : lines(head, ...shown);
}

function checksumWarning({ address, warn }: AddressSubject): string | null {
  const right = checksumAddress(address);
  return warn
    ? `$(warning) **The EIP\\-55 checksum is wrong**: a digit or its case was changed. These digits would be written \`${right}\``
    : null;
}

function addressText(subject: AddressSubject, context: LocalContext): string {
  const { parts, nameOf } = context;
  const entries = parts.savedName ? context.entriesOf(subject.address) : [];
  const name = entries[0]?.name ?? (parts.savedName ? nameOf(subject.address) : null) ?? subject.name;
  const right = checksumAddress(subject.address);
  const nothing = subject.lookup ? null : 'Nobody owns it: it is not looked up.';
  return lines(
    joined(
      parts.kind && '**Address**',
      parts.kind && name !== null && codeSpan(name, 60),
      parts.checksum && subject.checksum === 'valid' && '$(pass) EIP\\-55 checksum',
      parts.actions && copyLink(subject.checksum === 'valid' ? 'Copy' : 'Copy with checksum', right),
      parts.actions && subject.lookup && entries.length === 0 && saveLink(right),
    ),
    savedLines(entries, parts),
    parts.checksum && checksumWarning(subject),
    nothing,
  );
}

const SUBJECTS = {
  transaction: 'transaction hash',
  block: 'block hash',
  topic: 'event topic',
  hash: 'hash',
  log: 'hash',
} as const;

function hashText(subject: HashSubject, { parts, entriesOf, aptos = false }: LocalContext): string {
  if (subject.secret !== null) {
    return lines(
      `$(lock) **32 bytes that may be a secret**: ${codeSpan(subject.secret, 40)} stands next to it.`,
      'It never leaves this machine. A real key does not belong into a file that others read.',
    );
  }
  const entries = parts.savedName ? entriesOf(subject.hash) : [];
  const [first] = entries;
  if (first !== undefined)
    return lines(
      joined('**Aptos address**', codeSpan(first.name, 60), parts.actions && copyLink('Copy', subject.hash)),
      savedLines(entries, parts),
    );
  const said = subject.evidence === null ? null : SUBJECTS[subject.evidence.kind];
  const unsaid = aptos
    ? '32 bytes: could be a hash, an Aptos address, or a private key'
    : '32 bytes: a hash, or a private key';
  const what = said === null ? unsaid : `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  const unknown = subject.lookup.length === 0 && said === 'event topic' ? 'Not among the well\\-known events.' : null;
  return lines(joined(parts.kind && `**${what}**`, parts.actions && copyLink('Copy', subject.hash)), unknown);
}

function selectorText(subject: SelectorSubject): string {
  const found = lines(
    signatureLines('Function', subject.functions),
    signatureLines('Error', subject.errors),
    subject.interfaceName !== null && `**ERC\\-165 interface id** of ${escapeMarkdown(subject.interfaceName)}`,
  );
  return found === '' ? '**4\\-byte selector** · not among the well\\-known ones' : found;
}

const FORMS = {
  calldata: 'Call data',
  revert: 'Revert data',
  bytecode: 'EVM bytecode',
  delegation: 'EIP\\-7702 delegation',
  signature: 'Signature (r, s, v)',
  words: 'ABI words',
  bytes: 'Data',
} as const;

function dataText(subject: DataSubject): string {
  const size = `${formatInteger(subject.size)} ${subject.size === 1 ? 'byte' : 'bytes'}`;
  return lines(
    `**${FORMS[subject.form]}** · ${size}`,
    signatureLines('Function', subject.functions),
    signatureLines('Error', subject.errors),
    subject.address !== null && `to \`${checksumAddress(subject.address)}\``,
  );
}

function wordText({ form, value, content }: WordSubject): string {
  if (form === 'zero') return '**32 zero bytes**';
  if (form === 'max') return '**2^256 − 1**, the largest `uint256`; `-1` as `int256`'.replace('^', '\\^');
  if (form === 'text' && content !== null) return `**Text** ${codeSpan(content, 40)} as \`bytes32\``;
  if (form === 'number') return `**Number** \`${value}\``;
  return form === 'mask' ? '**Bit mask** of 32 bytes' : '**32 bytes of a pattern**, no hash';
}

/** Markdown of what is known without asking anybody; empty when a hover should say nothing. */
export function localMarkdown(subject: Subject, context: LocalContext): string {
  const { parts } = context;
  if (isAptosSubject(subject)) return aptosLocalMarkdown(subject, context);
  switch (subject.kind) {
    case 'address':
      return addressText(subject, context);
    case 'paddedAddress': {
      const entries = parts.savedName ? context.entriesOf(subject.address) : [];
      const known = parts.savedName ? context.nameOf(subject.address) : null;
      const name = entries[0]?.name ?? known ?? subject.name;
      const right = checksumAddress(subject.address);
      return lines(
        joined(
          parts.kind && `**Address padded to 32 bytes**: \`${right}\``,
          parts.kind && name !== null && codeSpan(name, 60),
          parts.actions && copyLink('Copy address', right),
          parts.actions && subject.lookup && entries.length === 0 && saveLink(right),
        ),
        savedLines(entries, parts),
      );
    }
    case 'hash32':
      return hashText(subject, context);
    case 'topic':
      return parts.signature ? (signatureLines('Event topic', subject.events) ?? '') : '';
    case 'constant':
      return parts.signature ? `**${escapeMarkdown(subject.name)}**` : '';
    case 'word':
      return parts.kind ? wordText(subject) : '';
    case 'developmentKey':
      return lines(
        `$(key) **${escapeMarkdown(subject.name)}**: a public development key, of \`${checksumAddress(subject.address)}\``,
        'Everybody knows it: whatever it holds on a public chain is gone at once. It is never looked up.',
      );
    case 'selector':
      return parts.signature ? selectorText(subject) : '';
    case 'data':
      return parts.signature && subject.form !== 'bytes' && subject.form !== 'words' ? dataText(subject) : '';
    case 'blockNumber':
      return parts.kind ? `**Block ${formatInteger(subject.number)}**` : '';
    case 'truncated':
      return parts.kind ? `\`${shortHex(subject.text)}\` is shortened: the missing digits cannot be looked up.` : '';
    case 'nearMiss': {
      const count = Math.abs(subject.off);
      const digits = `${count} ${count === 1 ? 'digit' : 'digits'} too ${subject.off < 0 ? 'few' : 'many'}`;
      return parts.checksum
        ? `$(warning) **${subject.of === 'address' ? 'Address' : 'Hash'} with ${digits}**: it has ${subject.digits}, ${subject.of === 'address' ? 40 : 64} are needed.`
        : '';
    }
  }
}
