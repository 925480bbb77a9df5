// Members of enums, which an ABI does not have, in the sources of an artifact's build.

import { parseOutline } from './solidityOutline.ts';
import { toByteText } from './solidityTokens.ts';
import { type ProjectFiles, readSourceBuild } from './sourceBuild.ts';

/**
 * By name with the contract that declares it, `Vault.Status`; without those that sources of the build declare differently, and
 * empty where the build does not have its sources. Never rejects.
 */
export async function readEnums(
  files: ProjectFiles,
  artifact: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const read = await readSourceBuild(files, artifact);
  const sources = 'build' in read ? read.build.sources : [];
  const texts = sources.flatMap(({ text }) => (text?.includes('enum ') ? [toByteText(text)] : []));
  const byName = Map.groupBy(
    texts.flatMap(text => parseOutline(text).enums),
    ({ name }) => name,
  );
  return new Map(
    [...byName].flatMap(([name, [first, ...others]]) => {
      const isOne = others.every(({ members }) => members.join() === first?.members.join());
      return first !== undefined && isOne ? [[name, first.members] as const] : [];
    }),
  );
}
