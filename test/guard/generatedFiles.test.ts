// The drift guard: it finds outdated files, names the command, and rewrites them where it may.
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectCurrent, type GeneratedFile, isCurrent, updateGenerated } from '../../scripts/generatedFiles.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

const prose: GeneratedFile = { path: 'docs/prose.md', render: () => '# Right\n' };
const part: GeneratedFile = {
  path: 'part.json',
  render: current => JSON.stringify({ ...(JSON.parse(current) as object), made: [1, 2] }),
};

let folder = '';
beforeEach(() => {
  folder = `${createTemporaryFolder('hexlens-generated-')}/`;
});

describe('expectCurrent', () => {
  test('accepts a file that is up to date', () => {
    updateGenerated(prose, folder);
    expect(() => expectCurrent(prose, folder, {})).not.toThrow();
    expect(updateGenerated(prose, folder)).toBe(false);
  });

  test('fails in CI, names the command, and does not change the file', () => {
    updateGenerated(prose, folder);
    writeFileSync(folder + prose.path, '# Wrong\n');
    for (const environment of [{ CI: 'true' }, { HEXLENS_UPDATE: '0' }])
      expect(() => expectCurrent(prose, folder, environment)).toThrow(
        'docs/prose.md is out of date: run `npm run manifest`, look at the difference and commit it.',
      );
    expect(readFileSync(folder + prose.path, 'utf8')).toBe('# Wrong\n');
  });

  test('rewrites the file elsewhere and fails once', () => {
    updateGenerated(prose, folder);
    writeFileSync(folder + prose.path, '# Right\r\n');
    expect(() => expectCurrent(prose, folder, {})).toThrow(/^docs\/prose\.md was out of date and has been rewritten/);
    expect(() => expectCurrent(prose, folder, {})).not.toThrow();
  });

  test('fails for a missing file', () => {
    expect(() => expectCurrent(prose, folder, { CI: '1' })).toThrow(/^docs\/prose\.md is missing/);
    expect(() => expectCurrent(prose, folder, {})).toThrow(/^docs\/prose\.md was missing/);
    expect(() => expectCurrent(prose, folder, {})).not.toThrow();
  });

  test('changes only the generated part of a file', () => {
    writeFileSync(folder + part.path, '{"mine": true, "made": [2, 1]}');
    expect(() => expectCurrent(part, folder, {})).toThrow(/rewritten/);
    expect(JSON.parse(readFileSync(folder + part.path, 'utf8'))).toEqual({ mine: true, made: [1, 2] });
  });
});

describe('isCurrent', () => {
  test('ignores layout and order of keys in JSON, but not the order of items', () => {
    expect(isCurrent(part, '{\n  "made": [1,\n 2], "mine": true }')).toBe(true);
    expect(isCurrent(part, '{"made": [2, 1]}')).toBe(false);
    expect(isCurrent(part, '{}')).toBe(false);
  });
});
