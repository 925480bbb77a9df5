// The debug console and watch expressions call view functions on the state as it is at a step.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AdapterClient } from '../../support/source/adapterClient.ts';
import { DebugChain, SENDER } from '../../support/source/debugChain.ts';
import { createSourceProject, type SourceProject } from '../../support/source/sourceProject.ts';

describe('the debug console', () => {
  let project: SourceProject;
  let client: AdapterClient;
  beforeAll(async () => {
    project = await createSourceProject('solc-0.8.37', ['Yard.sol'], { evmVersion: 'cancun' });
  });
  afterEach(() => client.stop());
  const open = async () => {
    const chain = new DebugChain(project).deploy('Desk').deploy('Oracle');
    client = await AdapterClient.connect(
      await chain.traceCall('Desk', 'trade', [7n], 9n),
      true,
      undefined,
      null,
      project.contract('Oracle').abi as readonly { readonly name: string }[],
    );
    await client.launch();
    return chain;
  };
  const ask = (expression: string) => client.evaluate(expression, 'repl');

  test('calls functions on the state at the step: storage, transient storage and balances', async () => {
    const chain = await open();
    expect(await ask('balanceOf(msg.sender)')).toBe('0');
    await client.runTo('deskNonce');
    expect(await ask('balanceOf(msg.sender)')).toBe('7');
    expect(await ask('quote(msg.sender)')).toBe('7');
    expect(await ask('quote(uint256(3))')).toBe('6');
    await client.runTo('deskLeft');
    expect(await ask('quote(msg.sender)')).toBe('15');
    expect(await ask('this.quote(uint256(3)) + rate()')).toBe('20');
    expect(await ask('address(this).balance')).toBe('9');
    // It goes back with the session.
    await client.reverse();
    expect(await ask('quote(uint256(3))')).toBe('6');
    // A contract that the transaction does not call, by an ABI of the workspace.
    expect(await ask(`Oracle(${chain.addressOf('Oracle')}).ask(5).a`)).toBe('105');
  });

  test('takes structs, lists, enums and several results', async () => {
    await open();
    await client.runTo('deskLeft');
    expect(await ask('graded(Grade.High)')).toBe(`(3, ${SENDER})`);
    expect(await ask('this.graded(Grade.None)[0]')).toBe('1');
  });

  test('refuses functions that change the state, and says why one fails', async () => {
    await open();
    await client.runTo('deskLeft');
    const says = (expression: string, text: string) => expect(ask(expression)).rejects.toThrow(text);
    await says('take(5)', 'take(uint256) changes the state: only view and pure functions are called.');
    await says('strict()', 'strict() fails: Closed');
    await says('_hidden()', 'There is no "_hidden" that can be called: only external and public functions can.');
    await says('quote(5, 6)', 'quote');
    await says('quote(true)', 'must be');
    await says('address(0x999).ask(1)', 'ask(uint256) returned nothing: there may be no code at the address.');
    await says('rate.quote(1)', 'quote cannot be called: what is before it is no contract.');
    expect(await ask('rate')).toBe('5');
  });

  test('calls nothing with a private key, which a function may read from the node as a slot', async () => {
    await open();
    const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'; // of the first development account
    for (const context of ['repl', 'watch'])
      await expect(client.evaluate(`quote(uint256(${key}))`, context)).rejects.toThrow('A private key is never');
  });

  test('calls nothing for a hover, or for the condition of a breakpoint', async () => {
    await open();
    const text = 'Contracts are queried only by the debug console and watch expressions.';
    await expect(client.evaluate('quote(uint256(1))', 'hover')).rejects.toThrow(text);
    expect(await client.evaluate('quote(uint256(1))', 'watch')).toBe('2');
    expect(await client.evaluate('msg.value + 1', 'hover')).toBe('10');
  });
});
