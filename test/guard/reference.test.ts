// docs/reference.md says what the contract says.
import { test } from 'vitest';
import { expectCurrent, generatedFiles } from './generated.ts';

test('docs/reference.md says what src/contract says', () => {
  expectCurrent(generatedFiles['docs/reference.md']);
});
