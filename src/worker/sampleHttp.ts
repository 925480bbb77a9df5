// Answers requests to the node of the sample workspace here, from its recorded chain; all others are sent.
import { createCancelledFault, HexLensError } from '../base/errors.ts';
import type { HttpPort, HttpResponse } from '../base/httpPort.ts';
import { lazy } from '../base/lazy.ts';
import { SAMPLE_CHAIN_HOST } from '../base/loopback.ts';

/** The chain and the EVM are loaded with the first request. */
const getNode = lazy(async () => (await import('../service/sample/sampleNode.ts')).createSampleNode());

/** URLs come normalized; parsing that of each request would take longer than all the rest here. */
const isSampleChain = ({ url }: { readonly url: string }): boolean =>
  url.includes(SAMPLE_CHAIN_HOST) && URL.parse(url)?.hostname === SAMPLE_CHAIN_HOST;

export function answerSampleChain(http: HttpPort): HttpPort {
  const { subscribe } = http;
  return {
    ...http,
    async send(request): Promise<HttpResponse> {
      if (!isSampleChain(request)) return http.send(request);
      const node = await getNode();
      const body = JSON.stringify(await node.respond(JSON.parse(request.body ?? 'null')));
      if (request.signal?.aborted === true) throw createCancelledFault();
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    },
    ...(subscribe !== undefined && {
      async subscribe(request, onMessage) {
        if (isSampleChain(request)) throw new HexLensError('node-unreachable', 'The sample chain has no new blocks.');
        return subscribe(request, onMessage);
      },
    }),
  };
}
