// What one look at a failed message brought to light, before it is put into lines, columns and a sentence.
import type { SiweField } from './siweMessage.ts';
import type { SiweFix } from './siweProblem.ts';

export interface Finding {
  /** Offsets of the text to underline. */
  readonly at: number;
  readonly end: number;
  readonly field: SiweField;
  readonly found: string;
  readonly allowed: string;
  readonly fix?: SiweFix | undefined;
}
