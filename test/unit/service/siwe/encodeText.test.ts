// UTF-8 of texts in one buffer: the bytes of TextEncoder, whatever the length.
import { expect, test } from 'vitest';
import { encodeText } from '../../../../src/service/siwe/encodeText.ts';

test('encodes as TextEncoder does, also what is longer than the buffer', () => {
  for (const text of ['', 'a', 'é€😀\ud800', '€'.repeat(10_000), '€'.repeat(10_001), 'a'.repeat(100_000)])
    expect(Buffer.from(encodeText(text)).equals(Buffer.from(text))).toBe(true);
});
