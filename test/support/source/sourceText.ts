import { SourceText } from '../../../src/decode/source/sourceText.ts';

/** A source whose file is as it was built. */
export const createSourceText = (text: string, path = 'src/A.sol'): SourceText =>
  new SourceText({ id: 0, path, text, file: path, isChanged: false }, text);
