// Contracts compiled for their declarations only, beside the storage layout that solc computed itself.
import type { ContractDeclarations, SolidityType, StorageMember } from '../../../src/api/contractDeclarations.ts';
import { readCompilerDeclarations } from '../../../src/decode/source/compilerDeclarations.ts';
import { JsonBytes } from '../../../src/decode/source/jsonBytes.ts';
import { type Compiler, compileSolidity } from './compileSolidity.ts';

/** solc's `storageLayout`. */
export interface SolcLayout {
  readonly storage: readonly SolcVariable[];
  readonly types: Readonly<Record<string, SolcType>> | null;
}

interface SolcVariable {
  readonly label: string;
  readonly slot: string;
  readonly offset: number;
  readonly type: string;
}

interface SolcType {
  readonly encoding: string;
  readonly numberOfBytes: string;
  readonly key?: string;
  readonly value?: string;
  readonly base?: string;
  readonly members?: readonly SolcVariable[];
}

export interface CompiledLayout {
  /** `path:contract` */
  readonly contract: string;
  readonly declarations: ContractDeclarations | null;
  readonly storage: SolcLayout;
  readonly transient: SolcLayout | null;
}

const OUTPUTS = ['storageLayout', 'transientStorageLayout'];

/** `sources`: text by path. */
export async function compileLayouts(
  compiler: Compiler,
  sources: ReadonlyMap<string, string>,
): Promise<readonly CompiledLayout[]> {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].map(([path, content]) => [path, { content }])),
    settings: {
      outputSelection: { '*': { '*': compiler === 'solc-0.6' ? OUTPUTS.slice(0, 1) : OUTPUTS, '': ['ast'] } },
    },
  };
  const output = compileSolidity<{ readonly storageLayout: SolcLayout; readonly transientStorageLayout?: SolcLayout }>(
    input,
    compiler,
  );
  const encode = (value: unknown) => new JsonBytes(new TextEncoder().encode(JSON.stringify(value)));
  const run = { input: encode(input), output: encode(output) };
  const layouts: CompiledLayout[] = [];
  for (const [path, contracts] of Object.entries(output.contracts)) {
    for (const [name, { storageLayout, transientStorageLayout = null }] of Object.entries(contracts)) {
      const declarations = await readCompilerDeclarations(run, { path, name });
      layouts.push({
        contract: `${path}:${name}`,
        declarations,
        storage: storageLayout,
        transient: transientStorageLayout,
      });
    }
  }
  return layouts;
}

/** A layout as one line per variable, with its types down to what can be read from a slot. */
export function describeSolcLayout({ storage, types }: SolcLayout): readonly string[] {
  const describe = (id: string, open: readonly string[]): string => {
    const type = types?.[id];
    if (type === undefined || open.includes(id)) return '…';
    const inner = [...open, id];
    const { encoding, numberOfBytes, key, value, base, members } = type;
    if (key !== undefined && value !== undefined) return `mapping ${describe(key, inner)} ${describe(value, inner)}`;
    if (base !== undefined) return `${encoding} ${numberOfBytes} of ${describe(base, inner)}`;
    if (members === undefined) return `${encoding} ${numberOfBytes}`;
    return `${encoding} ${numberOfBytes} {${members.map(member => line(member, inner)).join(', ')}}`;
  };
  const line = ({ label, slot, offset, type }: SolcVariable, open: readonly string[]): string =>
    `${label} ${slot}+${offset} ${describe(type, open)}`;
  return storage.map(each => line(each, []));
}

/** The same of our own layout; namespaces left out, which solc does not list. */
export function describeLayout(
  { types }: ContractDeclarations,
  variables: readonly (StorageMember & { readonly namespace?: string })[],
): readonly string[] {
  const describe = (index: number, open: readonly number[]): string => {
    const type = types[index] as SolidityType;
    if (open.includes(index)) return '…';
    const inner = [...open, index];
    const size = type.slots === 1n && type.bytes < 32 ? type.bytes : 32n * type.slots;
    switch (type.kind) {
      case 'mapping':
        return `mapping ${describe(type.key, inner)} ${describe(type.value, inner)}`;
      case 'array':
        return `${type.length === null ? 'dynamic_array' : 'inplace'} ${size} of ${describe(type.base, inner)}`;
      case 'struct':
        return `inplace ${size} {${type.members.map(member => line(member, inner)).join(', ')}}`;
      case 'string':
      case 'bytes':
        return `bytes ${size}`;
      default:
        return `inplace ${size}`;
    }
  };
  const line = ({ name, slot, offset, type }: StorageMember, open: readonly number[]): string =>
    `${name} ${slot}+${offset} ${describe(type, open)}`;
  return variables.filter(({ namespace }) => namespace === undefined).map(each => line(each, []));
}
