// `mediaPreview`: a token's picture as data, fetched under the rules of token metadata, and only if it is a picture.
import { HexLensError } from '../../base/errors.ts';
import { detectImageType } from '../metadata/imageType.ts';
import type { Lookup } from './lookup.ts';

const LONGEST_URI = 4_000;
/** Bytes that tell the type: whole groups of base64. */
const HEAD = 64;

export const mediaPreview: Lookup<'mediaPreview'> = async ({ chain, uri }, { metadata, nodes }, signal) => {
  if (uri.length > LONGEST_URI) throw new HexLensError('bad-input', `uri has more than ${LONGEST_URI} characters.`);
  const node = await nodes.find(chain, signal);
  const fetched = await metadata.fetchImage(uri, node.rpc.isLoopback, signal);
  if (fetched.kind !== 'document') return { value: { kind: 'media', image: null, problem: fetched.kind } };
  const type = detectImageType(Buffer.from(fetched.text.slice(0, HEAD), 'base64'));
  if (type === null) return { value: { kind: 'media', image: null, problem: 'unsupported' } };
  return { value: { kind: 'media', image: { type, base64: fetched.text }, problem: null } };
};
