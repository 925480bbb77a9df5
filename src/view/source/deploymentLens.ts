// What is shown above a contract in Solidity: `2 deployments: vault (Local dev chain), your build · …`.
import { sanitizeText } from '../../base/displayText.ts';
import { t } from '../../base/localize.ts';

export interface ShownDeployment {
  readonly name: string;
  readonly chainTitle: string;
  /** `your build`, or how it differs. */
  readonly state: string;
  /** Sources were edited since the build. */
  readonly isEdited: boolean;
}

const MAX_SHOWN = 3;

export function formatDeployments(found: readonly ShownDeployment[]): string {
  if (found.length === 0) return t('No known deployment');
  const shown = found.slice(0, MAX_SHOWN).map(({ name, chainTitle, state, isEdited }) => {
    const text = t('{0} ({1}): {2}', sanitizeText(name, 60), chainTitle, state);
    return isEdited ? t('{0}, source edited since', text) : text;
  });
  const more = found.length - shown.length;
  return [...shown, ...(more > 0 ? [t('{0} more', more)] : [])].join(' · ');
}
