// docs/reference.md matches src/api.
import { test } from 'vitest';
import { expectCurrent, generatedFiles } from '../../scripts/generatedFiles.ts';

test('docs/reference.md says what src/api says', () => {
  expectCurrent(generatedFiles['docs/reference.md']);
});
