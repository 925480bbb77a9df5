// A child process with a sign-in endpoint written with viem: a bare node:http handler, for comparison.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hex } from 'viem';
import { verifyMessage } from 'viem';
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe';

/** The record of a valid message, else `null`. */
export async function verifyWithViem(message: string, signature: Hex): Promise<object | null> {
  const fields = parseSiweMessage(message);
  if (fields.address === undefined || !validateSiweMessage({ message: fields })) return null;
  return (await verifyMessage({ address: fields.address, message, signature })) ? fields : null;
}

const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { message, signature } = JSON.parse(text) as { message: string; signature: Hex };
  const record = await verifyWithViem(message, signature);
  response.writeHead(record === null ? 401 : 201, { 'content-type': 'application/json' });
  response.end(JSON.stringify(record ?? { message: 'refused' }));
});

if (process.argv[1] === import.meta.filename) {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`http://127.0.0.1:${port}\n`);
  });
}
