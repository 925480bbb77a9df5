// The parts of a hover that can be switched off (`hexlens.hover.parts`).

export interface HoverParts {
  readonly kind: boolean;
  readonly checksum: boolean;
  readonly savedName: boolean;
  readonly signature: boolean;
  readonly balance: boolean;
  readonly contract: boolean;
  readonly token: boolean;
  readonly activity: boolean;
  readonly transaction: boolean;
  readonly block: boolean;
  readonly transfers: boolean;
  readonly nfts: boolean;
  readonly actions: boolean;
}

export const allHoverParts: HoverParts = {
  kind: true,
  checksum: true,
  savedName: true,
  signature: true,
  balance: true,
  contract: true,
  token: true,
  activity: true,
  transaction: true,
  block: true,
  transfers: true,
  nfts: true,
  actions: true,
};
