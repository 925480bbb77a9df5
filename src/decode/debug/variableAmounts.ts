// Which variables are amounts of a token or of the chain's coin, so that they are shown with their unit.
import type { DebugVariable } from '../../api/debugSession.ts';
import type { Hex } from '../../base/hex.ts';
import { NATIVE_COIN } from '../seaportTrade.ts';
import type { ContractProgram } from '../source/contractProgram.ts';
import type { TraceFrame } from '../trace/trace.ts';

/** State variables that getters of ERC-20 return, and what OpenZeppelin calls them where they are private. */
const TOKEN_VARIABLES = new Set(['totalSupply', 'balanceOf', 'allowance', '_totalSupply', '_balances', '_allowances']);
const TOKEN_FUNCTIONS = ['totalSupply()', 'balanceOf(address)', 'transfer(address,uint256)'];

/** Wei that the message or the block has. */
export const toNative = (variable: DebugVariable): DebugVariable => ({ ...variable, amountOf: NATIVE_COIN });

/** `null`: not an amount. Whether the contract is an ERC-20 is for the reader of the chain to check. */
export const getStateAmount = (name: string, program: ContractProgram, address: Hex): string | null =>
  TOKEN_VARIABLES.has(name) && TOKEN_FUNCTIONS.every(signature => program.hasFunction(signature)) ? address : null;

/** Amounts among the arguments of a message, by name. */
export function getArgumentAmounts(program: ContractProgram, frame: TraceFrame): ReadonlyMap<string, string> {
  const amounts = program.amountsOf(frame);
  return new Map([...amounts].flatMap(([{ name }, token]) => (name === '' ? [] : [[name, token] as const])));
}
