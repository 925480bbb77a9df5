// Executes operations and lookups by the configuration: embedded or remote per group, with deduplication and a cache.
import type { Configuration } from '../api/configuration.ts';
import type { Freshness } from '../api/freshness.ts';
import { type LookupId, type LookupInput, type LookupOutput, NODE_LOOKUPS } from '../api/lookups.ts';
import { checkDatedChanges } from '../api/wire/checkDatedChanges.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { createCancelledFault, HexLensError, toFault } from '../base/errors.ts';
import { CHECKED_GROUPS, type CheckedGroup, checkReadiness, type ReadinessChecks } from '../service/checkReadiness.ts';
import type { IndexStatus } from '../service/indexer/indexes.ts';
import { type ComponentDeps, type Components, CurrentComponents } from './components.ts';
import { createBackendStoppedFault } from './refCounted.ts';
import type { RemoteLookupId } from './remoteLookups.ts';
import { getCacheKey, getLookupCacheKey, normalizeLookupInput, type TimedFreshness } from './resultCache.ts';

export interface BackendLookupOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface BackendCallOptions extends BackendLookupOptions {
  /**
   * The caller is a program, which may have written to the chain a moment ago: its reply contains nothing that was read
   * before the request, and a verified sign-in consumes its nonce. Otherwise an editor.
   */
  readonly forProgram?: boolean;
}

export type BackendDeps = Omit<ComponentDeps, 'clock'> & { readonly clock?: Clock };

/** Validity of lookups that a remote host answered: no chain state says when they change. */
const REMOTE_LOOKUP_TTL_MS = 15_000;
/** Aptos has several blocks per second, so that comparing heads would make every read a miss. */
const APTOS_FRESHNESS: TimedFreshness = { validity: 'timed', ttlMs: 5_000 };

const EMBEDDED_LOOKUPS: ReadonlySet<string> = new Set(NODE_LOOKUPS);
/** Remote hosts have no operations for the lookups of Aptos. */
const isRemoteLookup = (id: LookupId): id is RemoteLookupId => !id.startsWith('aptos') && !EMBEDDED_LOOKUPS.has(id);

interface CacheableResult<T> {
  readonly value: T;
  /** Not cached when absent. */
  readonly freshness?: Freshness | TimedFreshness | undefined;
}

/**
 * Rejects with a HexLensError only: `cancelled` as soon as the signal aborts, `backend-stopped` after `stop`, and what the
 * dated changes reject. Callers share values and bodies and must not change them.
 */
export class Backend {
  readonly #clock: Clock;
  readonly #components: CurrentComponents;
  /** Aborts a call in progress. */
  readonly #pendingCalls = new Set<() => void>();
  #stopping: Promise<void> | null = null;

  constructor({ clock = systemClock, ...deps }: BackendDeps) {
    this.#clock = clock;
    this.#components = new CurrentComponents({ clock, ...deps });
  }

  /** Resolves with any status: faults of the service and of remote hosts are replies. */
  async call(request: WireRequest, options: BackendCallOptions = {}): Promise<WireReply> {
    if (options.forProgram && this.#components.current?.configuration.strictDates) checkDatedChanges(request);
    // Most requests of programs repeat: a cache hit needs neither deduplication nor a held service.
    const cached = options.forProgram && request.method === 'GET' ? await this.#readCachedReply(request) : undefined;
    return cached ?? this.#execute(request, options);
  }

  lookup<Id extends LookupId>(
    id: Id,
    input: LookupInput<Id>,
    { signal }: BackendLookupOptions = {},
  ): Promise<LookupOutput<Id>> {
    return this.#run(signal, async (components, ownSignal) => {
      // Probing a URL is neither shared nor cached: the user allowed this one request.
      if ('url' in input)
        return this.#components.temporaryOrigins.allowDuring(
          input.url,
          async () => (await components.service.get().lookup(id, input, { signal: ownSignal })).value,
        );
      const normalized = normalizeLookupInput(input);
      return runCached(components, getLookupCacheKey(id, normalized), { signal: ownSignal }, lookupSignal =>
        runLookup(components, id, normalized, lookupSignal),
      );
    });
  }

  /** Checks every embedded EVM chain and Aptos network, or only those of `groups`, and the database of the indexes. */
  checkReadiness({
    signal,
    groups = CHECKED_GROUPS,
  }: BackendLookupOptions & { readonly groups?: readonly CheckedGroup[] } = {}): Promise<ReadinessChecks> {
    return this.#run(signal, async ({ configuration, service }, ownSignal) =>
      checkReadiness(configuration, groups, service.get(), this.#clock, ownSignal),
    );
  }

  /** Progress of every index opened so far. */
  getIndexStatuses(): readonly IndexStatus[] {
    return this.#stopping === null ? (this.#components.current?.service.get().getIndexStatuses() ?? []) : [];
  }

  /** Must be called first; may be repeated. Calls in progress end with the configuration that they began with. */
  configure(configuration: Configuration): void {
    if (this.#stopping === null) this.#components.configure(configuration);
  }

  /** Rejects pending calls, then closes every connection. */
  stop(): Promise<void> {
    this.#stopping ??= (async () => {
      for (const abort of [...this.#pendingCalls]) abort();
      await this.#components.stop();
    })();
    return this.#stopping;
  }

  /** The cached reply if it is valid now; `undefined` on a miss, or when the chain's state can not be read. */
  #readCachedReply(request: WireRequest): Promise<WireReply | undefined> | undefined {
    const key = getCacheKey(request);
    const { current } = this.#components;
    if (this.#stopping !== null || current === null || !current.cache.has(key)) return undefined;
    return current.cache.read(key, { isStrict: true }) as Promise<WireReply | undefined>; // the key is an operation's
  }

  #execute(request: WireRequest, { signal, forProgram = false }: BackendCallOptions): Promise<WireReply> {
    return this.#run(signal, async (components, ownSignal) => {
      const isEmbedded = components.configuration.groups[request.group].mode === 'embedded';
      const send = async (sendSignal: AbortSignal): Promise<WireReply> =>
        isEmbedded
          ? components.service.get().handle(request, { signal: sendSignal, forEditor: !forProgram })
          : components.remote.send(request, { signal: sendSignal });
      // A POST may have effects, so two equal ones are not one.
      if (request.method === 'POST') return send(ownSignal);
      return runCached(components, getCacheKey(request), { signal: ownSignal, forProgram }, async sharedSignal => {
        const reply = await send(sharedSignal);
        return { value: reply, freshness: reply.freshness };
      });
    });
  }

  /** Runs `work` with the current components; rejects at once when the signal aborts or the backend stops. */
  async #run<T>(
    signal: AbortSignal | undefined,
    work: (components: Components, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { current } = this.#components;
    if (this.#stopping !== null) throw createBackendStoppedFault();
    if (current === null) throw new HexLensError('backend-stopped', 'The service is not configured yet.');
    if (signal?.aborted) throw createCancelledFault();
    const call = new AbortController();
    // For the whole call: a new configuration must not close them between two of its requests.
    const releases = [current.service.acquire(), current.http.acquire()];
    const working = work(current, call.signal).finally(() => {
      for (const release of releases) release();
    });
    const aborted = Promise.withResolvers<never>();
    const abort = () => {
      aborted.reject(signal?.aborted ? createCancelledFault() : createBackendStoppedFault());
      call.abort();
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#pendingCalls.add(abort);
    try {
      return await Promise.race([working, aborted.promise]);
    } catch (error) {
      throw toFault(error);
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#pendingCalls.delete(abort);
    }
  }
}

async function runLookup<Id extends LookupId>(
  { service, remoteLookups }: Components,
  id: Id,
  input: LookupInput<Id>,
  signal: AbortSignal,
): Promise<CacheableResult<LookupOutput<Id>>> {
  if (remoteLookups === null || !isRemoteLookup(id)) {
    const result = await service.get().lookup(id, input, { signal });
    const isAptosData = id.startsWith('aptos') && id !== 'aptosStatus';
    return isAptosData ? { ...result, freshness: APTOS_FRESHNESS } : result;
  }
  const value = await remoteLookups.lookup(id as RemoteLookupId, input as LookupInput<RemoteLookupId>, { signal });
  return { value, freshness: id === 'chainStatus' ? undefined : { validity: 'timed', ttlMs: REMOTE_LOOKUP_TTL_MS } };
}

/** The cached value if it is valid; else runs `work`, once for all callers with the same key. */
async function runCached<T>(
  { cache, requests, programRequests }: Components,
  key: string,
  { signal, forProgram = false }: BackendCallOptions,
  work: (signal: AbortSignal) => Promise<CacheableResult<T>>,
): Promise<T> {
  const readOrRun = async (sharedSignal: AbortSignal): Promise<unknown> => {
    const cached = await cache.read(key, { isStrict: forProgram, signal: sharedSignal });
    if (cached !== undefined) return cached;
    const { value, freshness } = await work(sharedSignal);
    if (freshness !== undefined) cache.write(key, value, freshness);
    return value;
  };
  // The key contains the operation or lookup, and so determines the type.
  return (await (forProgram ? programRequests : requests).join(key, readOrRun, signal)) as T;
}
