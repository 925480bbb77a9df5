// The sentences a person reads when a node fails: they name the chain and the node's host, never its full URL.

import { chainHexId } from '../../api/chains.ts';
import { asFault, type FaultOptions, HexLensError, isFault } from '../../base/errors.ts';
import { continued, type Words, worded } from '../../base/worded.ts';
import { printable, type RpcRefusal } from './rpcMessage.ts';

const WHERE = worded('the setting hexlens.nodes, or --node on the command line');

export interface NodeFaults {
  /** A fault of the HTTP port, told as this node's. */
  ofHttp(error: unknown, seconds: number): HexLensError;
  /** An HTTP status that carries no JSON-RPC answer. */
  ofStatus(status: number, retryAfterMs?: number): HexLensError;
  /** An answer that is no answer; `problem` continues "The node of local (127.0.0.1:8545) …". */
  ofAnswer(problem: Words, options?: FaultOptions): HexLensError;
  /** An error object in answer to `method`. */
  ofRefusal(method: string, refusal: RpcRefusal): HexLensError;
  /** The node has a block but no longer the balances and storage that belong to it. */
  ofMissingState(refusal: RpcRefusal): HexLensError;
}

export function createNodeFaults(selector: string, host: string, loopback: boolean): NodeFaults {
  const node = worded('The node of {0} ({1})', selector, host);
  const start = loopback
    ? worded('Start it (for example: anvil), or correct its address in {0}.', WHERE)
    : worded('Check the network, the proxy, and its address in {0}.', WHERE);
  const rateLimited = (retryAfterMs?: number) =>
    new HexLensError('rate-limited', worded('{0} is limiting requests.', node), {
      retryAfterMs,
      fix: worded('Try again in a moment, or use a node with a higher limit.'),
    });
  return {
    ofHttp(error, seconds) {
      const fault = asFault(error);
      const options = { details: fault.details ?? fault.message, cause: error };
      if (isFault(fault, 'node-unreachable')) {
        const why = printable(fault.message);
        const words = why === fault.message ? (fault.said?.message ?? why) : why;
        return new HexLensError('node-unreachable', worded('{0} cannot be reached: {1}', node, continued(words)), {
          ...options,
          fix: fault.said?.fix ?? fault.fix ?? start,
        });
      }
      if (isFault(fault, 'node-timeout'))
        return new HexLensError('node-timeout', worded('{0} did not answer within {1} s.', node, seconds), {
          ...options,
          fix: worded('Look whether it is busy or stuck, or choose another one in {0}.', WHERE),
        });
      if (isFault(fault, 'too-large'))
        return new HexLensError('too-large', worded('{0} gave an answer that is too large to be read.', node), {
          ...options,
          fix: worded('Ask for less at once.'),
        });
      return fault;
    },
    ofStatus(status, retryAfterMs) {
      if (status === 429) return rateLimited(retryAfterMs);
      if (status === 401 || status === 403)
        return new HexLensError('node-error', worded('{0} does not accept the request (status {1}).', node, status), {
          fix: worded('Its address may need a key: check {0}.', WHERE),
        });
      if (status === 413)
        return new HexLensError('too-large', worded('{0} says that the request is too large.', node), {
          fix: worded('Ask for less.'),
        });
      if (status >= 300 && status < 500)
        return new HexLensError(
          'node-answer',
          worded('{0} answered with status {1}, not with JSON-RPC.', node, status),
          {
            fix: worded('Its address may be incomplete (scheme, port or path): check {0}.', WHERE),
          },
        );
      return new HexLensError('node-answer', worded('{0} answered with status {1}.', node, status), {
        fix: worded('Try again later, or look at the log of the node.'),
      });
    },
    ofAnswer(problem, options = {}) {
      return new HexLensError('node-answer', worded('{0} {1}.', node, problem), {
        fix: worded('Look whether a JSON-RPC node is what listens there, and check {0}.', WHERE),
        ...options,
      });
    },
    ofRefusal(method, refusal) {
      const said = printable(refusal.message) || `error ${refusal.code}`;
      return new HexLensError('node-error', worded('{0} refused {1}: {2}.', node, method, said.replace(/\.$/, '')), {
        details: `code ${refusal.code}: ${said}`,
        fix: worded('The log of the node may say more; another node may be able to answer.'),
      });
    },
    ofMissingState(refusal) {
      return new HexLensError('node-error', worded('{0} does not have the state of that block.', node), {
        details: `code ${refusal.code}: ${printable(refusal.message)}`,
        fix: worded('Ask for a newer block, or use an archive node.'),
      });
    },
  };
}

/** The address in the settings leads to another chain than its name says. */
export function wrongChain(selector: string, host: string, expected: number, found: number): HexLensError {
  const [has, wanted] = [chainHexId(found), chainHexId(expected)];
  return new HexLensError(
    'no-node',
    worded('The node configured for {0} ({1}) has the chain {2}, not {3}.', selector, host, has, wanted),
    { fix: worded('Give it as {0} in the setting hexlens.nodes (or --node), or correct its address.', has) },
  );
}
