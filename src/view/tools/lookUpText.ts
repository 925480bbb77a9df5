// Looks up one piece of text for a language model: every meaning of it on every chain, within the privacy rules.
import type { SendLookup } from '../../api/lookups.ts';
import { formatFault } from '../../base/errors.ts';
import { checkDisclosure, findSecretReason, TYPED } from '../checkDisclosure.ts';
import { type LookUpMeaning, parseLookUp } from '../lookUp/parseLookUp.ts';
import { omitRule } from '../privacyReason.ts';

export interface ToolChain {
  readonly selector: string;
  /** Only this machine knows the chain. */
  readonly isLocal: boolean;
}

export interface TextLookUpDeps {
  readonly chains: readonly ToolChain[];
  /** The user confirmed this look-up. */
  readonly isUserRequested: boolean;
  readonly lookup: SendLookup;
}

const MAX_MEANINGS = 3;

export const NOTHING_TO_LOOK_UP =
  'This is not an address, hash, block number, ENS name, selector or explorer link that HexLens can read.';

/** The registry of ENS is on Ethereum. */
const ENS_CHAIN: ToolChain = { selector: 'eth', isLocal: false };

const needsChain = ({ kind }: LookUpMeaning): boolean => kind === 'address' || kind === 'hash' || kind === 'block';

/** Whether its look-up sends a request. */
export const needsNode = (meaning: LookUpMeaning): boolean => meaning.kind === 'ens' || needsChain(meaning);

/** What was found for each meaning; a fault becomes `{ kind: 'problem' }`. Empty when the text has no meaning. */
export async function lookUpText(
  text: string,
  { chains, isUserRequested, lookup }: TextLookUpDeps,
  signal: AbortSignal,
): Promise<readonly object[]> {
  async function lookUp(meaning: LookUpMeaning, { selector, isLocal }: ToolChain): Promise<object> {
    switch (meaning.kind) {
      case 'address':
        return lookup('addressSummary', { chain: selector, address: meaning.address }, signal);
      case 'hash': {
        const recipient = { isLocal, isUserRequested };
        const { decision, reason } = checkDisclosure(meaning.literal, recipient, TYPED);
        if (decision !== 'yes') return { kind: 'refused', reason: omitRule(reason) };
        return lookup('hashSummary', { chain: selector, hash: meaning.hash }, signal);
      }
      case 'block':
        return lookup('blockSummary', { chain: selector, block: meaning.block }, signal);
      case 'ens':
        return lookup('ensAddress', { chain: ENS_CHAIN.selector, name: meaning.name }, signal);
      default:
        return meaning;
    }
  }
  const secretReason = findSecretReason([text]);
  if (secretReason !== null) return [{ kind: 'refused', reason: secretReason }];
  const meanings = parseLookUp(text).slice(0, MAX_MEANINGS);
  const results = await Promise.all(
    meanings.flatMap(meaning =>
      (needsChain(meaning) ? chains : [ENS_CHAIN]).map(chain =>
        lookUp(meaning, chain).catch((error: unknown) => ({ kind: 'problem', problem: formatFault(error) })),
      ),
    ),
  );
  return results.map(result => Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'literal')));
}
