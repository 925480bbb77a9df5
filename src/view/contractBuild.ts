// Which contract of the workspace a contract on a chain is, in words: `Vault (src/Vault.sol), your build`.
import type { ContractProxy } from '../api/lookups.ts';
import { formatInteger } from '../base/formatUnits.ts';
import type { Hex } from '../base/hex.ts';
import { t } from '../base/localize.ts';
import type { KnownCode } from '../detect/knownCode.ts';

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
}

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

/** `your build`, or how it differs. */
export function formatBuildState({ difference }: FoundBuild): string {
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
