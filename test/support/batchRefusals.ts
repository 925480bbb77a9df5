// How nodes and providers refuse a batch of more calls than they take.
import type { ScriptedExchange } from './scriptedRpcNode.ts';

type Refuse = (exchange: ScriptedExchange, limit: number) => void | Promise<void>;

const error = (code: number, message: string, data?: unknown) => ({
  code,
  message,
  ...(data !== undefined && { data }),
});
const toReply = (id: unknown, cause: ReturnType<typeof error>) => ({ jsonrpc: '2.0', id, error: cause });

/** Forms that name the limit, by who has them. */
export const namedBatchRefusals: Readonly<Record<string, Refuse>> = {
  'an error object that names both sizes': ({ calls, send }, limit) =>
    send(toReply(null, error(-32203, `Batch request amount ${calls.length} exceeds max ${limit}`))),
  'an error object whose data has the limit, as reth': ({ send }, limit) =>
    send(toReply(null, error(-32010, 'The batch request was too large', `Exceeded max limit of ${limit}`))),
  'status 500 and an error for each call, as dRPC': ({ calls, send }, limit) =>
    send(
      calls.map(({ id }) =>
        toReply(id, error(31, `Batch of more than ${limit} requests are not allowed on free tier`)),
      ),
      500,
    ),
  'status 429 and an error object': ({ send }, limit) =>
    send(toReply(null, error(-32005, `batch size limit of ${limit} exceeded`)), 429),
  'responses to the first calls, and an error for each other one': async ({ calls, honest, send }, limit) => {
    const responses = (await honest()) as unknown[];
    const rest = calls.slice(limit).map(({ id }) => toReply(id, error(-32000, 'batch limit exceeded')));
    send([...responses.slice(0, limit), ...rest]);
  },
};

/** Forms that do not. */
export const otherBatchRefusals: Readonly<Record<string, Refuse>> = {
  'an error with the id of the first call, as Geth': ({ calls, send }) =>
    send([toReply(calls[0]?.id, error(-32600, 'batch too large'))]),
  'an error object that says nothing': ({ send }) => send(toReply(null, error(-32600, 'Invalid Request'))),
  'status 400': ({ sendText }) => sendText('Bad Request', 400, { 'content-type': 'text/plain' }),
  'status 413': ({ sendText }) => sendText('Payload Too Large', 413, { 'content-type': 'text/plain' }),
  'status 429': ({ sendText }) => sendText('Too Many Requests', 429, { 'content-type': 'text/plain' }),
};

/** For `exchange` of a scripted node. `refused` counts. */
export function createBatchLimit(limit: number, refuse: Refuse) {
  const counts = { refused: 0, answered: 0 };
  return {
    counts,
    async exchange(exchange: ScriptedExchange): Promise<boolean> {
      const isRefused = exchange.calls.length > limit;
      counts[isRefused ? 'refused' : 'answered']++;
      if (isRefused) await refuse(exchange, limit);
      return isRefused;
    },
  };
}
