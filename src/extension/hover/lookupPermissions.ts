// Literals that the user allowed by a click to be sent to a chain, for this session only.

export interface LookupPermissions {
  allow(chain: string, text: string): void;
  isAllowed(chain: string, text: string): boolean;
}

const MAX_PERMISSIONS = 1_000;

export function createLookupPermissions(): LookupPermissions {
  const allowed = new Set<string>();
  const getKey = (chain: string, text: string) => `${chain} ${text.toLowerCase()}`;
  return {
    allow(chain, text) {
      allowed.add(getKey(chain, text));
      if (allowed.size > MAX_PERMISSIONS) for (const oldest of allowed) return void allowed.delete(oldest);
    },
    isAllowed: (chain, text) => allowed.has(getKey(chain, text)),
  };
}
