// The module that bundleSuite.ts generates from the *.suite.ts files it finds.

declare module 'hexlens:suites' {
  /** In order of file name; `load` runs the file, which declares its tests with Mocha's globals. */
  export const suites: readonly { readonly file: string; readonly load: () => Promise<unknown> }[];
}
