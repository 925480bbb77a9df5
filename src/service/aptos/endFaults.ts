// The sentences a person reads when a node or an indexer of Aptos fails: they name network and host, never a full URL.
import { asFault, type FaultOptions, HexLensError, isFault } from '../../base/errors.ts';
import { printable } from '../evm/rpcMessage.ts';

const WHERE = 'the setting hexlens.aptos.networks, or --aptos on the command line';

/** One end of a network: its fullnode or its indexer. */
export interface EndFaults {
  /** "The node of Aptos mainnet (api.mainnet.aptoslabs.com)". */
  readonly name: string;
  /** A fault of the HTTP port, told as this end's. */
  ofHttp(error: unknown, seconds: number): HexLensError;
  /** A status that carries no answer; `said` is the end's own text. */
  ofStatus(status: number, said: string | null, retryAfterMs?: number): HexLensError;
  /** An answer that is none; `problem` continues "The node of Aptos local (127.0.0.1:8080) …". */
  ofAnswer(problem: string, options?: FaultOptions): HexLensError;
  /** What was asked for was pruned. */
  ofPruned(what: string): HexLensError;
}

export function createEndFaults(network: string, end: 'node' | 'indexer', host: string, loopback: boolean): EndFaults {
  const name = `The ${end} of Aptos ${network} (${host})`;
  const start = loopback
    ? `Start it (aptos node run-localnet${end === 'indexer' ? ' --with-indexer-api' : ''}), or correct its address in ${WHERE}.`
    : `Check the network, the proxy, and its address in ${WHERE}.`;
  return {
    name,
    ofHttp(error, seconds) {
      const fault = asFault(error);
      const options = { details: fault.details ?? fault.message, cause: error };
      if (isFault(fault, 'node-unreachable')) {
        const why = printable(fault.message);
        const message = `${name} cannot be reached: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
        return new HexLensError('node-unreachable', message, {
          ...options,
          fix: loopback ? start : (fault.fix ?? start),
        });
      }
      if (isFault(fault, 'node-timeout'))
        return new HexLensError('node-timeout', `${name} did not answer within ${seconds} s.`, {
          ...options,
          fix: `Try again, or choose another one in ${WHERE}.`,
        });
      if (isFault(fault, 'too-large'))
        return new HexLensError('too-large', `${name} gave an answer that is too large to be read.`, {
          ...options,
          fix: 'Ask for less at once.',
        });
      return fault;
    },
    ofStatus(status, said, retryAfterMs) {
      const quote = said === null ? '' : `: ${printable(said).replace(/\.$/, '')}`;
      if (status === 429)
        return new HexLensError('rate-limited', `${name} is limiting requests.`, {
          details: `status 429${quote}`,
          retryAfterMs,
          fix: 'Try again in a moment; a key of your own raises the limit ("HexLens: Set API Key").',
        });
      if (status === 401 || status === 403)
        return new HexLensError('node-error', `${name} does not accept the request (status ${status})${quote}.`, {
          fix: `It may need a key ("HexLens: Set API Key"): check ${WHERE}.`,
        });
      if (status >= 500)
        return new HexLensError('node-answer', `${name} answered with status ${status}${quote}.`, {
          fix: 'Try again later, or look at the log of the node.',
        });
      return new HexLensError('node-answer', `${name} answered with status ${status}${quote}.`, {
        fix: `Its address may be incomplete (it ends in /v1 for a node, /v1/graphql for an indexer): check ${WHERE}.`,
      });
    },
    ofAnswer: (problem, options = {}) =>
      new HexLensError('node-answer', `${name} ${problem}.`, {
        fix: `Look whether ${end === 'node' ? 'an Aptos fullnode' : 'an Aptos indexer'} is what listens there, and check ${WHERE}.`,
        ...options,
      }),
    ofPruned: what =>
      new HexLensError('removed', `${name} no longer has ${what}: it was pruned.`, {
        fix: 'Ask for something newer, or use an archive node.',
      }),
  };
}
