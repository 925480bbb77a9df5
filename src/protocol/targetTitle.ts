// What a target is called: in a tab, in breadcrumbs, in the file name of an export.

import { operations } from '../api/operations/operations.ts';
import { shortHex } from '../base/displayText.ts';
import { t, translated } from '../base/localize.ts';
import type { InspectorTarget } from './inspectorTarget.ts';

export type NameOf = (address: string, chain: string) => string | null;

/** Digits in groups of three, hashes shortened. */
const blockText = (block: string) =>
  /^\d+$/.test(block) ? block.replace(/\B(?=(\d{3})+(?!\d))/g, ',') : shortHex(block);

export function titleOf(target: InspectorTarget, nameOf: NameOf): string {
  switch (target.kind) {
    case 'block':
      return target.block === 'latest' ? t('Latest blocks') : t('Block {0}', blockText(target.block));
    case 'transaction':
      return t('Transaction {0}', shortHex(target.hash));
    case 'address':
      return nameOf(target.address, target.chain) ?? t('Address {0}', shortHex(target.address));
    case 'operation': {
      const title = translated(operations[target.operation].title);
      const subject = Object.values(target.parameters).find(
        (text): text is string => typeof text === 'string' && /^0x[0-9a-f]{10,}$/i.test(text),
      );
      return subject === undefined ? title : `${title}: ${nameOf(subject, 'any') ?? shortHex(subject)}`;
    }
  }
}
