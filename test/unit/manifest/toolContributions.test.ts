// The schemas of the language-model tools: a client that checks them refuses nothing that the tools take.
import { expect, test } from 'vitest';
import { languageModelTools } from '../../../src/manifest/toolContributions.ts';
import { parseToolChain } from '../../../src/view/tools/toolChains.ts';

test.each(['local', 'eth', '0x2105', '8453', 'base', 'Base Sepolia', 'anvil', '31337'])('take the chain %s', chain => {
  expect(parseToolChain(chain)).not.toBeNull();
  const [lookUp, call] = languageModelTools.map(({ inputSchema }) => inputSchema.properties);
  const parameters = (call as { parameters: { properties: Readonly<Record<string, unknown>> } }).parameters;
  for (const schema of [(lookUp as { chain: unknown }).chain, parameters.properties['chain']]) {
    const { type, pattern = '' } = schema as { type: string; pattern?: string };
    expect(type).toBe('string');
    expect(chain).toMatch(new RegExp(pattern));
  }
});
