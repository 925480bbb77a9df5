// The sentences a person reads when a node or an indexer of Aptos fails: they name network and host, never a full URL.
import { type FaultOptions, HexLensError, isFault, toFault } from '../../base/errors.ts';
import { asContinuation, type LocalizableText, localizable, localize } from '../../base/localize.ts';
import { toPrintable } from '../evm/rpcMessage.ts';

const WHERE = localizable('the setting hexlens.aptos.networks, or --aptos on the command line');

/** One end of a network: its fullnode or its indexer. */
export interface EndpointErrors {
  /** "The node of Aptos mainnet (api.mainnet.aptoslabs.com)". */
  readonly endpointName: string;
  /** A fault of the HTTP port, told as this end's. */
  fromHttpError(error: unknown, seconds: number): HexLensError;
  /** A status that carries no answer; `said` is the end's own text. */
  fromStatus(status: number, said: string | null, retryAfterMs?: number): HexLensError;
  /** An answer that is none; `problem` continues "The node of Aptos local (127.0.0.1:8080) …". */
  invalidResponse(problem: LocalizableText, options?: FaultOptions): HexLensError;
  /** What was asked for was pruned. */
  pruned(what: LocalizableText): HexLensError;
}

export function createEndpointErrors(
  network: string,
  end: 'node' | 'indexer',
  host: string,
  loopback: boolean,
): EndpointErrors {
  const name =
    end === 'node'
      ? localizable('The node of Aptos {0} ({1})', network, host)
      : localizable('The indexer of Aptos {0} ({1})', network, host);
  const start = loopback
    ? localizable(
        'Start it ({0}), or correct its address in {1}.',
        `aptos node run-localnet${end === 'indexer' ? ' --with-indexer-api' : ''}`,
        WHERE,
      )
    : localizable('Check the network, the proxy, and its address in {0}.', WHERE);
  return {
    endpointName: localize(name),
    fromHttpError(error, seconds) {
      const fault = toFault(error);
      const options = { details: fault.details ?? fault.message, cause: error };
      if (isFault(fault, 'node-unreachable')) {
        const why = toPrintable(fault.message);
        const words = why === fault.message ? (fault.localizable?.message ?? why) : why;
        const message = localizable('{0} cannot be reached: {1}', name, asContinuation(words));
        return new HexLensError('node-unreachable', message, {
          ...options,
          fix: loopback ? start : (fault.localizable?.fix ?? fault.fix ?? start),
        });
      }
      if (isFault(fault, 'node-timeout'))
        return new HexLensError('node-timeout', localizable('{0} did not answer within {1} s.', name, seconds), {
          ...options,
          fix: localizable('Try again, or choose another one in {0}.', WHERE),
        });
      if (isFault(fault, 'too-large'))
        return new HexLensError('too-large', localizable('{0} gave an answer that is too large to be read.', name), {
          ...options,
          fix: localizable('Ask for less at once.'),
        });
      return fault;
    },
    fromStatus(status, said, retryAfterMs) {
      const quote = said === null ? '' : `: ${toPrintable(said).replace(/\.$/, '')}`;
      if (status === 429)
        return new HexLensError('rate-limited', localizable('{0} is limiting requests.', name), {
          details: `status 429${quote}`,
          retryAfterMs,
          fix: localizable('Try again in a moment; a key of your own raises the limit ("HexLens: Set API Key").'),
        });
      if (status === 401 || status === 403)
        return new HexLensError(
          'node-error',
          localizable('{0} does not accept the request (status {1}){2}.', name, status, quote),
          {
            fix: localizable('It may need a key ("HexLens: Set API Key"): check {0}.', WHERE),
          },
        );
      if (status >= 500)
        return new HexLensError('node-answer', localizable('{0} answered with status {1}{2}.', name, status, quote), {
          fix: localizable('Try again later, or look at the log of the node.'),
        });
      return new HexLensError('node-answer', localizable('{0} answered with status {1}{2}.', name, status, quote), {
        fix: localizable(
          'Its address may be incomplete (it ends in /v1 for a node, /v1/graphql for an indexer): check {0}.',
          WHERE,
        ),
      });
    },
    invalidResponse: (problem, options = {}) =>
      new HexLensError('node-answer', localizable('{0} {1}.', name, problem), {
        fix:
          end === 'node'
            ? localizable('Look whether an Aptos fullnode is what listens there, and check {0}.', WHERE)
            : localizable('Look whether an Aptos indexer is what listens there, and check {0}.', WHERE),
        ...options,
      }),
    pruned: what =>
      new HexLensError('removed', localizable('{0} no longer has {1}: it was pruned.', name, what), {
        fix: localizable('Ask for something newer, or use an archive node.'),
      }),
  };
}
