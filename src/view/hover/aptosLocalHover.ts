// The local part of a hover over something of Aptos: what the text says by itself, at once and without any network.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { escapeMarkdown, shortenHex, toCodeSpan } from '../../base/displayText.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import { formatAip40, getFrameworkName, isSpecialAddress } from '../../detect/aptos/moveAddresses.ts';
import type {
  AptosAddressLiteral,
  AptosLiteral,
  AptosTransactionLiteral,
  AptosTypeLiteral,
} from '../../detect/hexLiteral.ts';
import { createCopyLink } from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';
import { createSaveLink, renderSavedEntries } from './savedEntries.ts';

export interface AptosLocalHoverContext {
  readonly parts: HoverParts;
  getEntries(address: Hex): readonly SavedEntry[];
}

const APT = '0x1::aptos_coin::AptosCoin';
const BREAK = '  \n';
const joined = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(' · ');
const lines = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(BREAK);

function addressText(subject: AptosAddressLiteral, { parts, getEntries: entriesOf }: AptosLocalHoverContext): string {
  const { address, namedAddress: named, hint: evidence } = subject;
  const title = named === null ? t('Aptos address') : t('Named address');
  if (address === null)
    return lines(
      parts.kind && joined(`**${title}**`, toCodeSpan(named ?? '', 60)),
      parts.kind &&
        escapeMarkdown(t('No Move.toml above this file gives it an address: it is set when the package is published.')),
    );
  const entries = parts.savedName ? entriesOf(address) : [];
  const name = entries[0]?.name ?? null;
  // Where the digits are those of the text there is nothing to add; AIP-40 prints the special ones short.
  const printed = formatAip40(address);
  const other = named !== null || printed !== subject.text.replace(/^@/, '').toLowerCase() ? printed : null;
  return lines(
    joined(
      parts.kind && `**${title}**`,
      parts.kind && named !== null && toCodeSpan(named, 60),
      parts.kind && name !== null && toCodeSpan(name, 60),
      parts.kind && subject.name !== null && escapeMarkdown(subject.name),
      parts.actions && createCopyLink(t('Copy'), printed),
      parts.actions && isSpecialAddress(address) && createCopyLink(t('Copy long form'), address),
      parts.actions && entries.length === 0 && createSaveLink(address),
    ),
    parts.kind && other !== null && `= \`${other}\``,
    renderSavedEntries(entries, parts),
    parts.kind &&
      evidence.basis === 'weak' &&
      escapeMarkdown(t('Taken for an address because of "{0}" next to it; it could be something else.', evidence.word)),
  );
}

const FORMS: Readonly<Record<AptosTypeLiteral['form'], () => string>> = {
  module: () => t('Move module'),
  struct: () => t('Move struct'),
  function: () => t('Move function'),
};

function typeText(subject: AptosTypeLiteral, { parts, getEntries: entriesOf }: AptosLocalHoverContext): string {
  const { form, address, path, module, item, root, typeArguments } = subject;
  const entries = address !== null && parts.savedName ? entriesOf(address) : [];
  const framework = address === null ? null : getFrameworkName(address);
  const owner = entries[0]?.name ?? framework;
  const what = path === APT ? t('Coin type of APT (8 decimals)') : FORMS[form]();
  const at =
    address === null
      ? `${toCodeSpan(root, 60)} ${escapeMarkdown(t('(no Move.toml above this file gives it an address)'))}`
      : `\`${shortenHex(formatAip40(address))}\`${owner === null ? '' : ` ${entries.length > 0 ? toCodeSpan(owner, 60) : escapeMarkdown(owner)}`}`;
  return lines(
    parts.signature &&
      joined(
        `**${what}** ${toCodeSpan(item ?? module, 80)}`,
        parts.actions && path !== null && createCopyLink(t('Copy'), path),
      ),
    parts.signature && (item === null ? t('at {0}', at) : t('in module {0} at {1}', toCodeSpan(module, 80), at)),
    parts.signature && typeArguments !== '' && t('with {0}', toCodeSpan(typeArguments.slice(1, -1), 200)),
  );
}

function transactionText(
  { by, transaction, network }: AptosTransactionLiteral,
  { parts }: AptosLocalHoverContext,
): string {
  const what =
    by === 'version'
      ? `**${t('Aptos transaction')}** ${t('version {0}', `\`${transaction}\``)}`
      : `**${t('Aptos transaction hash')}**`;
  return joined(
    parts.kind && what,
    parts.kind && network !== null && escapeMarkdown(t('on {0}', network)),
    parts.actions && createCopyLink(t('Copy'), transaction),
  );
}

/** Markdown of what is known without asking anybody; empty when a hover should say nothing. */
export function renderAptosLocalHover(subject: AptosLiteral, context: AptosLocalHoverContext): string {
  switch (subject.kind) {
    case 'aptosAddress':
      return addressText(subject, context);
    case 'aptosType':
      return typeText(subject, context);
    case 'aptosTransaction':
      return transactionText(subject, context);
    case 'aptosBlock':
      return context.parts.kind
        ? joined(
            `**${t('Aptos block')}** \`${subject.height}\``,
            subject.network !== null && escapeMarkdown(t('on {0}', subject.network)),
          )
        : '';
  }
}
