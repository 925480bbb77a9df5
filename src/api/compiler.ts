// A run of a Solidity compiler that is installed on this machine.
import type { LocalizableText } from '../base/localize.ts';

export interface CompilerRequest {
  /** Such as `0.8.30+commit.73712a01`. */
  readonly version: string;
  /** Standard JSON. */
  readonly input: string;
  /** Path of the artifact whose project it is for. */
  readonly artifact: string;
}

/** Standard JSON, or why it cannot run, as the end of a sentence. */
export type RunCompiler = (
  request: CompilerRequest,
) => Promise<{ readonly output: Uint8Array } | { readonly problem: LocalizableText }>;
