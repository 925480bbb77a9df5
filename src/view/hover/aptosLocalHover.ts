// The local part of a hover over something of Aptos: what the text says by itself, at once and without any network.

import type { SavedEntry } from '../../addressBook/entry.ts';
import { codeSpan, escapeMarkdown, shortHex } from '../../base/displayText.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type {
  AptosAddressSubject,
  AptosSubject,
  AptosTransactionSubject,
  AptosTypeSubject,
} from '../../detect/aptos/aptosLiteral.ts';
import { aip40, frameworkName, isSpecial } from '../../detect/aptos/moveAddresses.ts';
import { copyLink } from './hoverLinks.ts';
import type { HoverParts } from './hoverParts.ts';
import { savedLines, saveLink } from './savedEntries.ts';

export interface AptosLocalContext {
  readonly parts: HoverParts;
  entriesOf(address: Hex): readonly SavedEntry[];
}

const APT = '0x1::aptos_coin::AptosCoin';
const BREAK = '  \n';
const joined = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(' · ');
const lines = (...parts: readonly (string | null | false)[]): string => parts.filter(part => part).join(BREAK);

function addressText(subject: AptosAddressSubject, { parts, entriesOf }: AptosLocalContext): string {
  const { address, named, evidence } = subject;
  const title = named === null ? t('Aptos address') : t('Named address');
  if (address === null)
    return lines(
      parts.kind && joined(`**${title}**`, codeSpan(named ?? '', 60)),
      parts.kind &&
        escapeMarkdown(t('No Move.toml above this file gives it an address: it is set when the package is published.')),
    );
  const entries = parts.savedName ? entriesOf(address) : [];
  const name = entries[0]?.name ?? null;
  // Where the digits are those of the text there is nothing to add; AIP-40 prints the special ones short.
  const printed = aip40(address);
  const other = named !== null || printed !== subject.text.replace(/^@/, '').toLowerCase() ? printed : null;
  return lines(
    joined(
      parts.kind && `**${title}**`,
      parts.kind && named !== null && codeSpan(named, 60),
      parts.kind && name !== null && codeSpan(name, 60),
      parts.kind && subject.name !== null && escapeMarkdown(subject.name),
      parts.actions && copyLink(t('Copy'), printed),
      parts.actions && isSpecial(address) && copyLink(t('Copy long form'), address),
      parts.actions && entries.length === 0 && saveLink(address),
    ),
    parts.kind && other !== null && `= \`${other}\``,
    savedLines(entries, parts),
    parts.kind &&
      evidence.by === 'weak' &&
      escapeMarkdown(t('Taken for an address because of "{0}" next to it; it could be something else.', evidence.word)),
  );
}

const FORMS: Readonly<Record<AptosTypeSubject['form'], () => string>> = {
  module: () => t('Move module'),
  struct: () => t('Move struct'),
  function: () => t('Move function'),
};

function typeText(subject: AptosTypeSubject, { parts, entriesOf }: AptosLocalContext): string {
  const { form, address, path, module, item, root, typeArguments } = subject;
  const entries = address !== null && parts.savedName ? entriesOf(address) : [];
  const framework = address === null ? null : frameworkName(address);
  const owner = entries[0]?.name ?? framework;
  const what = path === APT ? t('Coin type of APT (8 decimals)') : FORMS[form]();
  const at =
    address === null
      ? `${codeSpan(root, 60)} ${escapeMarkdown(t('(no Move.toml above this file gives it an address)'))}`
      : `\`${shortHex(aip40(address))}\`${owner === null ? '' : ` ${entries.length > 0 ? codeSpan(owner, 60) : escapeMarkdown(owner)}`}`;
  return lines(
    parts.signature &&
      joined(
        `**${what}** ${codeSpan(item ?? module, 80)}`,
        parts.actions && path !== null && copyLink(t('Copy'), path),
      ),
    parts.signature && (item === null ? t('at {0}', at) : t('in module {0} at {1}', codeSpan(module, 80), at)),
    parts.signature && typeArguments !== '' && t('with {0}', codeSpan(typeArguments.slice(1, -1), 200)),
  );
}

function transactionText({ by, transaction, network }: AptosTransactionSubject, { parts }: AptosLocalContext): string {
  const what =
    by === 'version'
      ? `**${t('Aptos transaction')}** ${t('version {0}', `\`${transaction}\``)}`
      : `**${t('Aptos transaction hash')}**`;
  return joined(
    parts.kind && what,
    parts.kind && network !== null && escapeMarkdown(t('on {0}', network)),
    parts.actions && copyLink(t('Copy'), transaction),
  );
}

/** Markdown of what is known without asking anybody; empty when a hover should say nothing. */
export function aptosLocalMarkdown(subject: AptosSubject, context: AptosLocalContext): string {
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
