// Reads responses to a call that is repeated: the same result as before is not parsed again.
import type { BodyBytes } from '../../base/httpPort.ts';
import { isObject } from '../../base/isObject.ts';
import type { RpcCall } from './rpcMessage.ts';

const RESULT_KEY = '"result":';
/** Characters before the result: version and id. */
const MAX_START_LENGTH = 100;
/** A header with the hashes of a thousand transactions has 70 kB. */
const MAX_BODY_BYTES = 128 * 1024;

/** What is before the result as JSON, such as the id, which differs each time; `null` for another form of response. */
function parseStart(start: string): object | null {
  try {
    const response: unknown = JSON.parse(`${start}${RESULT_KEY}null}`);
    return isObject(response) ? response : null;
  } catch {
    return null;
  }
}

/** Takes responses whose result comes last, after the id; of others it returns `undefined`. */
export function createRepeatedResultReader(): NonNullable<RpcCall['readBody']> {
  let last: { readonly bytes: BodyBytes; readonly result: unknown } | null = null;
  return body => {
    const start = body.toString('latin1', 0, MAX_START_LENGTH);
    const at = start.indexOf(RESULT_KEY);
    const envelope = at < 0 || body.length > MAX_BODY_BYTES ? null : parseStart(start.slice(0, at));
    if (envelope === null) return undefined;
    const bytes = body.subarray(at) as BodyBytes;
    if (last?.bytes.equals(bytes)) return { value: { ...envelope, result: last.result } };
    const result = parseResult(bytes);
    if (result === undefined) return undefined;
    last = { bytes, result };
    return { value: { ...envelope, result } };
  };
}

/** `undefined` unless it is the only key. */
function parseResult(bytes: BodyBytes): unknown {
  try {
    const rest = JSON.parse(`{${bytes.toString()}`) as Readonly<Record<string, unknown>>;
    return Object.keys(rest).length === 1 ? rest['result'] : undefined;
  } catch {
    return undefined;
  }
}
