// Ids of views and context keys, which the manifest and the extension share.

export const viewIds = {
  service: 'hexlens.service',
  addresses: 'hexlens.addresses',
  activity: 'hexlens.activity',
} as const;

/** Context keys of `when` clauses, which the extension sets. */
export const contextKeys = {
  /** SecretStorage holds at least one API key. */
  hasApiKey: 'hexlens.hasApiKey',
  /** The HTTP service is running. */
  httpRunning: 'hexlens.httpRunning',
  /** The Addresses view shows only what matches its filter. */
  addressesFiltered: 'hexlens.addressesFiltered',
  /** A hover was shown in this window. */
  hovered: 'hexlens.hovered',
  /** The look-up history of this workspace has an entry. */
  lookedUp: 'hexlens.lookedUp',
  /** The address book has an entry. */
  hasSavedAddress: 'hexlens.hasSavedAddress',
  /** Something is watched in this workspace. */
  watching: 'hexlens.watching',
  /** A line of a source shows why a transaction failed. */
  failureShown: 'hexlens.failureShown',
  /** Lines of sources show their gas. */
  gasShown: 'hexlens.gasShown',
  /** The extension runs in a browser, without Node.js. */
  inBrowser: 'hexlens.inBrowser',
} as const;
