// Starts the worker thread at first need and configures it from settings, API keys and address book.
import { type Event, EventEmitter } from 'vscode';
import type { Configuration } from '../../api/configuration.ts';
import type { ChainStatus, LookupId, LookupInput, LookupOutput } from '../../api/lookups.ts';
import type { HttpEndpoint, WorkerEvent } from '../../api/workerProtocol.ts';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { Transport } from '../../client/transport.ts';
import { WorkerConnection } from '../../client/workerConnection.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { ApiKeys } from '../apiKeys/apiKeys.ts';
import type { UrlSecrets } from '../apiKeys/urlSecrets.ts';
import type { Platform } from '../platform.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { type AptosUse, createAptosUse } from './aptosUse.ts';
import {
  type ConfiguredAptosNetwork,
  type ConfiguredChain,
  getConfiguredAptosNetworks,
  getConfiguredChains,
} from './configuredChains.ts';
import { createEnsNames, type EnsNames } from './ensNames.ts';
import { createPausedIndexes } from './pausedIndexes.ts';
import { createStatusPolls } from './statusPolls.ts';

export interface WorkerClient extends Disposable {
  /** Carries operations to the embedded service or to a remote host, as configured. */
  readonly transport: Transport;
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, signal?: AbortSignal): Promise<LookupOutput<Id>>;
  /** ENS names that were looked up in this session. */
  readonly ensNames: Pick<EnsNames, 'get' | 'size'>;
  readonly onDidChangeEnsNames: Event<void>;
  /** Configured chains, in the settings' order. */
  chains(): readonly ConfiguredChain[];
  /** The status for a poll: that of another poll a moment ago, so that several views share one request. */
  pollStatus(selector: string): Promise<ChainStatus>;
  /**
   * The chain once its node on this machine has reported whether it `isLocal`; at once for other nodes, and when that is
   * known. A node that does not respond is not local. Rejects with `cancelled` only.
   */
  identifyChain(selector: string, signal?: AbortSignal): Promise<ConfiguredChain>;
  /** Opens the HTTP service at the endpoint in place of an earlier one; `null` closes it. Resolves with its URL. */
  serve(endpoint: HttpEndpoint | null): Promise<string | null>;
  /** The worker has exited, for whatever reason; its HTTP service is closed with it. */
  readonly onDidExit: Event<void>;
  /** Configured Aptos networks, in the settings' order. */
  aptosNetworks(): readonly ConfiguredAptosNetwork[];
  /** Whether the user works with Aptos; otherwise its networks are neither shown nor polled. */
  readonly aptosUse: Pick<AptosUse, 'isUsed' | 'onDidChange'>;
  /** Sends a notification, such as `pauseTask`, if the worker is running. */
  readonly notify: WorkerConnection['notify'];
  /** Whether the user has paused the index of the chain, which a request would resume. */
  isIndexPaused(selector: string): boolean;
  /** Terminates the worker; the next request starts a new one. */
  restart(): Promise<void>;
  readonly onDidApplyConfiguration: Event<void>;
  /** Nodes, hosts, networks or keys were changed: earlier responses may be outdated. */
  readonly onDidChangeConnections: Event<void>;
  /** Progress of tasks, and chains whose head may have changed. Listening does not start the worker. */
  readonly onEvent: Event<Exclude<WorkerEvent, { type: 'log' }>>;
}

export interface WorkerClientDeps {
  readonly platform: Pick<Platform, 'dataFolder' | 'startWorker'>;
  readonly settings: SettingsSource;
  readonly keys: ApiKeys;
  readonly secrets: UrlSecrets;
  /** Provides the service's labels and trusted tokens. */
  readonly book: Pick<AddressBook, 'ready' | 'configuration' | 'entries' | 'onDidChange'>;
  readonly log: Log;
}

/** Of the settings that decide where requests are sent; other changes, such as of the timeout, keep connections. */
const getConnectionsKey = ({ nodes, groups, aptos }: ReturnType<SettingsSource['configuration']>): string =>
  JSON.stringify([nodes, groups, aptos]);

export function createWorkerClient({ platform, settings, keys, secrets, book, log }: WorkerClientDeps): WorkerClient {
  const store = new DisposableStore();
  const configured = store.add(new EventEmitter<void>());
  const connectionsChanged = store.add(new EventEmitter<void>());
  const connection = new WorkerConnection({
    start: platform.startWorker,
    clock: systemClock,
    log,
  });

  const ensNames = createEnsNames();
  const ensNamesChanged = store.add(new EventEmitter<void>());
  const aptosUse = store.add(createAptosUse(settings, book));
  const pausedIndexes = createPausedIndexes();
  const received = store.add(new EventEmitter<Exclude<WorkerEvent, { type: 'log' }>>());
  store.add(
    connection.onEvent(event => {
      if (event.type === 'headChange') statusPolls.clear(event.chain);
      else if (event.type === 'progress') pausedIndexes.update(event.progress);
      received.fire(event);
    }),
  );

  const exited = store.add(new EventEmitter<void>());
  store.add(
    connection.onExit(() => {
      pausedIndexes.clear(); // the next worker knows of no pause
      exited.fire();
    }),
  );

  const createConfiguration = async (): Promise<Configuration> => ({
    ...((await secrets.names()).length === 0
      ? settings.configuration()
      : await (await import('../apiKeys/resolveSecrets.ts')).resolveSecrets(settings, secrets)),
    keys: await keys.all(),
    addressBook: book.configuration(),
    dataFolder: platform.dataFolder,
  });
  /** In order, so that an old configuration never replaces a newer one. */
  const configurations = new SerialQueue();
  const configure = (changesConnections = false) => {
    configurations
      .run(async () => {
        connection.configure(await createConfiguration());
        if (changesConnections) connectionsChanged.fire();
        configured.fire();
      })
      .catch(error => log.error(`The configuration could not be applied: ${String(error)}`));
  };
  let connectionsKey = getConnectionsKey(settings.configuration());
  store.add(
    settings.onDidChange(() => {
      const before = connectionsKey;
      connectionsKey = getConnectionsKey(settings.configuration());
      configure(connectionsKey !== before);
    }),
  );
  store.add(keys.onDidChange(() => configure(true)));
  let posted = book.configuration();
  store.add(
    book.onDidChange(() => {
      // Changes of folders, notes and tags do not concern the service, and a new configuration would clear its caches.
      if (book.configuration() === posted) return;
      posted = book.configuration();
      configure();
    }),
  );
  configure();
  /** The address book is read and posted before the first request. */
  const waitUntilConfigured = async () => {
    await book.ready().catch(() => {}); // reported by the book itself; requests work without names
    await configurations.idle();
  };

  /** Whether only this machine knows the chain, as its last status says, by selector. */
  let isLocalBySelector = new Map<string, boolean>();
  const noteStatus = ({ selector, isLocal }: ChainStatus) => {
    if (isLocalBySelector.get(selector) === isLocal) return;
    if (isLocal === undefined) isLocalBySelector.delete(selector);
    else isLocalBySelector.set(selector, isLocal);
    cached = undefined;
  };
  store.add(
    connectionsChanged.event(() => {
      isLocalBySelector = new Map();
      cached = undefined;
      statusPolls.clear();
      pausedIndexes.clear();
      ensNames.clear();
      ensNamesChanged.fire();
    }),
  );
  const statusPolls = createStatusPolls(
    selector => lookup('chainStatus', { chain: selector, isPoll: true }),
    systemClock,
  );
  let cached:
    | {
        readonly configuration: Configuration;
        readonly chains: readonly ConfiguredChain[];
        readonly networks: readonly ConfiguredAptosNetwork[];
      }
    | undefined;
  /** Views and the status bar call it often: computed once per configuration. */
  const getConfigured = () => {
    const configuration = settings.configuration();
    if (cached?.configuration !== configuration) {
      const networks = getConfiguredAptosNetworks(configuration, settings.userAptosNetworks);
      const local = new Set([...isLocalBySelector].flatMap(([selector, isLocal]) => (isLocal ? [selector] : [])));
      cached = { configuration, chains: getConfiguredChains(configuration, local), networks };
    }
    return cached;
  };

  const lookup: WorkerClient['lookup'] = async (id, input, signal) => {
    await waitUntilConfigured();
    const output = await connection.lookup(id, input, { signal });
    if (id === 'chainStatus') noteStatus(output as ChainStatus); // the output of that id
    if (ensNames.note(id, input, output)) ensNamesChanged.fire();
    return output;
  };

  return {
    transport: {
      async send(request, options) {
        await waitUntilConfigured();
        return connection.transport.send(request, options);
      },
    },
    lookup,
    ensNames,
    onDidChangeEnsNames: ensNamesChanged.event,
    chains: () => getConfigured().chains,
    pollStatus: statusPolls.poll,
    async identifyChain(selector, signal) {
      const find = () => getConfigured().chains.find(chain => chain.selector === selector);
      if (find()?.isOnLoopback && !isLocalBySelector.has(selector))
        await lookup('chainStatus', { chain: selector }, signal).catch(error => {
          if (isFault(error, 'cancelled')) throw error;
        });
      return find() ?? { selector, isOnLoopback: false, isLocal: false };
    },
    async serve(endpoint) {
      await configurations.idle();
      return connection.serve(endpoint);
    },
    onDidExit: exited.event,
    aptosNetworks: () => getConfigured().networks,
    aptosUse,
    notify: connection.notify,
    isIndexPaused: pausedIndexes.has,
    restart: () => connection.restart(),
    onDidApplyConfiguration: configured.event,
    onDidChangeConnections: connectionsChanged.event,
    onEvent: received.event,
    dispose() {
      store.dispose();
      void connection.stop();
    },
  };
}
