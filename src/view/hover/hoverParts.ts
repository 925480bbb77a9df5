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
