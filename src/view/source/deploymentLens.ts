// What is shown above a contract in Solidity: `2 deployments: vault (Local dev chain), your build · …`.
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { sanitizeText } from '../../base/displayText.ts';
import type { Hex } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { FunctionDifference } from '../../decode/source/codeDifference.ts';

export interface ShownDeployment {
  readonly name: string;
  readonly address: Hex;
  readonly chainTitle: string;
  /** `your build`, or how it differs. */
  readonly state: string;
  /** Sources were edited since the build. */
  readonly isEdited: boolean;
}

/** Where the functions in which it differs are not known: the build has no lines, or the compiler's own code differs. */
export const formatUnknownDifference = (state: string): string => t('{0}; in which functions is not known', state);

/** How a deployment differs from the build, by functions: `differs in 2 functions: deposit, withdraw`. */
export function formatFunctionDifference({ different, all, isInferred }: FunctionDifference): string {
  const names = different.slice(0, MAX_FUNCTIONS).map(name => sanitizeText(name, 60));
  const list = [...names, ...(different.length > names.length ? ['…'] : [])].join(', ');
  if (different.length === all && all > 1) return t('differs in all functions');
  if (isInferred)
    return different.length === 1
      ? t('differs in 1 function (inferred): {0}', list)
      : t('differs in {0} functions (inferred): {1}', different.length, list);
  return different.length === 1
    ? t('differs in 1 function: {0}', list)
    : t('differs in {0} functions: {1}', different.length, list);
}

const MAX_FUNCTIONS = 3;
const MAX_SHOWN = 3;

/** `unread`: how many have the contract's name on chains that are only read after a click, or did not respond. */
export function formatDeployments(found: readonly ShownDeployment[], unread: number): string {
  if (found.length === 0 && unread === 0) return t('No known deployment');
  const isRepeated = (each: ShownDeployment) =>
    found.some(other => other !== each && other.name === each.name && other.chainTitle === each.chainTitle);
  const shown = found.slice(0, MAX_SHOWN).map(each => {
    const { address, chainTitle, state, isEdited } = each;
    const name = sanitizeText(each.name, 60);
    const place = isRepeated(each) ? `${name} ${toShortDisplayAddress(address)}` : name;
    const text = t('{0} ({1}): {2}', place, chainTitle, state);
    return isEdited ? t('{0}, source edited since', text) : text;
  });
  const more = found.length - shown.length;
  const others =
    unread === 1
      ? t('1 deployment on a chain that was not read')
      : t('{0} deployments on chains that were not read', unread);
  return [...shown, ...(more > 0 ? [t('{0} more', more)] : []), ...(unread > 0 ? [others] : [])].join(' · ');
}
