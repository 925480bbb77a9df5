// Instructions as addresses: the disassembly view sorts them by number.
import type { DebugProtocol } from '@vscode/debugprotocol';
import type {
  DebugInstruction,
  DebugInstructionReference,
  DebugPlace,
  SendDebugRequest,
} from '../../api/debugSession.ts';
import type { DebugSources } from './debugSources.ts';

/** Each code has a range of its own. */
const CODE_SHIFT = 32n;

const toAddress = (code: number, pc: number): string =>
  `0x${((BigInt(code + 1) << CODE_SHIFT) + BigInt(pc)).toString(16)}`;

export const encodeInstruction = ({ code, pc }: DebugInstructionReference): string => toAddress(code, pc);

export function decodeInstruction(reference: string, offset: number): DebugInstructionReference {
  const address = BigInt(reference);
  return { code: Number(address >> CODE_SHIFT) - 1, pc: Number(BigInt.asUintN(Number(CODE_SHIFT), address)) + offset };
}

/** What the disassembly view asks for: `instructionCount` instructions from `instructionOffset` on. */
export async function readInstructions(
  { memoryReference, offset = 0, instructionOffset = 0, instructionCount: count }: DebugProtocol.DisassembleArguments,
  send: SendDebugRequest,
  sources: DebugSources,
): Promise<DebugProtocol.DisassembledInstruction[]> {
  const reference = decodeInstruction(memoryReference, offset);
  const { instructions } = await send('disassemble', { ...reference, offset: instructionOffset, count });
  return toInstructions(reference, instructionOffset, instructions, place => ({
    location: sources.toSource(place.source),
    ...sources.toRange(place),
  }));
}

/** Places that the code does not have are shown as such: the client expects as many as it asked for. */
function toInstructions(
  { code, pc }: DebugInstructionReference,
  offset: number,
  instructions: readonly (DebugInstruction | null)[],
  locate: (place: DebugPlace) => Partial<DebugProtocol.DisassembledInstruction>,
): DebugProtocol.DisassembledInstruction[] {
  let last = instructions.find(each => each !== null)?.pc ?? pc;
  const leading = instructions.findIndex(each => each !== null);
  return instructions.map((each, i) => {
    if (each === null) {
      const isBefore = i < leading || (leading < 0 && offset < 0);
      return {
        address: toAddress(code, isBefore ? last - (leading - i) : ++last),
        instruction: '??',
        presentationHint: 'invalid',
      };
    }
    last = each.pc;
    return {
      address: toAddress(code, each.pc),
      instructionBytes: each.bytes.slice(2),
      instruction: each.text,
      ...(each.place !== null && locate(each.place)),
    };
  });
}
