// A transaction of Aptos as lines of text, for the look-up box.
import type { AptosNothingFound, AptosTransactionSummary } from '../../api/lookups.ts';
import { joinParts, sanitizeText } from '../../base/displayText.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { t } from '../../base/localize.ts';

const STATUS: Readonly<Record<AptosTransactionSummary['status'], () => string>> = {
  success: () => t('Success'),
  failed: () => t('Failed'),
  pending: () => t('Pending'),
};

/** The texts of the chain are hostile: without control and direction characters. */
export function formatAptosTransaction(
  summary: AptosTransactionSummary | AptosNothingFound,
  network: string,
): readonly string[] {
  if (summary.kind === 'aptosNothing') return [t('Not found on {0}', t('Aptos {0}', network))];
  const { status, vmStatus, sender, entryFunction, version, blockHeight, time, hash } = summary;
  return [
    joinParts(STATUS[status](), status === 'failed' && vmStatus !== null && sanitizeText(vmStatus, 200)),
    joinParts(
      sender !== null && t('by {0}', sender),
      entryFunction !== null && t('calls {0}', sanitizeText(entryFunction, 120)),
    ),
    joinParts(
      version !== null && t('Version {0}', formatInteger(version)),
      blockHeight !== null && t('block {0}', formatInteger(blockHeight)),
      time?.toISOString() ?? false,
    ),
    hash,
  ].filter(line => line !== '');
}
