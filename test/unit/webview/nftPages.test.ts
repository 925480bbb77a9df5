// NFTs: the gallery and the page of one token, with what contracts hold and what only other hosts have.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { NftMetadata } from '../../../src/api/lookups.ts';
import { ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();
const apes = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const bob = `0x${'b0'.repeat(20)}`;
const PNG = 'data:image/png;base64,iVBORw0KGgo=';

const nothing = { isRemote: false, isRead: false, name: null, description: null, image: null, attributes: [] };
/** What the metadata of token 1 and so on says. */
const tokens: readonly Omit<NftMetadata, 'contract' | 'tokenId'>[] = [
  { ...nothing, tokenUri: 'data:application/json,{}', isRead: true, name: 'First', image: PNG },
  { ...nothing, tokenUri: 'https://apes.example/2', isRemote: true },
  { ...nothing, tokenUri: null },
  { ...nothing, tokenUri: 'data:application/json,{}', isRead: true, name: 'Fourth' },
];
const loaded = {
  ...nothing,
  tokenUri: 'https://apes.example/2',
  isRemote: true,
  isRead: true,
  name: 'Second',
  image: PNG,
};

interface Asked {
  readonly tokens: readonly { readonly tokenId: string }[];
  readonly isRemoteAllowed?: true;
}

function createNfts() {
  const asked: Asked[] = [];
  const lookup = (id: string, input: unknown) => {
    if (id !== 'nftMetadata') return undefined;
    const { tokens: keys, isRemoteAllowed } = input as Asked;
    asked.push(input as Asked);
    return {
      kind: id,
      tokens: keys.map(({ tokenId }) => {
        const found = isRemoteAllowed && tokenId === '2' ? loaded : tokens[Number(tokenId) - 1];
        return { contract: apes, tokenId, ...found };
      }),
    };
  };
  const rows = tokens.map((_, index) => ({
    ...{ token_address: apes, token_id: String(index + 1), contract_type: 'ERC721', owner_of: bob, amount: '1' },
  }));
  return { asked, lookup, reply: () => ok({ status: 'SYNCED', result: rows, cursor: null }) };
}

const getBoxes = () =>
  [...(find(document, 'hl-image-gallery')?.shadowRoot?.querySelectorAll('li') ?? [])].map(item => ({
    text: textOf(item).replace(/\s+/g, ' ').trim(),
    hasImage: item.querySelector('img') !== null,
  }));

test('images that contracts hold are shown without a click, and every empty box says why', async () => {
  const { asked, lookup, reply } = createNfts();
  const parameters = { address: bob, chain: 'local' };
  await open({ target: { kind: 'operation', operation: 'walletNfts', parameters }, reply, lookup });
  await eventually(() => expect(find(document, '[data-tab=pictures]')).not.toBeNull());
  find(document, '[data-tab=pictures]')?.click();
  await eventually(() =>
    expect(getBoxes()).toEqual([
      { text: '#1 First', hasImage: true },
      { text: 'Its metadata is at apes.example. #2', hasImage: false },
      { text: 'The contract names no metadata. #3', hasImage: false },
      { text: 'Its metadata names no image. #4 Fourth', hasImage: false },
    ]),
  );
  expect(asked.every(({ isRemoteAllowed }) => isRemoteAllowed === undefined)).toBe(true);
  const button = find(document, 'hl-image-gallery')?.shadowRoot?.querySelector('button');
  expect(button?.textContent).toBe('Load Metadata and Images');
  button?.click();
  await eventually(() => expect(getBoxes()[1]).toEqual({ text: '#2 Second', hasImage: true }));
  expect(find(document, '[data-tab=pictures]')?.getAttribute('aria-selected')).toBe('true');
});

test('the page of one NFT shows its image, name, description, attributes, collection and owners', async () => {
  const { reply } = createNfts();
  const metadata: NftMetadata = {
    ...{ ...nothing, contract: apes, tokenId: '7', tokenUri: 'data:,', isRead: true, name: 'Seventh', image: PNG },
    ...{ description: 'The <b>last</b> one', attributes: [{ trait: 'Fur', value: 'Gold' }] },
  };
  await open({
    target: {
      kind: 'operation',
      operation: 'nftOwners',
      parameters: { address: apes, tokenId: '0x7', chain: 'local' },
    },
    reply,
    lookup: id => (id === 'nftMetadata' ? { kind: id, tokens: [metadata] } : undefined),
  });
  await shows('Seventh #7');
  await shows('The <b>last</b> one');
  await shows(/Fur\s*Gold/);
  await eventually(() => expect(find(document, '.image img')?.getAttribute('src')).toBe(PNG));
  await shows('4 rows');
  expect(find(document, '[data-tab=owners]')?.getAttribute('aria-selected')).toBe('true');
});

test('the transfers of an ERC-721 token are the logs that name it', async () => {
  const requested: string[] = [];
  await open({
    target: { kind: 'operation', operation: 'nftOwners', parameters: { address: apes, tokenId: '7', chain: 'local' } },
    reply: ({ operation, query }) => {
      requested.push(`${operation} ${Object.fromEntries(query)['topic3'] ?? ''}`);
      return ok({ result: [], cursor: null, status: 'SYNCED' });
    },
    lookup: id => (id === 'nftMetadata' ? { kind: id, tokens: [] } : undefined),
  });
  await eventually(() => expect(find(document, '[data-tab=transfers]')).not.toBeNull());
  find(document, '[data-tab=transfers]')?.click();
  await eventually(() => expect(requested).toContain(`contractLogs 0x${'7'.padStart(64, '0')}`));
});

test('the holders of a collection are counted from its tokens, those with the most first', async () => {
  const alice = `0x${'a2'.repeat(20)}`;
  const token = (id: number, owner: string, amount: string) => ({
    ...{ token_address: apes, token_id: String(id), contract_type: 'ERC1155', owner_of: owner, amount },
  });
  await open({
    target: { kind: 'operation', operation: 'contractNftOwners', parameters: { address: apes, chain: 'local' } },
    reply: () =>
      ok({ status: 'SYNCED', result: [token(1, bob, '5'), token(2, alice, '1'), token(3, alice, '2')], cursor: null }),
  });
  await eventually(() => expect(find(document, '[data-tab=holders]')).not.toBeNull());
  find(document, '[data-tab=holders]')?.click();
  await eventually(() => {
    const rows = [...(find(document, 'hl-grid')?.shadowRoot?.querySelectorAll('[data-row]') ?? [])];
    expect(rows.map(row => textOf(row).replace(/\s+/g, ' ').trim())).toEqual(['0xa2A2…a2a2 2 3', '0xB0B0…B0B0 1 5']);
  });
});

test('a picture that cannot be read says from where, and which setting decides that', async () => {
  const metadata = (tokenUri: string, change: Partial<NftMetadata>): NftMetadata => ({
    ...{ ...nothing, contract: apes, tokenId: '7', tokenUri },
    ...change,
  });
  const openToken = async (token: NftMetadata) =>
    open({
      target: {
        kind: 'operation',
        operation: 'nftOwners',
        parameters: { address: apes, tokenId: '7', chain: 'local', mediaItems: 'true' },
      },
      reply: () => ok({ result: [], cursor: null, status: 'SYNCED' }),
      lookup: id => (id === 'nftMetadata' ? { kind: id, tokens: [token] } : undefined),
    });
  await openToken(metadata('ipfs://bafyflag/7.json', { isRemote: true }));
  await shows('Its metadata could not be read from IPFS. Its gateway is set in hexlens.metadata.ipfsGateway.');
  await openToken(metadata('https://apes.example/7.json', { isRemote: true }));
  await shows('Its metadata could not be read from apes.example. Permitted hosts are in hexlens.metadata.hosts.');
  await openToken(metadata('http://127.0.0.1:8081/7.json', { isRemote: true }));
  await shows('Its metadata could not be read from 127.0.0.1:8081. Collection');
  await openToken(metadata('data:,', { isRead: true, image: 'ipfs://bafyflag/7.png' }));
  await shows('Its image could not be read from IPFS. Its gateway is set in hexlens.metadata.ipfsGateway.');
});
