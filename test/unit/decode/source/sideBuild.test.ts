import { expect, test } from 'vitest';
import { createForgeArguments } from '../../../../src/decode/source/sideBuild.ts';

test('downloads no compiler, and writes only below the given folder', () => {
  const words = createForgeArguments('/project', '/cache/builds/1');
  expect(words).toContain('--offline');
  expect(words.filter(word => word.startsWith('/'))).toEqual([
    '/project',
    '/cache/builds/1/out',
    '/cache/builds/1/cache',
  ]);
});
