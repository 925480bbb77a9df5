// Types of the packages that make the animated picture, as far as it uses them.

declare module 'gifenc' {
  type Palette = readonly (readonly number[])[];
  interface Encoder {
    writeFrame(
      indices: Uint8Array,
      width: number,
      height: number,
      options: {
        readonly palette: Palette;
        readonly delay: number;
        readonly transparent?: boolean;
        readonly transparentIndex?: number;
        readonly dispose?: number;
      },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8ClampedArray, colors: number): Palette;
    applyPalette(rgba: Uint8ClampedArray, palette: Palette): Uint8Array;
  };
  export = gifenc;
}

declare module 'pngjs' {
  export const PNG: {
    readonly sync: {
      read(file: Buffer): { readonly width: number; readonly height: number; readonly data: Buffer };
    };
  };
}
