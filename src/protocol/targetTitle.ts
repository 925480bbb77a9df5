// Titles of targets: in a tab, in breadcrumbs, in the file name of an export.
import { operations } from '../api/operations/operations.ts';
import { shortenHex } from '../base/displayText.ts';
import { t, translate } from '../base/localize.ts';
import type { InspectorTarget } from './inspectorTarget.ts';

/** The saved or well-known name of an address, or `null`. */
export type GetAddressName = (address: string, chain: string) => string | null;

/** Digits in groups of three, hashes shortened. */
const formatBlock = (block: string) =>
  /^\d+$/.test(block) ? block.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : shortenHex(block);

export function getTargetTitle(target: InspectorTarget, getName: GetAddressName): string {
  switch (target.kind) {
    case 'block':
      return target.block === 'latest' ? t('Latest blocks') : t('Block {0}', formatBlock(target.block));
    case 'transaction':
      return t('Transaction {0}', shortenHex(target.hash));
    case 'address':
      return getName(target.address, target.chain) ?? t('Address {0}', shortenHex(target.address));
    case 'operation': {
      const title = translate(operations[target.operation].title);
      const address = Object.values(target.parameters).find(
        (text): text is string => typeof text === 'string' && /^0x[0-9a-f]{10,}$/i.test(text),
      );
      return address === undefined ? title : `${title}: ${getName(address, 'any') ?? shortenHex(address)}`;
    }
  }
}
