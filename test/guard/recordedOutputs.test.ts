// The recorded outputs of solc are what it writes for the contracts of the tests.
import { describe, expect, test } from 'vitest';
import { readRecordedContracts } from '../support/chain/compileContracts.ts';
import { GANACHE_EVM } from '../support/chain/ganache.ts';
import { getCompilationKey, runCompiler } from '../support/source/compileSolidity.ts';
import { createRecordedInput, listRecordedFiles, listRecordedTexts } from '../support/source/recordedOutputs.ts';

const outputs = listRecordedFiles().flatMap(({ sources, outputs }) =>
  outputs.map(each => ({ ...each, sources, input: createRecordedInput(sources, each.settings) })),
);

const texts = listRecordedTexts().flatMap(({ outputs }) => outputs);

describe('the recorded outputs of solc', () => {
  test('are of the contracts as they are now; otherwise: npm run record:solc', () => {
    const outdated = outputs.filter(({ compiler, input, key }) => getCompilationKey(compiler, input) !== key);
    expect(outputs.length).toBeGreaterThan(50);
    expect(new Set(outdated.flatMap(({ sources }) => sources))).toEqual(new Set());
  });

  test('are of the texts beside them', () => {
    expect(texts.filter(({ compiler, input, key }) => getCompilationKey(compiler, input) !== key)).toEqual([]);
  });

  test.each(['cancun', GANACHE_EVM] as const)('are of the test chain as it is now, for %s', async evmVersion => {
    expect(Object.keys((await readRecordedContracts(evmVersion)) ?? {})).toContain('Token');
  });

  // Two of each version, and none that is optimized: compiling all of them takes minutes.
  test.each(['solc', 'solc-0.6', 'solc-0.8.19', 'solc-0.8.37'] as const)('are what %s writes', compiler => {
    for (const recorded of [outputs, texts]) {
      const [shortest] = recorded
        .filter(each => each.compiler === compiler && !/"(optimizer|viaIR)"/.test(each.input))
        .sort((a, b) => a.output.length - b.output.length);
      if (shortest !== undefined) expect(runCompiler(compiler, shortest.input)).toBe(shortest.output);
    }
  });
});
