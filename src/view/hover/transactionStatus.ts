import { t } from '../../base/localize.ts';

/** The outcome of a transaction of any network. */
export const TRANSACTION_STATUS = {
  success: () => `$(pass) ${t('Success')}`,
  failed: () => `$(error) ${t('Failed')}`,
  pending: () => `$(clock) ${t('Pending')}`,
} as const;
