// The HTTP port in front of the sample chain: nothing to its name is sent.
import { expect, test } from 'vitest';
import type { HttpPort, HttpRequest } from '../../../src/base/httpPort.ts';
import { answerSampleChain } from '../../../src/worker/sampleHttp.ts';

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });

function createPort() {
  const sent: string[] = [];
  const port: HttpPort = {
    async send({ url }) {
      sent.push(url);
      return { status: 200, headers: {}, body: 'sent' };
    },
    async subscribe({ url }) {
      sent.push(url);
      throw new Error('The socket was lost.');
    },
  };
  return { sent, http: answerSampleChain(port) };
}

const toRequest = (url: string): HttpRequest => ({ method: 'POST', url, body, logLabel: 'rpc' });

test('requests and subscriptions to the sample chain never leave the process', async () => {
  const { sent, http } = createPort();
  const response = await http.send(toRequest('http://sample-chain.localhost/'));
  expect(JSON.parse(response.body)).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' });
  await expect(http.subscribe?.(toRequest('ws://sample-chain.localhost/'), () => {})).rejects.toMatchObject({
    code: 'node-unreachable',
  });
  expect(sent).toEqual([]);
});

test('others are sent', async () => {
  const { sent, http } = createPort();
  expect((await http.send(toRequest('http://localhost:8545/'))).body).toBe('sent');
  await expect(http.subscribe?.(toRequest('ws://localhost:8545/'), () => {})).rejects.toThrow('lost');
  expect(sent).toEqual(['http://localhost:8545/', 'ws://localhost:8545/']);
});
