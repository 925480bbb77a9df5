// The extension host's end of the backend: configures the worker from settings and keys, and starts it at first need.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Event, EventEmitter } from 'vscode';
import type { Configuration } from '../../api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../../api/lookups.ts';
import type { HttpEndpoint, WorkerEvent } from '../../api/workerProtocol.ts';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { Transport } from '../../client/transport.ts';
import { createWorkerConnection } from '../../client/workerConnection.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { ApiKeys } from '../apiKeys/apiKeys.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import {
  type ConfiguredAptosNetwork,
  type ConfiguredChain,
  getConfiguredAptosNetworks,
  getConfiguredChains,
} from './configuredChains.ts';
import { workerOptions } from './workerOptions.ts';

export interface WorkerClient extends Disposable {
  /** Operations go through it; embedded or to a remote host, as the settings say. */
  readonly transport: Transport;
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, signal?: AbortSignal): Promise<LookupOutput<Id>>;
  /** Chains that hovers and the status bar may ask, in the settings' order. */
  chains(): readonly ConfiguredChain[];
  /** Answers HTTP at the place instead of an earlier one, or no longer; resolves with the URL. Ends with the worker. */
  serve(place: HttpEndpoint | null): Promise<string | null>;
  /** The worker has ended, by itself or on purpose. */
  readonly onDidExit: Event<void>;
  /** Aptos networks that hovers and the status bar may ask, in the settings' order. */
  aptosNetworks(): readonly ConfiguredAptosNetwork[];
  /** Ends the work that progress named so; the next request that needs it goes on from there. */
  pause(task: string): void;
  /** Goes on with what was paused, if it is still known. */
  resume(task: string): void;
  /** Ends the worker; the next request starts a new one. */
  restart(): Promise<void>;
  readonly onDidApplyConfiguration: Event<void>;
  /** Other nodes, hosts, networks or keys than before: whoever answers now may answer something else. */
  readonly onDidChangeConnections: Event<void>;
  /** What the backend says unasked: progress of long work, status of chains. Does not start it. */
  readonly onEvent: Event<Exclude<WorkerEvent, { type: 'log' }>>;
}

export interface WorkerClientDeps {
  readonly extensionPath: string;
  /** Where the indexes of chains are kept. */
  readonly dataFolder: string;
  readonly settings: SettingsSource;
  readonly keys: ApiKeys;
  /** Its names are the service's labels. */
  readonly book: Pick<AddressBook, 'ready' | 'configuration' | 'onDidChange'>;
  readonly log: Log;
}

/** What decides who is asked. The backend is configured anew for other reasons too, such as a name in the book. */
const sourcesOf = ({ nodes, groups, aptos }: ReturnType<SettingsSource['configuration']>): string =>
  JSON.stringify([nodes, groups, aptos]);

export function createWorkerClient({
  extensionPath,
  dataFolder,
  settings,
  keys,
  book,
  log,
}: WorkerClientDeps): WorkerClient {
  const store = new DisposableStore();
  const configured = store.add(new EventEmitter<void>());
  const reconnected = store.add(new EventEmitter<void>());
  const file = join(extensionPath, 'dist', 'worker.js');
  const link = createWorkerConnection({
    start: () => new Worker(file, workerOptions),
    clock: systemClock,
    log,
  });

  const said = store.add(new EventEmitter<Exclude<WorkerEvent, { type: 'log' }>>());
  store.add(link.onEvent(event => said.fire(event)));

  const ended = store.add(new EventEmitter<void>());
  store.add(link.onEnd(() => ended.fire()));

  const configuration = async (): Promise<Configuration> => ({
    ...settings.configuration(),
    keys: await keys.all(),
    addressBook: book.configuration(),
    dataFolder,
  });
  let chain = Promise.resolve();
  /** Changes are applied one after the other, so that an old configuration never overtakes a new one. */
  const configure = (reconnects = false) => {
    chain = chain
      .then(async () => link.configure(await configuration()))
      .then(
        () => {
          if (reconnects) reconnected.fire();
          configured.fire();
        },
        error => log.error(`The configuration could not be applied: ${String(error)}`),
      );
  };
  let sources = sourcesOf(settings.configuration());
  store.add(
    settings.onDidChange(() => {
      const before = sources;
      sources = sourcesOf(settings.configuration());
      configure(sources !== before);
    }),
  );
  store.add(keys.onDidChange(() => configure(true)));
  let posted = book.configuration();
  store.add(
    book.onDidChange(() => {
      // Folders, notes and tags are nothing to the service, and a configuration makes it forget what it remembers.
      if (book.configuration() === posted) return;
      posted = book.configuration();
      configure();
    }),
  );
  configure();
  /** The book is read with the first request, and what it says is posted before it. */
  const configuredForUse = async () => {
    await book.ready().catch(() => {}); // it has said so itself, and names are not worth an answer
    await chain;
  };

  let places:
    | {
        readonly of: Configuration;
        readonly chains: readonly ConfiguredChain[];
        readonly networks: readonly ConfiguredAptosNetwork[];
      }
    | undefined;
  /** Asked all the time, by views and the status bar: worked out once per configuration. */
  const placesOf = () => {
    const of = settings.configuration();
    if (places?.of !== of) {
      const networks = getConfiguredAptosNetworks(of, settings.userAptosNetworks());
      places = { of, chains: getConfiguredChains(of), networks };
    }
    return places;
  };

  return {
    transport: {
      async send(request, options) {
        await configuredForUse();
        return link.transport.send(request, options);
      },
    },
    async lookup(id, input, signal) {
      await configuredForUse();
      return link.lookup(id, input, { signal });
    },
    chains: () => placesOf().chains,
    async serve(place) {
      await chain;
      return link.serve(place);
    },
    onDidExit: ended.event,
    aptosNetworks: () => placesOf().networks,
    pause: task => link.pause(task),
    resume: task => link.resume(task),
    restart: () => link.restart(),
    onDidApplyConfiguration: configured.event,
    onDidChangeConnections: reconnected.event,
    onEvent: said.event,
    dispose() {
      store.dispose();
      void link.stop();
    },
  };
}
