export interface GeneratedFile {
  /** From the root of the project. */
  readonly path: string;
  /** What the file has to be; `current` is what it is now, for files that are generated in part. */
  render(current: string): string;
}
export declare const generatedFiles: {
  readonly 'docs/reference.md': {
    readonly path: 'docs/reference.md';
    readonly render: () => string;
  };
  readonly 'media/addresses.schema.json': {
    readonly path: 'media/addresses.schema.json';
    readonly render: () => string;
  };
  readonly 'package.nls.json': {
    readonly path: 'package.nls.json';
    readonly render: () => string;
  };
  readonly 'package.json': {
    readonly path: 'package.json';
    readonly render: (current: string) => string;
  };
};
/** How to bring every generated file up to date by hand. */
export declare const WRITE_COMMAND = 'node scripts/generate.ts';
/** JSON says the same in any layout and order of keys; other text only letter by letter. */
export declare function isCurrent({ path, render }: GeneratedFile, current: string): boolean;
export declare function readGenerated({ path }: GeneratedFile, folder?: string): string | null;
/** Writes the file anew if it is out of date; `true` when it was. */
export declare function updateGenerated(file: GeneratedFile, folder?: string): boolean;
/**
 * Throws where a generated file is out of date, with what to do. Away from CI the file is rewritten first, so that there
 * is something to look at; `HEXLENS_UPDATE=0` keeps it as it is.
 */
export declare function expectCurrent(file: GeneratedFile, folder?: string, environment?: NodeJS.ProcessEnv): void;
