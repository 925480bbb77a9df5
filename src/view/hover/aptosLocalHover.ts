// The local part of a hover over an Aptos literal, without a network request.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { joinParts, shortenHex } from '../../base/displayText.ts';
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
import { escapeMarkdown, joinLines, toCodeSpan } from './markdown.ts';
import { createSaveLink, renderSavedEntries } from './savedEntries.ts';

export interface AptosLocalHoverContext {
  readonly parts: HoverParts;
  readonly isWorkspaceTrusted: boolean;
  /** The name of a trusted entry. */
  getName(address: Hex): string | null;
  getEntries(address: Hex): readonly SavedEntry[];
}

const APT = '0x1::aptos_coin::AptosCoin';

function formatAddress(literal: AptosAddressLiteral, context: AptosLocalHoverContext): string {
  const { parts, getEntries } = context;
  const { address, namedAddress, hint } = literal;
  const title = namedAddress === null ? t('Aptos address') : t('Named address');
  if (address === null)
    return joinLines(
      parts.kind && joinParts(`**${title}**`, toCodeSpan(namedAddress ?? '', 60)),
      parts.kind &&
        escapeMarkdown(t('No Move.toml above this file gives it an address: it is set when the package is published.')),
    );
  const entries = parts.savedName ? getEntries(address) : [];
  const name = parts.savedName ? context.getName(address) : null;
  // Shown only if it differs from the text; AIP-40 shortens special addresses.
  const printed = formatAip40(address);
  const other = namedAddress !== null || printed !== literal.text.replace(/^@/, '').toLowerCase() ? printed : null;
  return joinLines(
    joinParts(
      parts.kind && `**${title}**`,
      parts.kind && namedAddress !== null && toCodeSpan(namedAddress, 60),
      parts.kind && name !== null && toCodeSpan(name, 60),
      parts.kind && literal.name !== null && escapeMarkdown(literal.name),
      parts.actions && createCopyLink(t('Copy'), printed),
      parts.actions && isSpecialAddress(address) && createCopyLink(t('Copy long form'), address),
      parts.actions && entries.length === 0 && createSaveLink(address),
    ),
    parts.kind && other !== null && `= \`${other}\``,
    renderSavedEntries(entries, name, context),
    parts.kind &&
      hint.basis === 'weak' &&
      escapeMarkdown(t('Read as an address because of "{0}" next to it; it could be something else.', hint.word)),
  );
}

const FORMS: Readonly<Record<AptosTypeLiteral['form'], () => string>> = {
  module: () => t('Move module'),
  struct: () => t('Move struct'),
  function: () => t('Move function'),
};

function formatType(literal: AptosTypeLiteral, { parts, getName }: AptosLocalHoverContext): string {
  const { form, address, path, module, item, root, typeArguments } = literal;
  const savedName = address !== null && parts.savedName ? getName(address) : null;
  const framework = address === null ? null : getFrameworkName(address);
  const owner = savedName ?? framework;
  const what = path === APT ? t('Coin type of APT (8 decimals)') : FORMS[form]();
  const at =
    address === null
      ? `${toCodeSpan(root, 60)} ${escapeMarkdown(t('(no Move.toml above this file gives it an address)'))}`
      : `\`${shortenHex(formatAip40(address))}\`${owner === null ? '' : ` ${savedName !== null ? toCodeSpan(owner, 60) : escapeMarkdown(owner)}`}`;
  return joinLines(
    parts.signature &&
      joinParts(
        `**${what}** ${toCodeSpan(item ?? module, 80)}`,
        parts.actions && path !== null && createCopyLink(t('Copy'), path),
      ),
    parts.signature && (item === null ? t('at {0}', at) : t('in module {0} at {1}', toCodeSpan(module, 80), at)),
    parts.signature && typeArguments !== '' && t('with {0}', toCodeSpan(typeArguments.slice(1, -1), 200)),
  );
}

function formatTransaction(
  { by, transaction, network }: AptosTransactionLiteral,
  { parts }: AptosLocalHoverContext,
): string {
  const what =
    by === 'version'
      ? `**${t('Aptos transaction')}** ${t('version {0}', `\`${transaction}\``)}`
      : `**${t('Aptos transaction hash')}**`;
  return joinParts(
    parts.kind && what,
    parts.kind && network !== null && escapeMarkdown(t('on {0}', network)),
    parts.actions && createCopyLink(t('Copy'), transaction),
  );
}

/** Markdown; empty when there is nothing to show. */
export function renderAptosLocalHover(literal: AptosLiteral, context: AptosLocalHoverContext): string {
  switch (literal.kind) {
    case 'aptosAddress':
      return formatAddress(literal, context);
    case 'aptosType':
      return formatType(literal, context);
    case 'aptosTransaction':
      return formatTransaction(literal, context);
    case 'aptosBlock':
      return context.parts.kind
        ? joinParts(
            `**${t('Aptos block')}** \`${literal.height}\``,
            literal.network !== null && escapeMarkdown(t('on {0}', literal.network)),
          )
        : '';
  }
}
