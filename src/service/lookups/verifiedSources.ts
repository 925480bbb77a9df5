// ABIs of contracts from Sourcify-like hosts that have verified their sources (Sourcify API v2); what they send is not trusted.
import type { VerifiedAbi } from '../../api/lookups.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import type { HttpPort, HttpResponse } from '../../base/httpPort.ts';
import { localizable } from '../../base/localize.ts';
import { parseHostJson } from '../../base/parseHostJson.ts';

interface VerifiedSourcesDeps {
  readonly http: HttpPort;
  getBaseUrls(): readonly string[];
}

const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 4 * 1024 * 1024;
const MATCHES: Readonly<Record<string, 'exact' | 'partial'>> = { exact_match: 'exact', match: 'partial' };
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,127}$/;

type JsonObject = Readonly<Record<string, unknown>>;
const toObject = (value: unknown): JsonObject =>
  value !== null && typeof value === 'object' ? (value as JsonObject) : {};

const getHost = (base: string): string => URL.parse(base)?.host ?? '';

function createReplyFault(host: string, problem: string): HexLensError {
  return new HexLensError('host-error', localizable('{0} does not respond as Sourcify does: {1}.', host, problem), {
    fix: localizable('Check the setting hexlens.abi.verifiedSources.'),
  });
}

function createBusyFault(host: string): HexLensError {
  return new HexLensError('rate-limited', localizable('{0} is limiting requests.', host), {
    fix: localizable('Try again in a moment.'),
  });
}

function createDownFault(host: string, status: number): HexLensError {
  return new HexLensError('host-error', localizable('{0} can not respond at the moment (status {1}).', host, status), {
    fix: localizable('Try again later.'),
  });
}

async function parseReply(
  { status, body }: HttpResponse,
  host: string,
  chainId: number,
  address: Hex,
): Promise<VerifiedAbi['found']> {
  if (status === 404) return null;
  if (status === 429) throw createBusyFault(host);
  if (status >= 500) throw createDownFault(host, status);
  if (status !== 200) throw createReplyFault(host, `HTTP ${status}`);
  let reply: JsonObject;
  try {
    reply = toObject(await parseHostJson(body));
  } catch {
    throw createReplyFault(host, 'it is not JSON');
  }
  const { match, abi, compilation } = reply;
  if (String(reply['chainId']) !== String(chainId) || String(reply['address']).toLowerCase() !== address)
    throw createReplyFault(host, 'it is about another contract');
  if (match === null || match === undefined) return null;
  const quality = typeof match === 'string' && Object.hasOwn(MATCHES, match) ? MATCHES[match] : undefined;
  if (quality === undefined || !Array.isArray(abi)) throw createReplyFault(host, 'it has no ABI');
  const { name } = toObject(compilation);
  const isName = typeof name === 'string' && IDENTIFIER.test(name);
  return { host, match: quality, name: isName ? name : null, abi: JSON.stringify(abi) };
}

export type VerifiedSources = ReturnType<typeof createVerifiedSources>;

export function createVerifiedSources({ http, getBaseUrls }: VerifiedSourcesDeps) {
  async function fetchFrom(base: string, chainId: number, address: Hex, signal: AbortSignal | undefined) {
    const response = await http.send({
      method: 'GET',
      url: `${base.endsWith('/') ? base.slice(0, -1) : base}/v2/contract/${chainId}/${address}?fields=abi,compilation`,
      headers: { accept: 'application/json' },
      signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_REPLY_BYTES,
      logLabel: 'verified ABI',
    });
    return parseReply(response, getHost(base), chainId, address);
  }

  return {
    /** Asks the hosts in the order of the settings; `null` when none has verified the contract. */
    async fetchAbi(chainId: number, address: Hex, signal: AbortSignal | undefined): Promise<VerifiedAbi['found']> {
      let problem: unknown = null;
      for (const base of getBaseUrls()) {
        try {
          const found = await fetchFrom(base, chainId, address, signal);
          if (found !== null) return found;
        } catch (error) {
          if (isFault(error, 'cancelled')) throw error;
          problem ??= error; // another host may know it
        }
      }
      if (problem !== null) throw problem;
      return null;
    },
  };
}
