// The sentences a person reads when a node fails: they name the chain and the node's host, never its full URL.
import { asFault, type FaultOptions, HexLensError, isFault } from '../../base/errors.ts';
import { printable, type RpcRefusal } from './rpcMessage.ts';

const WHERE = 'the setting hexlens.nodes, or --node on the command line';

export interface NodeFaults {
  /** A fault of the HTTP port, told as this node's. */
  ofHttp(error: unknown, seconds: number): HexLensError;
  /** An HTTP status that carries no JSON-RPC answer. */
  ofStatus(status: number, retryAfterMs?: number): HexLensError;
  /** An answer that is no answer; `problem` continues "The node of local (127.0.0.1:8545) …". */
  ofAnswer(problem: string, options?: FaultOptions): HexLensError;
  /** An error object in answer to `method`. */
  ofRefusal(method: string, refusal: RpcRefusal): HexLensError;
  /** The node has a block but no longer the balances and storage that belong to it. */
  ofMissingState(refusal: RpcRefusal): HexLensError;
}

export function createNodeFaults(selector: string, host: string, loopback: boolean): NodeFaults {
  const node = `The node of ${selector} (${host})`;
  const start = loopback
    ? `Start it (for example: anvil), or correct its address in ${WHERE}.`
    : `Check the network, the proxy, and its address in ${WHERE}.`;
  const rateLimited = (retryAfterMs?: number) =>
    new HexLensError('rate-limited', `${node} is limiting requests.`, {
      retryAfterMs,
      fix: 'Try again in a moment, or use a node with a higher limit.',
    });
  return {
    ofHttp(error, seconds) {
      const fault = asFault(error);
      const options = { details: fault.details ?? fault.message, cause: error };
      if (isFault(fault, 'node-unreachable')) {
        const why = printable(fault.message);
        return new HexLensError(
          'node-unreachable',
          `${node} cannot be reached: ${why.charAt(0).toLowerCase()}${why.slice(1)}`,
          {
            ...options,
            fix: fault.fix ?? start,
          },
        );
      }
      if (isFault(fault, 'node-timeout'))
        return new HexLensError('node-timeout', `${node} did not answer within ${seconds} s.`, {
          ...options,
          fix: `Look whether it is busy or stuck, or choose another one in ${WHERE}.`,
        });
      if (isFault(fault, 'too-large'))
        return new HexLensError('too-large', `${node} gave an answer that is too large to be read.`, {
          ...options,
          fix: 'Ask for less at once.',
        });
      return fault;
    },
    ofStatus(status, retryAfterMs) {
      if (status === 429) return rateLimited(retryAfterMs);
      if (status === 401 || status === 403)
        return new HexLensError('node-error', `${node} does not accept the request (status ${status}).`, {
          fix: `Its address may need a key: check ${WHERE}.`,
        });
      if (status === 413)
        return new HexLensError('too-large', `${node} says that the request is too large.`, { fix: 'Ask for less.' });
      if (status >= 300 && status < 500)
        return new HexLensError('node-answer', `${node} answered with status ${status}, not with JSON-RPC.`, {
          fix: `Its address may be incomplete (scheme, port or path): check ${WHERE}.`,
        });
      return new HexLensError('node-answer', `${node} answered with status ${status}.`, {
        fix: 'Try again later, or look at the log of the node.',
      });
    },
    ofAnswer(problem, options = {}) {
      return new HexLensError('node-answer', `${node} ${problem}.`, {
        fix: `Look whether a JSON-RPC node is what listens there, and check ${WHERE}.`,
        ...options,
      });
    },
    ofRefusal(method, refusal) {
      const said = printable(refusal.message) || `error ${refusal.code}`;
      return new HexLensError('node-error', `${node} refused ${method}: ${said.replace(/\.$/, '')}.`, {
        details: `code ${refusal.code}: ${said}`,
        fix: 'The log of the node may say more; another node may be able to answer.',
      });
    },
    ofMissingState(refusal) {
      return new HexLensError('node-error', `${node} does not have the state of that block.`, {
        details: `code ${refusal.code}: ${printable(refusal.message)}`,
        fix: 'Ask for a newer block, or use an archive node.',
      });
    },
  };
}
