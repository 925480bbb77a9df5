// Sign-in verification as a whole: message, times, domain, signature, nonce, in the order of what they cost.

import { toHexChainId } from '../../api/chains.ts';
import type { SiwePolicy } from '../../api/configuration.ts';
import type { Output } from '../../api/operations/operations.ts';
import { parseSiweMessage } from '../../api/siwe/parseSiweMessage.ts';
import type { SiweMessage } from '../../api/siwe/siweMessage.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import { bytesToHex, type Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { createLru } from '../../base/lru.ts';
import type { EvmNodes } from '../evm/evmNodes.ts';
import { checksumAddressWith } from './checksum.ts';
import { type ContractWallets, createContractWallets, type WalletVerdict } from './contractWallets.ts';
import { deriveProfileId, generateIdentityId, toIdentityRecord } from './identityRecord.ts';
import {
  type CompleteSignInPolicy,
  checkDomain,
  checkNonce,
  checkTimes,
  completeSignInPolicy,
  createUnauthorizedFault,
  shorten,
} from './messageChecks.ts';
import { createNonceStore, type NonceStore } from './nonceStore.ts';
import { encodePersonalMessage, parseSignature, type SignInSignature } from './signature.ts';
import {
  createSignatureEngineLoader,
  recoverAddress,
  type SignatureEngine,
  type SignatureEngineLoader,
} from './signatureEngine.ts';

export interface SignInVerifierDeps {
  /** Nodes that contract wallets are asked on; without one of the message's chain only accounts with a key can sign in. */
  readonly nodes: EvmNodes;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy?: SiwePolicy | undefined;
  /** Where used nonces are kept; its own when absent. Whoever makes verifiers anew gives them all the same one. */
  readonly nonces?: NonceStore | undefined;
  readonly engines?: SignatureEngineLoader | undefined;
  /** The `id` of a record; random when absent. */
  readonly newId?: (() => string) | undefined;
}

export interface VerifiedSignIn {
  readonly identity: Output<'verifySignIn'>;
  /** False: nobody said which domains are expected, so the message may be meant for any site. */
  readonly isDomainBound: boolean;
  /** Whose signature it is: of the account's own key, or one that a contract wallet took (ERC-1271, ERC-6492). */
  readonly signedBy: 'account' | 'contract';
}

export interface SignInVerifier {
  /**
   * Rejects with `bad-input` for a message or signature that is not well formed, with `unauthorized` when it does not
   * authenticate (signer, times, domain, used before), and with the node's faults when only a node could tell.
   */
  verify(text: string, signature: string, options?: SignInVerifyOptions): Promise<VerifiedSignIn>;
}

/** What the caller knows of this very sign-in, beyond the policy. */
export interface SignInVerifyOptions {
  readonly signal?: AbortSignal | undefined;
  /** The domain that the message must name, as in a policy. */
  readonly domain?: string | undefined;
  /** The nonce that was given out for it. */
  readonly nonce?: string | undefined;
  /** The sign-in is not used up: its nonce may be shown again. */
  readonly dryRun?: boolean;
}

type Digest = (bytes: Uint8Array) => Uint8Array;

const encoder = new TextEncoder();

export function createSignInVerifier(deps: SignInVerifierDeps): SignInVerifier {
  const { clock, log, newId = generateIdentityId } = deps;
  const nonces = deps.nonces ?? createNonceStore({ clock });
  const engines = deps.engines ?? createSignatureEngineLoader({ log });
  const wallets = createContractWallets(deps.nodes);
  /**
   * Recovering a key takes longer than everything else. Whose contract signed is asked anew: its owners change. Weighed by
   * characters, which are kept again in the parts of the message: 5 MB at most.
   */
  const good = createLru<string, Claim>({ maxEntries: 2_000, maxWeight: 1024 * 1024 });
  let complete: CompleteSignInPolicy | null = null;

  return {
    async verify(text, signatureText, { signal, domain, nonce, lookOnly = false } = {}) {
      // Only now: a mistake in the policy must not take everything else of the service along.
      complete ??= completeSignInPolicy(deps.policy);
      const policy = complete;
      const engine = await engines.load();
      const { keccak256 } = engine;
      const checksumAddress = (address: Hex) => checksumAddressWith(keccak256, address);
      // The length keeps two pairs apart whose texts are the same in a row.
      const key = `${signatureText.length} ${signatureText}${text}`;
      const known = good.get(key);
      const message =
        known?.message ?? parseSiweMessage(text, { allowLowerCaseAddress: policy.lowerCaseAddresses, checksumAddress });
      const signature = known?.signature ?? parseSignature(signatureText, policy.compactSignatures);
      checkDomain(message, policy.expectedDomains);
      checkDomain(message, domain === undefined ? [] : [domain]);
      checkNonce(message, nonce);
      checkTimes(message, clock.now(), policy.toleratedSkewMs);
      const claim = known ?? claimOf(engine, text, message, signature);
      const own = claim.signer !== null && claim.signer === message.address.toLowerCase();
      if (!own) {
        await demandContract(wallets, claim, signal);
        checkTimes(message, clock.now(), policy.toleratedSkewMs); // a slow node may have taken the rest of them
      } else if (known === undefined) good.set(key, claim, key.length);
      // Nothing is awaited between the question and the mark: of two at once one wins.
      if (policy.singleUse && !lookOnly) useNonce(nonces, message, keccak256);
      return {
        identity: toIdentityRecord(message, {
          id: newId(),
          address: policy.lowerCaseAddresses ? checksumAddress(message.address) : message.address,
          profileId: claim.profileId,
        }),
        isDomainBound: policy.expectedDomains.length > 0 || domain !== undefined,
        signedBy: own ? 'account' : 'contract',
      };
    },
  };
}

interface Claim {
  readonly message: SiweMessage;
  readonly signature: SignInSignature;
  /** Whom the signature belongs to, if it can be an account's at all. */
  readonly signer: Hex | null;
  readonly digest: Hex;
  readonly profileId: Hex;
}

function claimOf(engine: SignatureEngine, text: string, message: SiweMessage, signature: SignInSignature): Claim {
  const digest = engine.keccak256(encodePersonalMessage(encoder.encode(text)));
  return {
    message,
    signature,
    signer: signature.kind === 'account' ? recoverAddress(engine, signature.recoverable, digest) : null,
    digest: bytesToHex(digest),
    profileId: deriveProfileId(message.address, engine.keccak256),
  };
}

/** Returns when the account of the message is a contract that takes the signature; else throws why it is not accepted. */
async function demandContract(wallets: ContractWallets, claim: Claim, signal: AbortSignal | undefined): Promise<void> {
  const { address, chainId } = claim.message;
  const { kind, hex } = claim.signature;
  const wrapped = kind === 'wrapped';
  let answer: WalletVerdict | HexLensError;
  try {
    answer = await wallets.verify(
      { address, chainId, digest: claim.digest, signature: hex, isWrapped: wrapped },
      signal,
    );
  } catch (error) {
    answer = toFault(error);
    // Whether a stranger's key or a contract signed: without the node an account's signature is just somebody else's.
    if (kind !== 'account' || signal?.aborted || isFault(error, 'cancelled', 'internal')) throw error;
  }
  if (answer instanceof HexLensError) throw wrongSigner(claim, answer);
  if (answer.verdict === 'accepts') return;
  if (answer.verdict === 'refuses') {
    throw createUnauthorizedFault(
      `The contract wallet ${address} on chain ${toHexChainId(chainId)} does not take the signature.`,
      'Sign with an owner of the wallet, on the chain that the message names.',
    );
  }
  if (answer.verdict === 'no-node' && wrapped) {
    throw new HexLensError(
      'no-node',
      `The signature is one of a contract wallet (ERC-6492), which only a node of its chain can check. ${answer.fault.message}`,
      { fix: answer.fault.fix },
    );
  }
  if (claim.signature.kind === 'foreign') throw claim.signature.problem;
  throw wrongSigner(claim, answer.verdict === 'no-node' ? answer.fault : null);
}

/** `fault`: why no node could say whether the account is a contract; `null` when it is none. */
function wrongSigner({ signer, message: { address, chainId } }: Claim, fault: HexLensError | null): HexLensError {
  const what =
    signer === null
      ? `No key can have made the signature, so ${address} of the message has not.`
      : `The signature was made by ${checksumAddress(signer)}, not by ${address} of the message.`;
  const sign = 'Sign the message, unchanged, with the account that it names';
  if (fault === null) return createUnauthorizedFault(what, `${sign}.`);
  if (isFault(fault, 'no-node'))
    return createUnauthorizedFault(
      what,
      `${sign}; if that is a contract wallet, give a node of its chain as ${toHexChainId(chainId)} in the setting hexlens.nodes, or --node ${toHexChainId(chainId)}=URL.`,
    );
  return createUnauthorizedFault(
    what,
    `${sign}. Whether that is a contract wallet could not be asked: ${fault.message}`,
  );
}

function useNonce(nonces: NonceStore, message: SiweMessage, digest: Digest): void {
  const use = nonces.consume(message, digest);
  if (use === 'first') return;
  throw createUnauthorizedFault(
    use === 'used'
      ? `The message was used before: its nonce ${shorten(message.nonce)} signs in once.`
      : 'The message may have been used before: it is as old as ones that had to be forgotten.',
    'Let the user sign a new message with a new nonce.',
  );
}
