// Native balances of several accounts at one and the same block.
import { type Hex, parseQuantity, toQuantity } from '../../base/hex.ts';
import type { EvmNode } from './evmNode.ts';
import { type BlockHeader, parseHeaderAt } from './responseFields.ts';
import type { RpcResponse } from './rpcMessage.ts';

const BALANCE = 'eth_getBalance';
const HEADER = 'eth_getBlockByNumber';
/** A block may be replaced between the calls: then the balances of the new one are read. */
const ATTEMPTS = 3;

/** The node has the block but not its state: thrown away (pruned), or not an archive node. */
const NO_STATE =
  /missing trie node|state|prun|archive|history|header not found|out ?of ?range|unknown block|not available/i;

/** In the order of the addresses. Rejects with `node-error` when the node no longer has the block's state. */
export async function fetchBalances(
  node: EvmNode,
  block: BlockHeader,
  addresses: readonly Hex[],
  signal: AbortSignal | undefined,
): Promise<{ readonly block: BlockHeader; readonly balances: readonly bigint[] }> {
  if (node.cache.takesBlockHash !== false) {
    const pinned = { blockHash: block.hash, requireCanonical: false };
    const answers = await ask(node, addresses, pinned, signal);
    if (answers.every(answer => answer.refusal === undefined)) {
      node.cache.takesBlockHash = true;
      return { block, balances: readAll(node, answers) };
    }
    // EIP-1898 was never understood, or the block is gone: by height, both will show.
  }
  let current = block;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const height = toQuantity(current.number);
    const [answers, header] = await readByHeight(node, addresses, height, current.number, signal);
    if (header === null) throw node.rpc.invalidResponse(HEADER, `block ${current.number} is gone`);
    if (header.hash === current.hash) {
      const balances = readAll(node, answers);
      node.cache.takesBlockHash ??= false; // the same question worked by height
      return { block: current, balances };
    }
    current = header;
  }
  throw node.rpc.invalidResponse(HEADER, `block ${current.number} changes again and again`);
}

const ask = (node: EvmNode, addresses: readonly Hex[], block: unknown, signal: AbortSignal | undefined) =>
  node.rpc.sendAll(
    addresses.map(address => ({ method: BALANCE, params: [address, block] })),
    signal,
  );

/** The header comes last, so that it is not older than the balances. */
async function readByHeight(
  node: EvmNode,
  addresses: readonly Hex[],
  height: Hex,
  number: number,
  signal: AbortSignal | undefined,
): Promise<readonly [readonly RpcResponse[], BlockHeader | null]> {
  const calls = addresses.map(address => ({ method: BALANCE, params: [address, height] as readonly unknown[] }));
  const answers = await node.rpc.sendAll([...calls, { method: HEADER, params: [height, false] }], signal);
  const last = node.getResult(HEADER, answers.at(-1));
  return [answers.slice(0, -1), node.validate(HEADER, () => parseHeaderAt(last, number))];
}

function readAll(node: EvmNode, answers: readonly RpcResponse[]): bigint[] {
  return answers.map(answer => {
    if (answer.refusal !== undefined) {
      const fault = node.rpc.faults.fromRpcError(BALANCE, answer.refusal);
      if (!NO_STATE.test(answer.refusal.message)) throw fault;
      throw node.rpc.faults.missingState(answer.refusal);
    }
    const balance = parseQuantity(answer.result);
    if (balance === null) throw node.rpc.invalidResponse(BALANCE, 'it is not a quantity');
    return balance;
  });
}
