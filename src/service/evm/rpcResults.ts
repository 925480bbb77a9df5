// What a node returned, as values: an error or a value that cannot be true becomes a fault of the node.
import { type BlockHeader, HEADER_METHOD, parseHeader, parseHeaderAt } from './blockHeader.ts';
import { InvalidResponseError } from './responseFields.ts';
import type { RpcClient } from './rpcClient.ts';
import type { RpcResponse } from './rpcMessage.ts';

/** Runs `parse` over the result of `method`; an `InvalidResponseError` becomes a `node-answer` fault. */
export function validateResult<T>(rpc: RpcClient, method: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InvalidResponseError) throw rpc.invalidResponse(method, error.message, { cause: error });
    throw error;
  }
}

/** The result in a response; throws `node-error` when it is an error, `node-answer` when there is no response. */
export function getResult(rpc: RpcClient, method: string, response: RpcResponse | undefined): unknown {
  if (response === undefined) throw rpc.invalidResponse(method, 'there is none');
  if (response.error !== undefined) throw rpc.faults.fromRpcError(method, response.error);
  return response.result;
}

/** The header in a response, of the block with this number where one is given; `null` where there is none. */
export function findHeader(rpc: RpcClient, response: RpcResponse | undefined, number?: number): BlockHeader | null {
  if (response === undefined || response.error !== undefined) return null;
  return validateResult(rpc, HEADER_METHOD, () =>
    number === undefined ? parseHeader(response.result) : parseHeaderAt(response.result, number),
  );
}

/** What of an `EvmNode` reads results. */
interface ResultReader {
  validate<T>(method: string, parse: () => T): T;
  getResult(method: string, response: RpcResponse | undefined): unknown;
}

/** The header in the response to a `toHeaderCall`; `null` when the node has no such block, throws where it refused the call. */
export function parseHeaderResponse(
  node: ResultReader,
  response: RpcResponse | undefined,
  number: number,
): BlockHeader | null {
  const result = node.getResult(HEADER_METHOD, response);
  return node.validate(HEADER_METHOD, () => parseHeaderAt(result, number));
}

/** The header of the latest block; throws what the node says where it has none. */
export function requireHead(rpc: RpcClient, response: RpcResponse | undefined): BlockHeader {
  const head = findHeader(rpc, response);
  if (head !== null) return head;
  getResult(rpc, HEADER_METHOD, response); // throws what the node says, if it says why
  throw rpc.invalidResponse(HEADER_METHOD, 'there is no latest block');
}
