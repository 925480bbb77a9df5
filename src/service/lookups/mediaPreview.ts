// `mediaPreview`: the image of a token as data, fetched from the hosts that token metadata may come from.
import { HexLensError } from '../../base/errors.ts';
import { detectImageType } from '../metadata/imageType.ts';
import type { Lookup } from './lookup.ts';

const MAX_URI_LENGTH = 4_000;
/** Base64 characters whose bytes show the image type; a multiple of 4. */
const TYPE_PREFIX_LENGTH = 64;

export const mediaPreview: Lookup<'mediaPreview'> = async ({ chain, uri }, { metadata, nodes }, signal) => {
  if (uri.length > MAX_URI_LENGTH)
    throw new HexLensError('bad-input', `uri has more than ${MAX_URI_LENGTH} characters.`);
  const node = await nodes.find(chain, signal);
  const document = await metadata.fetchImage(uri, node.rpc.isLoopback, signal);
  if (document.kind !== 'document') return { value: { kind: 'media', image: null, problem: document.kind } };
  const type = detectImageType(Buffer.from(document.text.slice(0, TYPE_PREFIX_LENGTH), 'base64'));
  if (type === null) return { value: { kind: 'media', image: null, problem: 'unsupported' } };
  return { value: { kind: 'media', image: { type, base64: document.text }, problem: null } };
};
