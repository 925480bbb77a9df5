// Literals that the user allowed by a click to be sent to a chain, for this session only.

const MAX_PERMISSIONS = 1_000;

export type LookupPermissions = ReturnType<typeof createLookupPermissions>;

export function createLookupPermissions() {
  const allowed = new Set<string>();
  const getKey = (chain: string, text: string) => `${chain} ${text.toLowerCase()}`;
  return {
    allow(chain: string, text: string) {
      allowed.add(getKey(chain, text));
      if (allowed.size > MAX_PERMISSIONS) for (const oldest of allowed) return void allowed.delete(oldest);
    },
    isAllowed: (chain: string, text: string): boolean => allowed.has(getKey(chain, text)),
  };
}
