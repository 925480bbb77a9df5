// Error messages about a fullnode or an indexer: they name the network and the host, never a full URL.
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import { asContinuation, type LocalizableText, localizable, localize } from '../../base/localize.ts';
import { toPrintable } from '../evm/rpcMessage.ts';

/** Where the user gives networks; the command line has a text of its own for it. */
export const APTOS_SETTING = localizable('the setting hexlens.aptos.networks');

/** Faults of one endpoint of a network: its fullnode or its indexer. */
export type EndpointErrors = ReturnType<typeof createEndpointErrors>;

export function createEndpointErrors(network: string, endpoint: 'node' | 'indexer', host: string, isLoopback: boolean) {
  const name =
    endpoint === 'node'
      ? localizable('The node of Aptos {0} ({1})', network, host)
      : localizable('The indexer of Aptos {0} ({1})', network, host);
  const connectionFix = isLoopback
    ? localizable(
        'Start it ({0}), or correct its address in {1}.',
        `aptos node run-localnet${endpoint === 'indexer' ? ' --with-indexer-api' : ''}`,
        APTOS_SETTING,
      )
    : localizable('Check the network, the proxy, and its address in {0}.', APTOS_SETTING);
  return {
    /** For example "The node of Aptos mainnet (api.mainnet.aptoslabs.com)". */
    endpointName: localize(name),
    /** Rewords a fault of the HTTP port for this endpoint; `request` is what was requested, without addresses and hashes. */
    fromHttpError(error: unknown, timeoutSeconds: number, request: string): HexLensError {
      const fault = toFault(error);
      const options = { details: fault.details ?? fault.message, cause: error };
      if (isFault(fault, 'node-unreachable')) {
        const printable = toPrintable(fault.message);
        const reason = printable === fault.message ? (fault.localizable?.message ?? printable) : printable;
        const message = localizable('{0} cannot be reached: {1}', name, asContinuation(reason));
        return new HexLensError('node-unreachable', message, {
          ...options,
          fix: isLoopback ? connectionFix : (fault.localizable?.fix ?? fault.fix ?? connectionFix),
        });
      }
      if (isFault(fault, 'node-timeout'))
        return new HexLensError(
          'node-timeout',
          localizable('{0} did not respond within {1} s.', name, timeoutSeconds),
          {
            ...options,
            fix: localizable('Try again, or choose another one in {0}.', APTOS_SETTING),
          },
        );
      if (isFault(fault, 'too-large'))
        return new HexLensError(
          'too-large',
          localizable(
            '{0} gave an answer to {1} that is too large to be read: {2}',
            name,
            request,
            asContinuation(fault.localizable?.message ?? fault.message),
          ),
          { ...options, fix: localizable('Request less at once.') },
        );
      return fault;
    },
    /** A response with an error status; `message` is the endpoint's own text. */
    fromStatus(status: number, message: string | null, retryAfterMs?: number): HexLensError {
      const quote = message === null ? '' : `: ${toPrintable(message).replace(/\.$/, '')}`;
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
            fix: localizable('It may need a key ("HexLens: Set API Key"): check {0}.', APTOS_SETTING),
          },
        );
      if (status >= 500)
        return new HexLensError('node-answer', localizable('{0} answered with status {1}{2}.', name, status, quote), {
          fix: localizable('Try again later, or look at the log of the node.'),
        });
      return new HexLensError('node-answer', localizable('{0} answered with status {1}{2}.', name, status, quote), {
        fix: localizable(
          'Its address may be incomplete (it ends in /v1 for a node, /v1/graphql for an indexer): check {0}.',
          APTOS_SETTING,
        ),
      });
    },
    /** A malformed response; `problem` continues "The node of Aptos local (127.0.0.1:8080) …". */
    invalidResponse: (problem: LocalizableText) =>
      new HexLensError('node-answer', localizable('{0} {1}.', name, problem), {
        fix:
          endpoint === 'node'
            ? localizable('Check whether an Aptos fullnode is listening there, and check {0}.', APTOS_SETTING)
            : localizable('Check whether an Aptos indexer is listening there, and check {0}.', APTOS_SETTING),
      }),
    /** A request for pruned data. */
    pruned: (what: LocalizableText): HexLensError =>
      new HexLensError('removed', localizable('{0} no longer has {1}: it was pruned.', name, what), {
        fix: localizable('Ask for something newer, or use an archive node.'),
      }),
  };
}
