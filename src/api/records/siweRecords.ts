// Group A's record: who signed in ("Sign-in identity record" of the description).
import { always, extra, record } from './record.ts';
import { array, checksummed, number, text, time } from './valueKinds.ts';

export const identity = record('Identity', {
  id: always(text),
  domain: always(text),
  chainId: always(number, 'chainId'),
  address: always(checksummed),
  statement: extra(text),
  uri: always(text),
  expirationTime: extra(time, 'expirationTime'),
  notBefore: extra(time, 'notBefore'),
  resources: extra(array(text)),
  version: always(text),
  nonce: always(text),
  profileId: always(text, 'profileId'),
});
