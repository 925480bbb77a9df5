// The sentences a person reads when a node or an indexer of Aptos fails: they name network and host, never a full URL.
import { asFault, type FaultOptions, HexLensError, isFault } from '../../base/errors.ts';
import { continued, spoken, type Words, worded } from '../../base/worded.ts';
import { printable } from '../evm/rpcMessage.ts';

const WHERE = worded('the setting hexlens.aptos.networks, or --aptos on the command line');

/** One end of a network: its fullnode or its indexer. */
export interface EndFaults {
  /** "The node of Aptos mainnet (api.mainnet.aptoslabs.com)". */
  readonly name: string;
  /** A fault of the HTTP port, told as this end's. */
  ofHttp(error: unknown, seconds: number): HexLensError;
  /** A status that carries no answer; `said` is the end's own text. */
  ofStatus(status: number, said: string | null, retryAfterMs?: number): HexLensError;
  /** An answer that is none; `problem` continues "The node of Aptos local (127.0.0.1:8080) …". */
  ofAnswer(problem: Words, options?: FaultOptions): HexLensError;
  /** What was asked for was pruned. */
  ofPruned(what: Words): HexLensError;
}

export function createEndFaults(network: string, end: 'node' | 'indexer', host: string, loopback: boolean): EndFaults {
  const name =
    end === 'node'
      ? worded('The node of Aptos {0} ({1})', network, host)
      : worded('The indexer of Aptos {0} ({1})', network, host);
  const start = loopback
    ? worded(
        'Start it ({0}), or correct its address in {1}.',
        `aptos node run-localnet${end === 'indexer' ? ' --with-indexer-api' : ''}`,
        WHERE,
      )
    : worded('Check the network, the proxy, and its address in {0}.', WHERE);
  return {
    name: spoken(name),
    ofHttp(error, seconds) {
      const fault = asFault(error);
      const options = { details: fault.details ?? fault.message, cause: error };
      if (isFault(fault, 'node-unreachable')) {
        const why = printable(fault.message);
        const words = why === fault.message ? (fault.said?.message ?? why) : why;
        const message = worded('{0} cannot be reached: {1}', name, continued(words));
        return new HexLensError('node-unreachable', message, {
          ...options,
          fix: loopback ? start : (fault.said?.fix ?? fault.fix ?? start),
        });
      }
      if (isFault(fault, 'node-timeout'))
        return new HexLensError('node-timeout', worded('{0} did not answer within {1} s.', name, seconds), {
          ...options,
          fix: worded('Try again, or choose another one in {0}.', WHERE),
        });
      if (isFault(fault, 'too-large'))
        return new HexLensError('too-large', worded('{0} gave an answer that is too large to be read.', name), {
          ...options,
          fix: worded('Ask for less at once.'),
        });
      return fault;
    },
    ofStatus(status, said, retryAfterMs) {
      const quote = said === null ? '' : `: ${printable(said).replace(/\.$/, '')}`;
      if (status === 429)
        return new HexLensError('rate-limited', worded('{0} is limiting requests.', name), {
          details: `status 429${quote}`,
          retryAfterMs,
          fix: worded('Try again in a moment; a key of your own raises the limit ("HexLens: Set API Key").'),
        });
      if (status === 401 || status === 403)
        return new HexLensError(
          'node-error',
          worded('{0} does not accept the request (status {1}){2}.', name, status, quote),
          {
            fix: worded('It may need a key ("HexLens: Set API Key"): check {0}.', WHERE),
          },
        );
      if (status >= 500)
        return new HexLensError('node-answer', worded('{0} answered with status {1}{2}.', name, status, quote), {
          fix: worded('Try again later, or look at the log of the node.'),
        });
      return new HexLensError('node-answer', worded('{0} answered with status {1}{2}.', name, status, quote), {
        fix: worded(
          'Its address may be incomplete (it ends in /v1 for a node, /v1/graphql for an indexer): check {0}.',
          WHERE,
        ),
      });
    },
    ofAnswer: (problem, options = {}) =>
      new HexLensError('node-answer', worded('{0} {1}.', name, problem), {
        fix:
          end === 'node'
            ? worded('Look whether an Aptos fullnode is what listens there, and check {0}.', WHERE)
            : worded('Look whether an Aptos indexer is what listens there, and check {0}.', WHERE),
        ...options,
      }),
    ofPruned: what =>
      new HexLensError('removed', worded('{0} no longer has {1}: it was pruned.', name, what), {
        fix: worded('Ask for something newer, or use an archive node.'),
      }),
  };
}
