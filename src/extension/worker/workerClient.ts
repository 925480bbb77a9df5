// The worker thread as the extension uses it: requests to it, the networks that it reads, and the thread itself.
import { type Event, EventEmitter } from 'vscode';
import type { ChainStatus, SendLookup } from '../../api/lookups.ts';
import type { HttpEndpoint } from '../../api/workerProtocol.ts';
import { systemClock } from '../../base/clock.ts';
import { Owner } from '../../base/disposable.ts';
import { createCancelledFault, isFault } from '../../base/errors.ts';
import { type Lazy, lazy } from '../../base/lazy.ts';
import type { Transport } from '../../client/transport.ts';
import type { WorkerConnection, WorkerStatusEvent } from '../../client/workerConnection.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { Platform } from '../platform.ts';
import { type AptosUse, createAptosUse } from './aptosUse.ts';
import { ConfigurationPosts, type ConfigurationPostsDeps } from './configurationPosts.ts';
import { type ConfiguredAptosNetwork, type ConfiguredChain, ConfiguredNetworks } from './configuredChains.ts';
import { createEnsNames, type EnsNames } from './ensNames.ts';
import { createPausedIndexes } from './pausedIndexes.ts';
import { createStatusPolls } from './statusPolls.ts';

/** A list of chains waits no longer for a node that hangs. */
const MAX_IDENTIFYING_MS = 1_000;

export interface WorkerClientDeps extends ConfigurationPostsDeps {
  readonly platform: Pick<Platform, 'dataFolder' | 'startWorker'>;
  readonly book: Pick<AddressBook, 'ready' | 'configuration' | 'entries' | 'onDidChange'>;
}

export class WorkerClient extends Owner {
  readonly #received = this.store.add(new EventEmitter<WorkerStatusEvent>());
  readonly #exited = this.store.add(new EventEmitter<void>());
  readonly #chainTitlesChanged = this.store.add(new EventEmitter<void>());
  readonly #statusRead = this.store.add(new EventEmitter<ChainStatus>());
  readonly #ensNamesChanged = this.store.add(new EventEmitter<void>());
  /** Starts the thread at first need; loaded with the first request. */
  readonly #connection: Lazy<WorkerConnection>;
  /** What the thread is configured with. */
  readonly #posts: ConfigurationPosts;
  readonly #networks: ConfiguredNetworks;
  readonly #paused = createPausedIndexes();
  /** Statuses that several views poll. */
  readonly #statusPolls = createStatusPolls(
    selector => this.lookup('chainStatus', { chain: selector, isPoll: true }),
    systemClock,
  );
  readonly #ensNames = createEnsNames();
  /** Carries operations to the embedded service or to a remote host, as configured. Starts the worker, as lookups do. */
  readonly transport: Transport;
  /** The status for a poll: that of another poll a moment ago, so that several views share one request. */
  readonly pollStatus = this.#statusPolls.poll;
  /** ENS names that were looked up in this session. */
  readonly ensNames: Pick<EnsNames, 'get' | 'size'> = this.#ensNames;
  /** A chain is called otherwise, see `getConfiguredTitle`. */
  readonly onDidChangeChainTitles = this.#chainTitlesChanged.event;
  /** The status of a chain was read, for whatever feature. */
  readonly onDidReadStatus = this.#statusRead.event;
  readonly onDidChangeEnsNames = this.#ensNamesChanged.event;
  /** Whether the user works with Aptos; otherwise its networks are neither shown nor polled. */
  readonly aptosUse: Pick<AptosUse, 'isUsed' | 'onDidChange'>;
  readonly onDidApplyConfiguration: Event<void>;
  /** Nodes, hosts, networks or keys were changed: earlier responses may be outdated. */
  readonly onDidChangeConnections: Event<void>;
  /** Progress of tasks, and chains whose head may have changed. Listening does not start the worker. */
  readonly onEvent = this.#received.event;
  /** Sends a notification, such as `pauseTask`, if the worker is running. */
  readonly notify: WorkerConnection['notify'];
  /** Whether the user has paused the index of the chain, which a request would resume. */
  readonly isIndexPaused = this.#paused.has;
  /** The worker has exited, for whatever reason; its HTTP service is closed with it. */
  readonly onDidExit = this.#exited.event;

  constructor(deps: WorkerClientDeps) {
    super();
    const { settings, book } = deps;
    this.#connection = lazy(() => this.#createConnection(deps));
    this.#networks = new ConfiguredNetworks(settings);
    this.aptosUse = this.store.add(createAptosUse(settings, book));
    this.#posts = this.store.add(new ConfigurationPosts(this.#connection, deps));
    this.notify = (method, params) => this.#connection.ifLoaded(connection => connection.notify(method, params));
    this.onDidApplyConfiguration = this.#posts.onDidApply;
    this.onDidChangeConnections = this.#posts.onDidChangeConnections;
    this.store.add(this.onDidChangeConnections(() => this.#forgetResponses()));
    this.transport = {
      send: async (request, options) => {
        await this.#posts.ready();
        return (await this.#connection()).transport.send(request, options);
      },
    };
  }

  readonly lookup: SendLookup = async (id, input, signal) => {
    await this.#posts.ready();
    const output = await (await this.#connection()).lookup(id, input, { signal });
    if (id === 'chainStatus') this.#handleStatus(output as ChainStatus); // the output of that id
    if (this.#ensNames.note(id, input, output)) this.#ensNamesChanged.fire();
    return output;
  };

  /** Configured chains, in the settings' order. */
  readonly chains = (): readonly ConfiguredChain[] => this.#networks.get().chains;

  /** Configured Aptos networks, in the settings' order. */
  readonly aptosNetworks = (): readonly ConfiguredAptosNetwork[] => this.#networks.get().networks;

  /**
   * The chain once its node on this machine has reported whether it `isLocal`; at once for other nodes, and when that is
   * known. A node that does not respond is not local. Rejects with `cancelled` only.
   */
  readonly identifyChain = async (selector: string, signal?: AbortSignal): Promise<ConfiguredChain> => {
    const find = () => this.chains().find(chain => chain.selector === selector);
    if (find()?.isOnLoopback && !this.#networks.isIdentified(selector))
      await this.lookup('chainStatus', { chain: selector }, signal).catch(error => {
        if (isFault(error, 'cancelled')) throw error;
      });
    return find() ?? { selector, reportedTitle: null, isOnLoopback: false, isLocal: false };
  };

  /** All chains, for a list to choose from, once their nodes on this machine have responded; not for long. */
  readonly identifyChains = async (signal?: AbortSignal): Promise<readonly ConfiguredChain[]> => {
    const identified = Promise.all(this.chains().map(({ selector }) => this.identifyChain(selector, signal)));
    await Promise.race([identified, systemClock.sleep(MAX_IDENTIFYING_MS, signal)]);
    return this.chains();
  };

  /** Opens the HTTP service at the endpoint in place of an earlier one; `null` closes it. Resolves with its URL. */
  async serve(endpoint: HttpEndpoint | null): Promise<string | null> {
    await this.#posts.posted();
    return (await this.#connection()).serve(endpoint);
  }

  /** Terminates the worker; the next request starts a new one. */
  async restart(): Promise<void> {
    await (await this.#connection.peek())?.restart();
  }

  override dispose(): void {
    super.dispose();
    this.#connection.ifLoaded(connection => void connection.stop());
  }

  async #createConnection({ platform, log }: WorkerClientDeps): Promise<WorkerConnection> {
    const { WorkerConnection } = await import('../../client/workerConnection.ts');
    if (this.store.disposed) throw createCancelledFault();
    const connection = new WorkerConnection({ start: platform.startWorker, clock: systemClock, log });
    this.store.add(connection.onEvent(event => this.#handleEvent(event)));
    this.store.add(
      connection.onExit(() => {
        this.#paused.clear(); // the next worker knows of no pause
        this.#exited.fire();
      }),
    );
    return connection;
  }

  #handleStatus(status: ChainStatus): void {
    if (this.#networks.noteStatus(status)) this.#chainTitlesChanged.fire();
    this.#statusRead.fire(status);
  }

  #handleEvent(event: WorkerStatusEvent): void {
    if (event.type === 'headChange') this.#statusPolls.clear(event.chain);
    else this.#paused.update(event.progress);
    this.#received.fire(event);
  }

  /** Other nodes may have other chains. */
  #forgetResponses(): void {
    this.#networks.clear();
    this.#statusPolls.clear();
    this.#paused.clear();
    this.#ensNames.clear();
    this.#ensNamesChanged.fire();
  }
}
