// Which contract of the workspace a contract on a chain is, in words: `Vault (src/Vault.sol), your build`.
import type { ContractProxy } from '../api/lookups.ts';
import { sanitizeText } from '../base/displayText.ts';
import { formatInteger } from '../base/formatUnits.ts';
import type { Hex } from '../base/hex.ts';
import { t } from '../base/localize.ts';
import type { DeploymentTool } from '../decode/artifactOrigin.ts';
import type { KnownCode } from '../detect/knownCode.ts';
import { formatUtcTime } from './formatTime.ts';

/** A contract of the workspace that has the code of one on a chain. */
export interface FoundBuild {
  readonly name: string;
  /** Path below the project's folder; `null` when the artifact does not say. */
  readonly source: string | null;
  /** The artifacts of the contract, as the registry of ABIs names them. */
  readonly ids: readonly string[];
  /** `null`: it is this build. */
  readonly difference: {
    /** Bytes that differ; `null` when the sizes differ. */
    readonly bytes: number | null;
    /** Without metadata. */
    readonly size: number;
    readonly builtSize: number;
  } | null;
  /** Where this code was found, when it is not in the project's own build. */
  readonly copy: BuildCopy | null;
}

export interface BuildCopy {
  /** The tool that deployed it; `null` for other copies. */
  readonly tool: DeploymentTool | null;
  /** Below the workspace. */
  readonly path: string;
  /** When it was deployed, in milliseconds; `null` where the tool's record and the chain do not tell. */
  readonly deployedAt: number | null;
  /** Artifacts of the project's own build of the contract, which is another one. */
  readonly ownIds: readonly string[];
}

/** Whether the code is that of the project's own build. */
export const isOwnBuild = ({ difference, copy }: FoundBuild): boolean => difference === null && copy === null;

export interface IdentifiedContract {
  readonly address: Hex;
  /** `null` where no contract of the workspace has this code. */
  readonly build: FoundBuild | null;
  readonly proxy: ContractProxy | null;
  /** What runs: the implementations of a proxy, what an account delegates to; empty for other contracts. */
  readonly implementations: readonly { readonly address: Hex; readonly build: FoundBuild | null }[];
  /** ABIs of this contract and of what is behind it that do not come from its code, as the registry of ABIs names them. */
  readonly abiIds: readonly string[];
}

export function formatCopy({ tool, path, deployedAt }: BuildCopy): string {
  if (tool === null) return t('as in {0}', sanitizeText(path, 120));
  if (deployedAt === null) return t('as deployed by {0}', tool);
  return t('as deployed by {0} on {1}', tool, formatUtcTime(new Date(deployedAt)).slice(0, 10));
}

/** `your build`, how it differs, or where this code was found: `as deployed by Ignition on 2026-11-25; your build differs`. */
export function formatBuildState({ difference, copy }: FoundBuild): string {
  if (copy !== null) return copy.ownIds.length > 0 ? t('{0}; your build differs', formatCopy(copy)) : formatCopy(copy);
  if (difference === null) return t('your build');
  const { bytes, size, builtSize } = difference;
  if (bytes === null)
    return t(
      'not your build: {0} bytes of code here, {1} in your build',
      formatInteger(size),
      formatInteger(builtSize),
    );
  return bytes === 1
    ? t('differs from your build in 1 byte')
    : t('differs from your build in {0} bytes', formatInteger(bytes));
}

/** `Same code as Multicall3`. */
export const formatKnownCode = ({ name, relation }: KnownCode): string =>
  relation === 'copy' ? t('Same code as {0}', name) : t('Not the known {0}: other code here', name);

/** `Vault (src/Vault.sol)`. */
export const formatBuildName = ({ name, source }: FoundBuild): string =>
  source === null ? name : `${name} (${source})`;

/** The build of what runs: the first implementation of a proxy, else the contract itself. */
export const getRunningBuild = ({ build, implementations }: IdentifiedContract): FoundBuild | null =>
  implementations.find(target => target.build !== null)?.build ?? build;
