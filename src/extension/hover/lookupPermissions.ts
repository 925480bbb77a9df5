// What the user allowed by a click, for this session: a literal that had no evidence, an address on a public chain.

export interface LookupPermissions {
  allow(chain: string, text: string): void;
  isAllowed(chain: string, text: string): boolean;
}

const LIMIT = 1_000;

/** Remembers at most the last thousand clicks; nothing is written down. */
export function createLookupPermissions(): LookupPermissions {
  const clicks = new Set<string>();
  const keyOf = (chain: string, text: string) => `${chain} ${text.toLowerCase()}`;
  return {
    allow(chain, text) {
      clicks.add(keyOf(chain, text));
      if (clicks.size > LIMIT) for (const oldest of clicks) return void clicks.delete(oldest);
    },
    isAllowed: (chain, text) => clicks.has(keyOf(chain, text)),
  };
}
