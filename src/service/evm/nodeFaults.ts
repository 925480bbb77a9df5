// Faults of a node as people read them: they name the chain and the node's host, never its full URL.

import { getChainById, getChainByName, LOCAL_CHAIN, toHexChainId } from '../../api/chains.ts';
import { type FaultOptions, HexLensError, isFault, toFault } from '../../base/errors.ts';
import { asContinuation, type LocalizableText, localizable, localize } from '../../base/localize.ts';
import { type RpcError, toPrintable } from './rpcMessage.ts';

/** Where the user gives nodes; the command line has a text of its own for it. */
export const NODE_SETTING = localizable('the setting hexlens.nodes');

/** Geth and others, which drop bodies and receipts of old blocks (EIP-4444). */
const PRUNED_HISTORY =
  /pruned history|history.{0,20}(pruned|unavailable|not available)|block.{0,40}\b(was|is|has been|been) pruned|(lowest|earliest) (available )?(height|block)/i;

/** A chain as pages and hovers name it; a node with a name of the user's by that. */
export const nameChain = (selector: string): LocalizableText | string =>
  getChainByName(selector)?.title ?? (selector === LOCAL_CHAIN ? localizable('Local dev chain') : selector);

/** Within an English note of a reply: the chain's name, as the user knows the node. */
export const describeNode = (selector: string): string => `the node of ${localize(nameChain(selector))}`;

export class NodeFaults {
  /** `null` for a URL that is only tried: it is the node of no chain yet. */
  readonly #selector: string | null;
  /** How messages name it. */
  readonly #node: LocalizableText;
  /** What to do when it cannot be reached. */
  readonly #start: LocalizableText;

  constructor(selector: string | null, host: string, isLoopback: boolean) {
    this.#selector = selector;
    this.#node =
      selector === null
        ? localizable('The node at {0}', host)
        : localizable('The node of {0} ({1})', nameChain(selector), host);
    this.#start = isLoopback
      ? localizable('Start it (for example: anvil), or correct its address in {0}.', NODE_SETTING)
      : localizable('Check the network, the proxy, and its address in {0}.', NODE_SETTING);
  }

  /** A fault of the HTTP port, as one of this node; `method` is what was called. */
  fromHttpFault(error: unknown, seconds: number, method: string): HexLensError {
    const fault = toFault(error);
    const options = { details: fault.details ?? fault.message, cause: error };
    if (isFault(fault, 'node-unreachable')) {
      const printable = toPrintable(fault.message);
      const reason = printable === fault.message ? (fault.localizable?.message ?? printable) : printable;
      return new HexLensError(
        'node-unreachable',
        localizable('{0} cannot be reached: {1}', this.#node, asContinuation(reason)),
        {
          ...options,
          fix: fault.localizable?.fix ?? fault.fix ?? this.#start,
        },
      );
    }
    if (isFault(fault, 'node-timeout'))
      return new HexLensError('node-timeout', localizable('{0} did not respond within {1} s.', this.#node, seconds), {
        ...options,
        fix: localizable('Check whether it is busy or stuck, or choose another one in {0}.', NODE_SETTING),
      });
    if (isFault(fault, 'too-large'))
      return new HexLensError(
        'too-large',
        localizable(
          '{0} gave an answer to {1} that is too large to be read: {2}',
          this.#node,
          method,
          asContinuation(fault.localizable?.message ?? fault.message),
        ),
        { ...options, fix: localizable('Request less at once.') },
      );
    return fault;
  }

  /** An HTTP status without a JSON-RPC response. */
  fromStatus(status: number, retryAfterMs?: number): HexLensError {
    if (status === 429) return this.#rateLimited(retryAfterMs);
    if (status === 401 || status === 403)
      return new HexLensError(
        'node-error',
        localizable('{0} does not accept the request (status {1}).', this.#node, status),
        {
          fix:
            this.#selector === null
              ? localizable('Its address may need a key: add it to the URL.')
              : localizable('Its address may need a key: check {0}.', NODE_SETTING),
        },
      );
    if (status === 408 || status === 504 || status === 524)
      return new HexLensError(
        'node-timeout',
        localizable('{0} did not respond in time to the gateway before it (status {1}).', this.#node, status),
        { fix: localizable('Request less, or choose another one in {0}.', NODE_SETTING) },
      );
    if (status === 413)
      return new HexLensError('too-large', localizable('{0} says that the request is too large.', this.#node), {
        fix: localizable('Request less.'),
      });
    if (status >= 300 && status < 500)
      return new HexLensError(
        'node-answer',
        localizable('{0} answered with status {1}, not with JSON-RPC.', this.#node, status),
        {
          fix: localizable('Its address may be incomplete (scheme, port or path): check {0}.', NODE_SETTING),
        },
      );
    return new HexLensError('node-answer', localizable('{0} answered with status {1}.', this.#node, status), {
      fix: localizable('Try again later, or look at the log of the node.'),
    });
  }

  /** A response that cannot be used; `problem` continues "The node of Local dev chain (127.0.0.1:8545) …". */
  invalidResponse(problem: LocalizableText, options: FaultOptions = {}): HexLensError {
    return new HexLensError('node-answer', localizable('{0} {1}.', this.#node, problem), {
      fix: localizable('Check whether a JSON-RPC node listens there, and check {0}.', NODE_SETTING),
      ...options,
    });
  }

  /** The node does not return logs: not of one block either. */
  withoutLogs(error: RpcError): HexLensError {
    return new HexLensError('node-error', localizable('{0} does not offer eth_getLogs.', this.#node), {
      details: `code ${error.code}: ${toPrintable(error.message)}`,
      fix: localizable(
        'Use another node of the chain in {0}: one of your own, or a provider that has logs.',
        NODE_SETTING,
      ),
    });
  }

  /** An error object in the response to `method`. */
  fromRpcError(method: string, error: RpcError): HexLensError {
    if (PRUNED_HISTORY.test(error.message))
      return new HexLensError('node-error', localizable('{0} no longer has blocks that are so old.', this.#node), {
        details: `code ${error.code}: ${toPrintable(error.message)}`,
        fix: localizable('Use newer blocks, or a node that keeps all of them.'),
      });
    const message = toPrintable(error.message) || `error ${error.code}`;
    return new HexLensError(
      'node-error',
      localizable('{0} refused {1}: {2}.', this.#node, method, message.replace(/\.$/, '')),
      {
        details: `code ${error.code}: ${message}`,
        fix: localizable('The log of the node may say more; another node may be able to answer.'),
      },
    );
  }

  /** The node has a block but no longer the balances and storage that belong to it. */
  missingState(error: RpcError): HexLensError {
    return new HexLensError('node-error', localizable('{0} does not have the state of that block.', this.#node), {
      details: `code ${error.code}: ${toPrintable(error.message)}`,
      fix: localizable('Use a newer block, or an archive node.'),
    });
  }

  #rateLimited(retryAfterMs?: number): HexLensError {
    return new HexLensError('rate-limited', localizable('{0} is limiting requests.', this.#node), {
      retryAfterMs,
      fix: localizable('Try again in a moment, or use a node with a higher limit.'),
    });
  }
}

/** No node is configured for the chain; `problem` is a sentence. */
export const createNoNodeFault = (selector: string, problem: LocalizableText): HexLensError =>
  new HexLensError('no-node', problem, {
    fix: localizable('Connect one with "HexLens: Connect Node", or add {0} to the setting hexlens.nodes.', selector),
  });

/** `1 (Ethereum)`, or the number alone. */
function formatChainId(id: number): string {
  const chain = getChainById(id);
  return chain === undefined ? String(id) : `${id} (${chain.title})`;
}

/** One of several nodes of a chain lacks blocks that another one has. Temporary. */
export const createNodeBehindFault = (selector: string, host: string, blocks: number): HexLensError =>
  new HexLensError(
    'node-unreachable',
    localizable(
      'The node of {0} ({1}) is behind another node of its chain (blocks: {2}).',
      nameChain(selector),
      host,
      blocks,
    ),
    { fix: localizable('Wait until it has caught up, or choose another one in {0}.', NODE_SETTING) },
  );

/** One of several nodes of a chain has another chain than the others, of the same id. */
export const createOtherGenesisFault = (selector: string, host: string): HexLensError =>
  new HexLensError(
    'no-node',
    localizable(
      'The node of {0} ({1}) has another first block than the other nodes of its chain.',
      nameChain(selector),
      host,
    ),
    { fix: localizable('Remove it from {0}, or enter it under another chain name.', NODE_SETTING) },
  );

/** The configured address belongs to another chain than its name. */
export function createWrongChainFault(selector: string, host: string, expected: number, found: number): HexLensError {
  const foundSelector = getChainById(found)?.name ?? toHexChainId(found);
  return new HexLensError(
    'no-node',
    localizable(
      'The node configured for {0} ({1}) is chain {2}, not {3}.',
      selector,
      host,
      formatChainId(found),
      formatChainId(expected),
    ),
    { fix: localizable('Give it as {0} in {1}, or correct its address.', foundSelector, NODE_SETTING) },
  );
}
