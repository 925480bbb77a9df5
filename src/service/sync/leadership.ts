// Which of several processes over one store follows the chain: this one while it has the right, or another one.
import type { Store } from '../store/store.ts';

export interface Leadership {
  /** Whether this process may write: always, unless the store is shared and another one follows the chain just now. */
  has(store: Store): Promise<boolean>;
  /** Gives the right back: others may be waiting for it. */
  letGo(): Promise<void>;
}

export function createLeadership(): Leadership {
  let held: { readonly store: Store; release(): Promise<void> } | null = null;
  const letGo = async () => {
    const given = held;
    held = null;
    await given?.release();
  };
  return {
    letGo,
    async has(store) {
      if (store.lead === undefined) return true;
      if (held?.store === store) return true;
      await letGo();
      const release = await store.lead();
      if (release !== null) held = { store, release };
      return release !== null;
    },
  };
}
