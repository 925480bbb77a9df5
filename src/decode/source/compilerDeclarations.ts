// Reads what a contract declares from the standard JSON of a compiler's run.
import type { ContractDeclarations } from '../../api/contractDeclarations.ts';
import { readAstDeclarations } from './astDeclarations.ts';
import type { JsonBytes } from './jsonBytes.ts';
import { readLayoutDeclarations } from './layoutDeclarations.ts';
import { SyntaxTrees, toNode } from './syntaxTree.ts';

export interface CompilerRun {
  readonly input: JsonBytes | null;
  readonly output: JsonBytes | null;
  /** Of the compiler, such as `0.8.30+commit.73712a01`; empty where the build does not say. */
  readonly version?: string;
}

const toMap = (object: JsonBytes | null | undefined): ReadonlyMap<string, JsonBytes> =>
  new Map(object?.members() ?? []);

/** `null` where the output has neither syntax trees nor a storage layout. */
export async function readCompilerDeclarations(
  { input, output }: CompilerRun,
  { path, name }: { readonly path: string; readonly name: string },
): Promise<ContractDeclarations | null> {
  const sources = toMap(output?.get('sources'));
  const texts = toMap(input?.get('sources'));
  // One source at a time: all of them may have some hundred megabytes.
  const readTree = async (source: string) => toNode(sources.get(source)?.get('ast')?.parse());
  const trees = await SyntaxTrees.read(path, readTree);
  const contract = output?.get('contracts', path, name);
  const getText = (source: string): string | null => {
    const text = texts.get(source)?.get('content')?.parse();
    return typeof text === 'string' ? text : null;
  };
  const immutableReferences = contract?.get('evm', 'deployedBytecode', 'immutableReferences')?.parse();
  return (
    readAstDeclarations({ path, name, trees, immutableReferences, getText }) ??
    readLayoutDeclarations(contract?.get('storageLayout')?.parse(), contract?.get('transientStorageLayout')?.parse())
  );
}
