// Context keys that `when` clauses of the manifest ask and the host sets, written once.

export const contextKeys = {
  /** SecretStorage holds at least one API key. */
  hasApiKey: 'hexlens.hasApiKey',
  /** The HTTP service is running. */
  httpRunning: 'hexlens.httpRunning',
  /** The Addresses view shows only what matches its filter. */
  addressesFiltered: 'hexlens.addressesFiltered',
} as const;

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];
