// The categories in which operations are picked.
import type { AnyOperation } from '../../api/operations/operation.ts';
import { type OperationId, operationIds, operations } from '../../api/operations/operations.ts';
import { t } from '../../base/localize.ts';

/** In the order of the picker. */
const CATEGORIES = ['chain', 'tokens', 'nfts', 'aptos', 'signIn'] as const;
type Category = (typeof CATEGORIES)[number];

/** From group and path, so that a new operation has a category without another table. */
function getCategory({ group, path }: Pick<AnyOperation, 'group' | 'path'>): Category {
  if (group === 'auth') return 'signIn';
  if (group === 'aptos') return 'aptos';
  if (/\/nft\b/.test(path)) return 'nfts';
  return /\b(erc20|balances?|tokens?|approvals?|price)\b/i.test(path) ? 'tokens' : 'chain';
}

const getTitle = (category: Category): string =>
  ({
    chain: t('Blocks, Transactions and Logs'),
    tokens: t('Balances and Tokens'),
    nfts: t('NFTs'),
    aptos: t('Aptos'),
    signIn: t('Sign-In'),
  })[category];

/** All operations, those of one category together. */
export function getOperationsByCategory(): readonly { readonly id: OperationId; readonly category: string }[] {
  return CATEGORIES.flatMap(category =>
    operationIds
      .filter(id => getCategory(operations[id]) === category)
      .map(id => ({ id, category: getTitle(category) })),
  );
}
