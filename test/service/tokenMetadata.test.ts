// Token metadata: ABI strings, URIs of every kind, documents of any structure; hostile input never throws.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex, type Hex } from '../../src/base/hex.ts';
import { normalizeMetadata, parseMetadata } from '../../src/service/metadata/normalizeMetadata.ts';
import {
  decodeTokenUri,
  encodeTokenUriCall,
  parseTokenUri,
  substituteId,
  toRemoteUrl,
} from '../../src/service/metadata/tokenUri.ts';
import { computeTokenHash } from '../../src/service/queries/ownerRecords.ts';
import { anyText } from '../support/anyText.ts';

const word = (value: bigint | number) => value.toString(16).padStart(64, '0');
const encoder = new TextEncoder();
function abiOf(text: string): Hex {
  const bytes = encoder.encode(text);
  const digits = bytesToHex(bytes).slice(2);
  return `0x${word(32)}${word(bytes.length)}${digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')}`;
}

describe('token_hash', () => {
  it('equals what hosts return', () => {
    const apes = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
    expect(computeTokenHash(apes, 4789n)).toBe('61554743720b60143f35e7adcc2a6fc7');
    expect(computeTokenHash(apes.toLowerCase() as Hex, 4789n)).toBe('61554743720b60143f35e7adcc2a6fc7');
  });
});

describe('decodeTokenUri', () => {
  it('decodes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), text => {
        fc.pre(text.isWellFormed());
        expect(decodeTokenUri(abiOf(text))).toBe(text);
      }),
      { seed: 11 },
    );
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['no bytes', '0x'],
    ['one word', `0x${word(32)}`],
    ['an empty string', abiOf('')],
    ['a length past the end', `0x${word(32)}${word(1000)}${word(1)}`],
    ['an enormous length', `0x${word(32)}${word(2n ** 255n)}`],
    ['an offset past the end', `0x${word(9_999)}${word(3)}`],
    ['no hex', `0x${'zz'.repeat(96)}`],
  ])('returns null for %s', (_name, data) => {
    expect(decodeTokenUri(data)).toBeNull();
  });

  it('returns null for a text that is too long', () => {
    expect(decodeTokenUri(abiOf('x'.repeat(100)), 99)).toBeNull();
    expect(decodeTokenUri(abiOf('x'.repeat(99)), 99)).toHaveLength(99);
  });
});

describe('parseTokenUri', () => {
  const json = '{"name":"Ünï 100%","n":1}';
  it.each([
    ['base64', `data:application/json;base64,${Buffer.from(json).toString('base64')}`],
    ['percent-encoded', `data:application/json,${encodeURIComponent(json)}`],
    ['plain, with a bare percent sign', `data:application/json;utf8,${json}`],
    ['with a charset', `data:application/json;charset=utf-8;base64,${Buffer.from(json).toString('base64')}`],
    ['without a type', `data:;base64,${Buffer.from(json).toString('base64')}`],
    ['in capitals', `DATA:application/json,${encodeURIComponent(json)}`],
    ['the document itself', json],
  ])('%s', async (_name, uri) => {
    const source = parseTokenUri(uri);
    expect(source.kind === 'text' && (await parseMetadata(source.text))).toEqual(JSON.parse(json));
  });

  it.each([
    ['https://a.example/1.json', 'https://a.example/1.json'],
    ['http://127.0.0.1:9/1#x', 'http://127.0.0.1:9/1'],
    ['ipfs://QmX/1.json', 'https://ipfs.io/ipfs/QmX/1.json'],
    ['ipfs://ipfs/QmX/#1?.json', 'https://ipfs.io/ipfs/QmX/%231%3F.json'],
    ['/ipfs/QmX/1', 'https://ipfs.io/ipfs/QmX/1'],
    [
      'QmPRRnTPhNt2TYKB1JuBKAqHcEYrpHmsfVxzXzVexAmGtZ/7',
      'https://ipfs.io/ipfs/QmPRRnTPhNt2TYKB1JuBKAqHcEYrpHmsfVxzXzVexAmGtZ/7',
    ],
    ['ar://abc/1', 'https://arweave.net/abc/1'],
  ])('%s', (uri, url) => {
    expect(parseTokenUri(uri)).toEqual({ kind: 'remote', url });
  });

  it.each([
    '',
    'x',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://a.example/1',
    'https://u:p@a.example/',
    'data:nothing',
    '//a.example',
  ])('is unreadable: %s', uri => {
    expect(parseTokenUri(uri)).toEqual({ kind: 'unreadable' });
    expect(toRemoteUrl(uri)).toBeNull();
  });

  it('never throws, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText({ maxLength: 100 }), async text => {
        parseTokenUri(text);
        parseTokenUri(`data:${text}`);
        parseTokenUri(`ipfs://${text}`);
        const json = await parseMetadata(text);
        expect(normalizeMetadata(json).attributes).toBeInstanceOf(Array);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('ERC-1155’s {id} is 64 lower-case hex digits', () => {
    const id = 0xabcdefn;
    expect(substituteId('https://a.example/{id}.json?{id}', id)).toBe(
      `https://a.example/${'abcdef'.padStart(64, '0')}.json?${'abcdef'.padStart(64, '0')}`,
    );
    expect(encodeTokenUriCall('ERC1155', id)).toBe(`0x0e89341c${word(id)}`);
    expect(encodeTokenUriCall('ERC721', 2n ** 256n - 1n)).toBe(`0xc87b56dd${'f'.repeat(64)}`);
  });
});

describe('normalizeMetadata', () => {
  const empty = { name: null, description: null, animationUrl: null, externalLink: null, image: null, attributes: [] };
  const attribute = { traitType: null, value: null, displayType: null, maxValue: null, traitCount: null, order: null };

  it('reads each field under all its usual names', () => {
    expect(
      normalizeMetadata({
        name: 'Ape #1',
        description: 'An ape.',
        animation_url: 'ipfs://a',
        external_url: 'https://a.example',
        image_url: 'ipfs://b',
        attributes: [
          { trait_type: 'Mood', value: 'calm' },
          { trait_type: 'Level', value: 3, display_type: 'number', max_value: 10, trait_count: 5, order: 1 },
          'Rare',
        ],
      }),
    ).toEqual({
      name: 'Ape #1',
      description: 'An ape.',
      animationUrl: 'ipfs://a',
      externalLink: 'https://a.example',
      image: 'ipfs://b',
      attributes: [
        { ...attribute, traitType: 'Mood', value: 'calm' },
        { traitType: 'Level', value: 3, displayType: 'number', maxValue: 10, traitCount: 5, order: 1 },
        { ...attribute, value: 'Rare' },
      ],
    });
  });

  it('reads the properties of ERC-1155, and image_data in place of an image', () => {
    const { image, attributes } = normalizeMetadata({
      properties: { Mood: 'calm', Level: { value: 3 }, Deep: { a: { b: 1 } } },
      image_data: '<svg/>',
    });
    expect(image).toBe(`data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`);
    expect(attributes).toEqual([
      { ...attribute, traitType: 'Mood', value: 'calm' },
      { ...attribute, traitType: 'Level', value: 3 },
    ]);
  });

  it('ignores values of unusable types', () => {
    expect(normalizeMetadata(null)).toEqual(empty);
    expect(
      normalizeMetadata({ name: { a: 1 }, description: ['x'], image: null, attributes: [{}, null, [[]]] }),
    ).toEqual(empty);
    expect(normalizeMetadata({ __proto__: { name: 'inherited' } })).toEqual(empty);
    expect(normalizeMetadata({ name: 7 })).toEqual({ ...empty, name: '7' });
    expect(
      normalizeMetadata({ attributes: Array.from({ length: 1e4 }, (_, i) => ({ value: i })) }).attributes,
    ).toHaveLength(200);
  });

  it.each(['[1]', '"x"', '1', 'null', '', '{', '<html>', '{"a":1}x'])('%s is no metadata', async text => {
    expect(await parseMetadata(text)).toBeNull();
  });

  it('a document that is nested deep, which would take long to parse, is no metadata', async () => {
    expect(await parseMetadata(`{"attributes":${'['.repeat(3_000)}${']'.repeat(3_000)}}`)).toBeNull();
  });
});
