// Verifies Sign-In with Ethereum messages (EIP-4361): message, domain, times, signature and nonce, cheapest check first.
import { LRUCache } from 'lru-cache';
import { toHexChainId } from '../../api/chains.ts';
import type { SiwePolicy } from '../../api/configuration.ts';
import type { Output } from '../../api/operations/operations.ts';
import { parseSiweMessage } from '../../api/siwe/parseSiweMessage.ts';
import type { SiweMessage } from '../../api/siwe/siweMessage.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import { bytesToHex, type Hex } from '../../base/hex.ts';
import { localize } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNodes } from '../evm/evmNodes.ts';
import { NODE_SETTING } from '../evm/nodeFaults.ts';
import { type ContractWallets, createContractWallets, type WalletVerdict } from './contractWallets.ts';
import { encodeText } from './encodeText.ts';
import { checksumAddressWith, deriveProfileId, generateIdentityId, toIdentityRecord } from './identityRecord.ts';
import type { KeyRecovery } from './keyRecovery.ts';
import { createMemoryNonceStore } from './memoryNonceStore.ts';
import {
  type CompleteSiwePolicy,
  checkDomain,
  checkNonce,
  checkTimes,
  completeSiwePolicy,
  createUnauthorizedFault,
  shorten,
} from './messageChecks.ts';
import type { NonceStore } from './nonceStore.ts';
import { encodePersonalMessage, parseSignature, type SiweSignature } from './signature.ts';
import { recoverAddress, type SignatureEngine } from './signatureEngine.ts';
import { createSignatureEngineLoader, type SignatureEngineLoader } from './signatureEngineLoader.ts';

export interface SiweVerifierDeps {
  /** For contract wallets. Without a node of the message's chain, only externally owned accounts can sign in. */
  readonly nodes: EvmNodes;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy?: SiwePolicy | undefined;
  /** Consumed nonces, to be shared by verifiers; a store of its own in memory when absent. */
  readonly nonces?: NonceStore | undefined;
  readonly engines?: SignatureEngineLoader | undefined;
  /** For many sign-ins at once; keys are recovered on this thread when absent. */
  readonly createKeyRecovery?: ((engine: SignatureEngine) => KeyRecovery) | undefined;
}

export interface VerifiedSiwe {
  readonly identity: Output<'verifySignIn'>;
  /** False when no domain was expected, so that the message may have been signed for another site. */
  readonly isDomainBound: boolean;
}

export interface SiweVerifier {
  /**
   * Verifies a message with its signature and consumes its nonce.
   *
   * @throws `bad-input` for a malformed message or signature, `unauthorized` when it does not authenticate (signer, times,
   * domain, nonce), and the faults of the node when only a node can verify it.
   */
  verify(text: string, signature: string, options?: SiweVerifyOptions): Promise<VerifiedSiwe>;
  /** Ends the threads of the key recovery. */
  close(): void;
}

/** Requirements for one sign-in, in addition to the policy. */
export interface SiweVerifyOptions {
  readonly signal?: AbortSignal | undefined;
  /** The domain that the message must name. */
  readonly domain?: string | undefined;
  /** The nonce that the message must have. */
  readonly nonce?: string | undefined;
  /** Verify without consuming the nonce. */
  readonly dryRun?: boolean;
}

type Keccak256 = (bytes: Uint8Array) => Uint8Array;

/** Verified claims by their text, weighed in characters: 5 MB at most, as parts of the text are stored again. */
const MAX_CACHED_CLAIMS = 2_000;
const MAX_CACHED_CHARACTERS = 1024 * 1024;
const createClaimCache = (): LRUCache<string, Claim> =>
  new LRUCache({ max: MAX_CACHED_CLAIMS, maxSize: MAX_CACHED_CHARACTERS, maxEntrySize: MAX_CACHED_CHARACTERS / 4 });

export function createSiweVerifier(deps: SiweVerifierDeps): SiweVerifier {
  const { clock, log } = deps;
  const nonces = deps.nonces ?? createMemoryNonceStore({ clock });
  const engines = deps.engines ?? createSignatureEngineLoader({ log });
  const wallets = createContractWallets(deps.nodes);
  /**
   * Recovering the key takes longer than all other checks. A message that signs in once is not verified again; signatures of
   * contract wallets are not cached, because the owners of a wallet change.
   */
  let claimCache: LRUCache<string, Claim> | null = null;
  let completePolicy: CompleteSiwePolicy | null = null;
  let recovery: KeyRecovery | undefined;

  return {
    async verify(text, signatureText, { signal, domain, nonce, dryRun = false } = {}) {
      // At the first call, so that an invalid policy makes only sign-ins fail.
      completePolicy ??= completeSiwePolicy(deps.policy);
      const policy = completePolicy;
      const consumesNonce = policy.singleUse && !dryRun;
      const engine = await engines.load();
      const { keccak256 } = engine;
      recovery ??= deps.createKeyRecovery?.(engine);
      const checksumAddress = (address: Hex) => checksumAddressWith(keccak256, address);
      // With the length, because different pairs of texts may be equal when they are concatenated.
      const cacheKey = `${signatureText.length} ${signatureText}${text}`;
      const cached = claimCache?.get(cacheKey);
      const message =
        cached?.message ??
        parseSiweMessage(text, { allowLowerCaseAddress: policy.lowerCaseAddresses, checksumAddress });
      const signature = cached?.signature ?? parseSignature(signatureText, policy.compactSignatures);
      checkDomain(message, policy.expectedDomains);
      checkDomain(message, domain === undefined ? [] : [domain]);
      checkNonce(message, nonce);
      checkTimes(message, clock.now(), policy.clockSkewMs);
      const claim = cached ?? (await createClaim(engine, recovery, text, message, signature));
      const isSignedByAccount = claim.signer !== null && claim.signer === message.address.toLowerCase();
      if (!isSignedByAccount) {
        await requireContractSignature(wallets, claim, signal);
        checkTimes(message, clock.now(), policy.clockSkewMs); // the node may have taken long
      } else if (cached === undefined && !consumesNonce) {
        claimCache ??= createClaimCache();
        claimCache.set(cacheKey, claim, { size: cacheKey.length });
      }
      // Atomic: of two calls with the same message only one succeeds.
      if (consumesNonce) await consumeNonce(nonces, message, keccak256);
      return {
        identity: toIdentityRecord(message, {
          id: generateIdentityId(),
          address: claim.checksummedAddress,
          profileId: claim.profileId,
        }),
        isDomainBound: policy.expectedDomains.length > 0 || domain !== undefined,
      };
    },
    close: () => recovery?.close(),
  };
}

interface Claim {
  readonly message: SiweMessage;
  readonly signature: SiweSignature;
  /** The account that the signature recovers to, in lower case; `null` when there is none. */
  readonly signer: Hex | null;
  readonly digest: Uint8Array;
  readonly checksummedAddress: Hex;
  readonly profileId: Hex;
}

async function createClaim(
  engine: SignatureEngine,
  recovery: KeyRecovery | undefined,
  text: string,
  message: SiweMessage,
  signature: SiweSignature,
): Promise<Claim> {
  const digest = engine.keccak256(encodePersonalMessage(encodeText(text)));
  const { address } = message;
  return {
    message,
    signature,
    signer:
      signature.kind === 'account'
        ? await (recovery?.recoverAddress(signature.recoverable, digest) ??
            recoverAddress(engine, signature.recoverable, digest))
        : null,
    digest,
    // The parser has checked the checksum of an address that has one.
    checksummedAddress: address === address.toLowerCase() ? checksumAddressWith(engine.keccak256, address) : address,
    profileId: deriveProfileId(address, engine.keccak256),
  };
}

/** Returns when the account of the message is a contract that accepts the signature; otherwise throws the reason. */
async function requireContractSignature(
  wallets: ContractWallets,
  claim: Claim,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { address, chainId } = claim.message;
  const { kind, hex } = claim.signature;
  const isWrapped = kind === 'wrapped';
  let result: WalletVerdict | HexLensError;
  try {
    result = await wallets.verify(
      { address, chainId, digest: bytesToHex(claim.digest), signature: hex, isWrapped },
      signal,
    );
  } catch (error) {
    result = toFault(error);
    // A valid signature of another account is rejected in any case; the node could only show that the account is a contract.
    if (kind !== 'account' || signal?.aborted || isFault(error, 'cancelled', 'internal')) throw error;
  }
  if (result instanceof HexLensError) throw createWrongSignerFault(claim, result);
  if (result.verdict === 'valid') return;
  if (result.verdict === 'invalid') {
    throw createUnauthorizedFault(
      `The contract wallet ${address} on chain ${toHexChainId(chainId)} does not take the signature.`,
      'Sign with an owner of the wallet, on the chain that the message names.',
    );
  }
  if (result.verdict === 'not-run') {
    throw new HexLensError(
      'node-error',
      `The contract wallet ${address} is not deployed on chain ${toHexChainId(chainId)} yet, and the node of that chain runs no code that is not deployed, as those of zkSync: the signature (ERC-6492) cannot be checked before.`,
      { fix: 'Deploy the wallet, for example with its first transaction, and sign in then.' },
    );
  }
  if (result.verdict === 'no-node' && isWrapped) {
    throw new HexLensError(
      'no-node',
      `The signature is one of a contract wallet (ERC-6492), which only a node of its chain can check. ${result.fault.message}`,
      { fix: result.fault.fix },
    );
  }
  if (claim.signature.kind === 'contractOnly') throw claim.signature.problem;
  throw createWrongSignerFault(claim, result.verdict === 'no-node' ? result.fault : null);
}

/** @param nodeFault Why no node could say whether the account is a contract; `null` when it is none. */
function createWrongSignerFault(
  { signer, message: { address, chainId } }: Claim,
  nodeFault: HexLensError | null,
): HexLensError {
  const problem =
    signer === null
      ? `No key can have made the signature, so ${address} of the message has not.`
      : `The signature was made by ${checksumAddress(signer)}, not by ${address} of the message.`;
  const fix = 'Sign the message, unchanged, with the account that it names';
  if (nodeFault === null) return createUnauthorizedFault(problem, `${fix}.`);
  if (isFault(nodeFault, 'no-node')) {
    const chain = toHexChainId(chainId);
    return createUnauthorizedFault(
      problem,
      `${fix}; if that is a contract wallet, give a node of its chain as ${chain} in ${localize(NODE_SETTING)}.`,
    );
  }
  return createUnauthorizedFault(
    problem,
    `${fix}. Whether that is a contract wallet could not be asked: ${nodeFault.message}`,
  );
}

async function consumeNonce(nonces: NonceStore, message: SiweMessage, digest: Keccak256): Promise<void> {
  const result = await nonces.consume(message, digest);
  if (result === 'accepted') return;
  throw createUnauthorizedFault(
    result === 'used'
      ? `The message was used before: its nonce ${shorten(message.nonce)} signs in once.`
      : 'The message may have been used before: it is as old as ones that had to be forgotten.',
    'Let the user sign a new message with a new nonce.',
  );
}
