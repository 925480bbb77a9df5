// Finds the addresses and hashes of a text that get a link, which sends nothing before it is clicked.
import type { Hex } from '../base/hex.ts';
import { addRecord, type LiteralRecord } from '../detect/addRecord.ts';
import { classifyAptosLiteral } from '../detect/aptos/classifyAptos.ts';
import { classifyLiteral } from '../detect/classifyLiteral.ts';
import type { HexLiteral } from '../detect/hexLiteral.ts';
import { scanLiterals } from '../detect/scanLiterals.ts';
import { checkDisclosure, WEBSITE } from './checkDisclosure.ts';

export interface LinkableLiteral {
  readonly start: number;
  readonly end: number;
  /** `hash`: nothing proves that the 32 bytes are no key; only chains of this machine may be asked without a further question. */
  readonly kind: 'address' | 'tx' | 'hash';
  readonly value: string;
  readonly chainId: number | null;
}

const MAX_LINKS = 5_000;

function toLinkableLiteral(literal: HexLiteral | null, fileName: string): LinkableLiteral | null {
  if (literal === null) return null;
  const { start, end } = literal;
  const { decision } = checkDisclosure(literal, WEBSITE, { fileName, addressesOnClick: false });
  if (decision === 'never') return null;
  // Other lines use it as a key, which the look-up box would not know: there the record alone counts.
  if (decision === 'click' && literal.kind === 'hash32' && literal.recordedAs !== undefined) return null;
  if (literal.kind === 'address')
    return { start, end, kind: 'address', value: literal.address, chainId: literal.chainId };
  if (literal.kind !== 'hash32' || !literal.lookupOrder.includes('transaction')) return null;
  const isBlock = literal.hint?.kind === 'block' || literal.recordedAs === 'block';
  return {
    start,
    end,
    value: literal.hash,
    chainId: literal.chainId,
    kind: decision === 'yes' && !isBlock ? 'tx' : 'hash',
  };
}

/** Addresses and hashes of a text, in order. `getRecord`: what a deployment tool has recorded of a hash. */
export function findLinkableLiterals(
  text: string,
  fileName: string,
  languageId: string,
  getRecord: (hash: Hex) => LiteralRecord | null = () => null,
): readonly LinkableLiteral[] {
  const linkable: LinkableLiteral[] = [];
  const source = { fileName, languageId };
  for (const scanned of scanLiterals(text, { only: 'literals' })) {
    if (linkable.length >= MAX_LINKS) break;
    // Literals of Aptos have no page in explorers of EVM chains.
    const isAptos =
      scanned.shape === 'bytes32' && classifyAptosLiteral(text, scanned.start, scanned.end, source) !== null;
    const found = isAptos ? null : classifyLiteral(text, scanned, source);
    const record = found?.kind === 'hash32' ? getRecord(found.hash) : null;
    const literal = toLinkableLiteral(found && record ? addRecord(found, record) : found, fileName);
    if (literal !== null) linkable.push(literal);
  }
  return linkable;
}
