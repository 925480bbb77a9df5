// The text of a source as it was built, where its file has another text or there is none: named by its hash.
import { keccak256 } from 'ox/Hash';
import type { BuiltSource } from '../../api/transactionStack.ts';

export const getTextHash = (text: string): string =>
  keccak256(new TextEncoder().encode(text), { as: 'Hex' }).slice(2, 34);

/** Whether only the build has the text. */
export const isOnlyBuilt = ({ text, file, isChanged }: BuiltSource): boolean =>
  text !== null && (isChanged || file === null);

/** Such texts of the builds that were read. */
export class BuiltTexts {
  readonly #sources = new Map<string, BuiltSource>();

  add(sources: readonly BuiltSource[]): void {
    for (const source of sources)
      if (isOnlyBuilt(source) && source.text !== null) this.#sources.set(getTextHash(source.text), source);
  }

  get(hash: string): BuiltSource | null {
    return this.#sources.get(hash) ?? null;
  }
}
