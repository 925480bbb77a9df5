// ENS names that hovers and the inspector have looked up, shown again without a request.
import type { LookupId, LookupInput, LookupOutput } from '../../api/lookups.ts';

export type EnsNames = ReturnType<typeof createEnsNames>;

const MAX_NAMES = 1_000;

export function createEnsNames() {
  const names = new Map<string, string>();
  return {
    /** `null` for an address whose name was not looked up in this session, or that has none. */
    get: (address: string): string | null => names.get(address.toLowerCase()) ?? null,
    get size() {
      return names.size;
    },
    /** Notes the output of a lookup; returns whether a name is new. */
    note<Id extends LookupId>(id: Id, input: LookupInput<Id>, output: LookupOutput<Id>): boolean {
      if (id !== 'ensName') return false;
      const address = (input as LookupInput<'ensName'>).address.toLowerCase();
      const { name } = output as LookupOutput<'ensName'>; // the output of that id
      if ((names.get(address) ?? null) === name) return false;
      names.delete(address);
      if (name !== null) names.set(address, name);
      if (names.size > MAX_NAMES) for (const oldest of names.keys()) return names.delete(oldest);
      return true;
    },
    /** Such as after a change of the nodes. */
    clear: () => names.clear(),
  };
}
