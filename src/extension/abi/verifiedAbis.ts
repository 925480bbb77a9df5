// ABIs that Sourcify-like hosts sent, in the registry of the workspace's ABIs and in a file for later sessions.
import { isOwnNode } from '../../api/chains.ts';
import type { VerifiedAbi } from '../../api/lookups.ts';
import { toShortDisplayAddress } from '../../base/displayAddress.ts';
import { type Hex, isAddress } from '../../base/hex.ts';
import { t } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { readAbi } from '../../decode/abiItem.ts';
import type { AbiRegistry } from '../../decode/abiRegistry.ts';

export interface VerifiedContract extends NonNullable<VerifiedAbi['found']> {
  /** Selector. */
  readonly chain: string;
  readonly address: Hex;
}

/** The file of the extension's storage. */
export interface VerifiedAbiFile {
  /** `null` when there is none. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

export interface VerifiedAbisDeps {
  readonly file: VerifiedAbiFile;
  readonly registry: Pick<AbiRegistry, 'set'>;
  readonly log: Log;
}

/** Contracts that are stored; beyond that the oldest are dropped. */
export const MAX_CONTRACTS = 200;
export const MAX_FILE_LENGTH = 4_000_000;

const getKey = ({ chain, address }: VerifiedContract) => `${chain} ${address.toLowerCase()}`;

const isContract = (value: unknown): value is VerifiedContract => {
  const { chain, address, host, match, name, abi } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    [chain, host, abi].every(text => typeof text === 'string') &&
    typeof address === 'string' &&
    isAddress(address) &&
    (match === 'exact' || match === 'partial') &&
    (name === null || typeof name === 'string')
  );
};

function parseFile(text: string): readonly VerifiedContract[] {
  const contracts: unknown = (JSON.parse(text) as { readonly contracts?: unknown } | null)?.contracts;
  return Array.isArray(contracts) ? contracts.filter(isContract) : [];
}

/** The newest first, as many as there is room for. */
function serialize(contracts: readonly VerifiedContract[]): string {
  let length = 100;
  const fitting = contracts.slice(0, MAX_CONTRACTS).filter(contract => {
    length += JSON.stringify(contract).length + 1;
    return length <= MAX_FILE_LENGTH;
  });
  return JSON.stringify({ contracts: fitting });
}

/** "Vault, exact match at sourcify.dev". */
export function describeVerifiedContract({ address, host, match, name }: VerifiedContract): string {
  const contract = name ?? toShortDisplayAddress(address);
  return match === 'exact'
    ? t('{0}, exact match at {1}', contract, host)
    : t('{0}, partial match at {1}', contract, host);
}

export type VerifiedAbis = ReturnType<typeof createVerifiedAbis>;

export function createVerifiedAbis({ file, registry, log }: VerifiedAbisDeps) {
  const queue = new SerialQueue();

  /** Whether its ABI could be read. */
  function register(contract: VerifiedContract): boolean {
    try {
      const items = readAbi(JSON.parse(contract.abi), describeVerifiedContract(contract));
      const contracts = [{ address: contract.address.toLowerCase(), chains: [contract.chain] }];
      registry.set({ id: `verified ${getKey(contract)}`, items, contracts });
      return true;
    } catch (error) {
      log.warn(`The verified ABI of ${contract.address} could not be read: ${String(error)}`);
      return false;
    }
  }

  async function readFile(): Promise<readonly VerifiedContract[]> {
    try {
      const text = await file.read();
      return text === null ? [] : parseFile(text);
    } catch (error) {
      log.warn(`The stored ABIs of verified contracts could not be read: ${String(error)}`);
      return [];
    }
  }

  return {
    /** Adds those to the registry that these hosts sent in former sessions. Never rejects. */
    load: (hosts: readonly string[]): Promise<void> =>
      queue.run(async () => {
        // A host that the user has removed from the settings is not trusted any more.
        for (const contract of await readFile()) {
          if (hosts.includes(contract.host)) register(contract);
        }
      }),
    /** Resolves when they are in the registry and stored. Never rejects. */
    add: (contracts: readonly VerifiedContract[]): Promise<void> =>
      queue.run(async () => {
        const registered = contracts.filter(register);
        // The chain of a local node may be another one tomorrow.
        const added = registered.filter(({ chain }) => !isOwnNode(chain));
        if (added.length === 0) return;
        const keys = new Set(added.map(getKey));
        // Another window may have stored others.
        const others = (await readFile()).filter(contract => !keys.has(getKey(contract)));
        await file
          .write(serialize([...added, ...others]))
          .catch(error => log.warn(`ABIs of verified contracts could not be stored: ${String(error)}`));
      }),
  };
}
