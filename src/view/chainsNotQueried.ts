import { t } from '../base/localize.ts';

/** Where else to look for what the chain of a page does not have. */
export const formatChainsNotQueried = (chains: readonly unknown[]): string =>
  chains.length > 1
    ? t('Other chains were not queried: choose one in the toolbar.')
    : t('No other chain is configured.');
