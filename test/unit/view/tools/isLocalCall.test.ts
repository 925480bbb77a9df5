// Which operations a language model may call without a confirmation.
import { expect, test } from 'vitest';
import { type CallReceivers, isLocalCall } from '../../../../src/view/tools/isLocalCall.ts';

const receivers: CallReceivers = {
  host: null,
  chains: [
    { selector: 'local', isLocal: true },
    { selector: 'eth', isLocal: false }, // a fork on this machine, or a remote node
  ],
  aptosUrls: ['http://127.0.0.1:8080'],
};
const address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

test('a development chain of this machine needs no confirmation', () => {
  expect(isLocalCall('block', { chain: 'local', block: '1' }, receivers)).toBe(true);
});

test('a fork and a remote node need one, also when no chain is named', () => {
  expect(isLocalCall('block', { chain: 'eth', block: '1' }, receivers)).toBe(false);
  expect(isLocalCall('block', { block: '1' }, receivers)).toBe(false);
});

test.each(['normalizeMetadata', 'mediaItems'])('%s needs one, because contracts choose the hosts', name => {
  expect(isLocalCall('walletNfts', { chain: 'local', address }, receivers)).toBe(true);
  expect(isLocalCall('walletNfts', { chain: 'local', address, [name]: 'true' }, receivers)).toBe(false);
});

test('a remote host and a remote node of Aptos need one', () => {
  const remoteHost = { ...receivers, host: 'https://host.example' };
  expect(isLocalCall('block', { chain: 'local', block: '1' }, remoteHost)).toBe(false);
  const remoteNode = { ...receivers, aptosUrls: ['https://node.example/v1'] };
  expect(isLocalCall('aptosWalletNfts', { address }, receivers)).toBe(true);
  expect(isLocalCall('aptosWalletNfts', { address }, remoteNode)).toBe(false);
});
