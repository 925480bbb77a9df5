// Names shown instead of hex: of addresses, events and functions, sent along with the rows that need them.

export interface HexNames {
  /** Lower-case address -> the saved or well-known name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** topic0 -> canonical signatures; more than one is ambiguous. */
  readonly events: Readonly<Record<string, readonly string[]>>;
  /** Selector -> canonical signatures; more than one is ambiguous. */
  readonly methods: Readonly<Record<string, readonly string[]>>;
}

export const noHexNames: HexNames = { addresses: {}, events: {}, methods: {} };

export function mergeHexNames(a: HexNames, b: HexNames): HexNames {
  return {
    addresses: { ...a.addresses, ...b.addresses },
    events: { ...a.events, ...b.events },
    methods: { ...a.methods, ...b.methods },
  };
}
