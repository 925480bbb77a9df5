// Contract wallets sign in through a real node: ERC-1271, ERC-6492 before and after deployment, and unusual responses.
import { type Hex, hashMessage } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checksumAddress } from '../../src/base/checksumAddress.ts';
import {
  forwardTo,
  notFound,
  type ScriptedCall,
  type ScriptedReply,
  startScriptedRpcNode,
} from '../support/scriptedRpcNode.ts';
import { createTestClock } from '../support/testClock.ts';
import { alice, bob, createSignInStage, messageOf, NOW } from './siweStage.ts';
import { ODD_WAYS, startWallets, type Wallets } from './siweWallets.ts';

let wallets: Wallets;
beforeAll(async () => {
  wallets = await startWallets();
});
afterAll(() => wallets?.stop());

const stage = createSignInStage();
const service = () => stage({ nodes: { local: wallets.anvil.url } });
const messageFor = (address: string, chainId: number | string = 31_337) =>
  messageOf({ address: checksumAddress(address), chainId });
const byBob = (message: string): Promise<Hex> => bob.signMessage({ message });

describe('ERC-1271', () => {
  test('a wallet signs in with the key of its owner; the identity is the wallet', async () => {
    const message = messageFor(wallets.owned);
    const { status, body } = await service().verify(message, await byBob(message));
    expect([status, body['address'], body['chainId']]).toEqual([201, checksumAddress(wallets.owned), 31_337]);
  });

  test('a signature of any other key is rejected', async () => {
    const message = messageFor(wallets.owned);
    const { status, body } = await service().signedByAlice(message);
    expect(status).toBe(401);
    expect(body).toEqual({
      statusCode: 401,
      name: 'UnauthorizedException',
      message: `The contract wallet ${checksumAddress(wallets.owned)} on chain 0x7a69 does not take the signature. Sign with an owner of the wallet, on the chain that the message names.`,
    });
  });

  test('a signature of another message is rejected', async () => {
    const message = messageFor(wallets.owned);
    expect((await service().verify(message, await byBob(`${message}x`))).status).toBe(401);
  });

  test('a wallet may accept signatures of another form: here 68 bytes', async () => {
    const message = messageFor(wallets.strange);
    const digest = hashMessage(message).slice(2);
    const { verify } = service();
    const right = `0x${digest}${Buffer.from('open').toString('hex')}${digest}`;
    expect((await verify(message, right)).status).toBe(201);
    expect(
      (
        await verify(
          message,
          right.replace(/.$/, digit => (digit === '0' ? '1' : '0')),
        )
      ).status,
    ).toBe(401);
  });

  test.each(ODD_WAYS.map((way, i) => [way, i] as const))(
    'a wallet that %s does not take the signature',
    async (_, i) => {
      const message = messageFor(wallets.odd[i] ?? '');
      const { status, body } = await service().verify(message, await byBob(message));
      expect([status, body['message']]).toEqual([401, expect.stringContaining('does not take the signature')]);
    },
  );

  test('a contract without ERC-1271 does not take the signature', async () => {
    const message = messageFor(wallets.deaf);
    expect((await service().verify(message, await byBob(message))).status).toBe(401);
  });

  test('a wallet signs in once with each nonce, as an account does', async () => {
    const message = messageFor(wallets.owned);
    const { verify } = service();
    const signature = await byBob(message);
    const answers = await Promise.all([
      verify(message, signature),
      verify(message, signature),
      verify(message, signature),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401]);
  });
});

describe('ERC-6492', () => {
  test('a wallet that is not deployed yet signs in', async () => {
    const { address, call } = await wallets.future(1);
    const message = messageFor(address);
    const { status, body } = await service().verify(message, wallets.wrap(await byBob(message), call));
    expect([status, body['address']]).toEqual([201, checksumAddress(address)]);
    expect(await wallets.anvil.rpc('eth_getCode', [address, 'latest'])).toBe('0x'); // asking deploys nothing
  });

  test('the same signature is valid after the deployment', async () => {
    const { call } = await wallets.future(2);
    const message = messageFor(await wallets.deploy(2));
    expect((await service().verify(message, wallets.wrap(await byBob(message), call))).status).toBe(201);
  });

  test.each([
    ['another key', async (message: string, call: Hex) => wallets.wrap(await alice.signMessage({ message }), call)],
    ['another message', async (message: string, call: Hex) => wallets.wrap(await byBob(`${message}x`), call)],
    [
      'a factory that is none',
      async (message: string, call: Hex) => wallets.wrap(await byBob(message), call, wallets.deaf),
    ],
    [
      'a factory without code',
      async (message: string, call: Hex) => wallets.wrap(await byBob(message), call, bob.address),
    ],
    ['nonsense inside', async () => `0x${'ab'.repeat(100)}${'6492'.repeat(16)}` as const],
  ])('with %s it is rejected', async (_, sign) => {
    const { address, call } = await wallets.future(3);
    const message = messageFor(address);
    expect((await service().verify(message, await sign(message, call))).status).toBe(401);
  });

  /** A chain that runs only deployed code, as zkSync does: a call without `to` is refused, or returns nothing. */
  const withoutDeploymentCalls = (refusal: ScriptedReply) => {
    const forward = forwardTo(wallets.anvil.url);
    const isDeployment = ({ method, params }: ScriptedCall) =>
      method === 'eth_call' && (params[0] as { readonly to?: string }).to === undefined;
    return startScriptedRpcNode({ answer: call => (isDeployment(call) ? refusal : forward(call)) });
  };
  const refusals: readonly (readonly [string, ScriptedReply])[] = [
    ['bytecode is not allowed', { error: { code: 3, message: 'Failed to deploy contract: bytecode is not allowed' } }],
    ['a missing field', { error: { code: -32602, message: 'missing field: to' } }],
    ['an internal error', { error: { code: -32603, message: 'Internal error' } }],
    ['no data', { result: '0x' }],
  ];

  test.each(refusals.map(([text, refusal], at) => [text, refusal, 20 + at] as const))(
    'a deployed wallet signs in where code that is not deployed gives %s',
    async (_, refusal, salt) => {
      const { call } = await wallets.future(salt);
      const message = messageFor(await wallets.deploy(salt));
      const node = await withoutDeploymentCalls(refusal);
      try {
        const { verify } = stage({ nodes: { local: node.url } });
        expect((await verify(message, wallets.wrap(await alice.signMessage({ message }), call))).status).toBe(401);
        expect((await verify(message, wallets.wrap(await byBob(message), call))).status).toBe(201);
      } finally {
        await node.stop();
      }
    },
  );

  test.each(refusals.map(([text, refusal], at) => [text, refusal, 30 + at] as const))(
    'a wallet that is not deployed cannot be checked where code that is not deployed gives %s, and the fault says why',
    async (_, refusal, salt) => {
      const { address, call } = await wallets.future(salt);
      const message = messageFor(address);
      const node = await withoutDeploymentCalls(refusal);
      try {
        const { status, body } = await stage({ nodes: { local: node.url } }).verify(
          message,
          wallets.wrap(await byBob(message), call),
        );
        expect(status).toBe(502);
        expect(body['message']).toContain(
          `${checksumAddress(address)} is not deployed on chain 0x7a69 yet, and the node of that chain runs no code that is not deployed`,
        );
      } finally {
        await node.stop();
      }
    },
  );

  test('a factory that creates another wallet than that of the message is rejected', async () => {
    const { call } = await wallets.future(4);
    const { address } = await wallets.future(5);
    const message = messageFor(address);
    expect((await service().verify(message, wallets.wrap(await byBob(message), call))).status).toBe(401);
  });
});

describe('accounts with keys', () => {
  test('need no node, even if one is configured', async () => {
    const node = await startScriptedRpcNode({ answer: () => undefined });
    try {
      const { signedByAlice } = stage({ nodes: { local: node.url } });
      expect((await signedByAlice(messageOf({ chainId: 31_337 }))).status).toBe(201);
      expect(node.requests()).toBe(0);
    } finally {
      await node.stop();
    }
  });

  test('with code of their own (EIP-7702) sign in with their key, and with signatures that the code accepts', async () => {
    await wallets.delegate(alice.address, wallets.owned);
    const { verify, signedByAlice } = service();
    expect((await signedByAlice(messageFor(alice.address))).status).toBe(201);
    const other = messageOf({ address: alice.address, chainId: 31_337, nonce: 'another1nonce' });
    expect((await verify(other, await byBob(other))).status).toBe(201); // the delegate's owner is bob
    await wallets.anvil.rpc('anvil_setCode', [alice.address, '0x']);
  });

  test('for another account, the message names the signer and no more', async () => {
    const message = messageFor(alice.address);
    const { status, body } = await service().verify(message, await byBob(message));
    expect(status).toBe(401);
    expect(body['message']).toBe(
      `The signature was made by ${bob.address}, not by ${alice.address} of the message. Sign the message, unchanged, with the account that it names.`,
    );
  });

  test("a signature that is no account's at an address without code: what it must be", async () => {
    const { status, body } = await service().verify(messageFor(alice.address), '0x1234');
    expect([status, body['message']]).toEqual([400, expect.stringContaining('signature has 2 bytes: it must be')]);
  });
});

describe('without a node of the chain', () => {
  test('a wrapped signature: the message names the chain and how to add its node', async () => {
    const { address, call } = await wallets.future(6);
    const message = messageFor(address, 8453);
    const { status, body, headers } = await service().verify(message, wallets.wrap(await byBob(message), call));
    expect([status, headers['x-hexlens-fault']]).toEqual([400, 'no-node']);
    expect(body['message']).toMatch(
      /^The signature is one of a contract wallet \(ERC-6492\), which only a node of its chain can check\. No node is configured for the chain 0x2105\. .*add 0x2105 to the setting hexlens\.nodes\.$/,
    );
  });

  test("an owner's signature: whose it is, and how a contract wallet could be asked", async () => {
    const message = messageFor(wallets.owned, 1);
    const { status, body } = await service().verify(message, await byBob(message));
    expect(status).toBe(401);
    expect(body['message']).toContain(`The signature was made by ${bob.address}`);
    expect(body['message']).toContain(
      'if that is a contract wallet, give a node of its chain as 0x1 in the setting hexlens.nodes',
    );
  });

  test('a node of another chain than configured is not used', async () => {
    const message = messageFor(wallets.owned, 1);
    const { status } = await stage({ nodes: { eth: wallets.anvil.url } }).verify(message, await byBob(message));
    expect(status).toBe(401);
  });
});

describe('a node that fails', () => {
  const lying = async (answer: (call: ScriptedCall) => ReturnType<ReturnType<typeof forwardTo>> | undefined) => {
    const forward = forwardTo(wallets.anvil.url);
    return startScriptedRpcNode({ answer: call => answer(call) ?? forward(call) });
  };

  test.each([
    ['has no eth_call', 502, async () => notFound],
    ['answers no hex', 502, async () => ({ result: 'yes' })],
    ['answers a truth value', 502, async () => ({ result: true })],
    ['refuses for its own reasons', 502, async () => ({ error: { code: -32000, message: 'missing trie node' } })],
    ['says nothing', 502, async () => ({ result: '0x' })],
    ['says that any contract runs out of gas', 502, async () => ({ error: { code: -32000, message: 'out of gas' } })],
  ])('%s: status %i, and the sign-in fails', async (_, expected, answer) => {
    const node = await lying(call => (call.method === 'eth_call' ? answer() : undefined));
    try {
      const { address, call } = await wallets.future(7);
      const message = messageFor(address);
      const wrapped = wallets.wrap(await byBob(message), call);
      expect((await stage({ nodes: { local: node.url } }).verify(message, wrapped)).status).toBe(expected);
    } finally {
      await node.stop();
    }
  });

  test('is unreachable: another account gets a 401, a wrapped signature can be tried again', async () => {
    const node = await lying(() => undefined);
    await node.stop();
    const { verify } = stage({ nodes: { local: node.url } });
    const { address, call } = await wallets.future(8);
    const message = messageFor(address);
    const signature = await byBob(message);
    const stranger = await verify(message, signature);
    expect([stranger.status, stranger.body['message']]).toEqual([401, expect.stringContaining('could not be asked')]);
    const wrapped = await verify(message, wallets.wrap(signature, call));
    expect([wrapped.status, wrapped.headers['x-hexlens-fault']]).toEqual([502, 'node-unreachable']);
  });

  test('takes so long that the message expires meanwhile: it is rejected', async () => {
    const clock = createTestClock(NOW);
    const node = await lying(call => {
      if (call.method === 'eth_call') clock.advance(60_000);
      return undefined;
    });
    try {
      const { address, call } = await wallets.future(9);
      const expires = new Date(NOW + 59_000).toISOString();
      const message = messageOf({
        address: checksumAddress(address),
        chainId: 31_337,
        more: [`Expiration Time: ${expires}`],
      });
      const { verify } = stage({ nodes: { local: node.url }, clock });
      const { status, body } = await verify(message, wallets.wrap(await byBob(message), call));
      expect([status, body['message']]).toEqual([401, expect.stringContaining('expired')]);
    } finally {
      await node.stop();
    }
  });
});
