// Answers requests to the node of the sample workspace here, from its recorded chain; all others are sent.
import { createCancelledFault } from '../base/errors.ts';
import type { HttpPort, HttpResponse } from '../base/httpPort.ts';
import { lazy } from '../base/lazy.ts';
import { SAMPLE_CHAIN_HOST } from '../base/loopback.ts';

/** The chain and the EVM are loaded with the first request. */
const getNode = lazy(async () => (await import('../service/sample/sampleNode.ts')).createSampleNode());

export function answerSampleChain(http: HttpPort): HttpPort {
  return {
    ...http,
    async send(request): Promise<HttpResponse> {
      if (URL.parse(request.url)?.hostname !== SAMPLE_CHAIN_HOST) return http.send(request);
      const node = await getNode();
      const body = JSON.stringify(await node.respond(JSON.parse(request.body ?? 'null')));
      if (request.signal?.aborted === true) throw createCancelledFault();
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    },
  };
}
