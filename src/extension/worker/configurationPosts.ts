// Posts the configuration to the worker: of the settings, the keys and the address book, whenever one of them changes.
import { EventEmitter } from 'vscode';
import type { Configuration } from '../../api/configuration.ts';
import { Owner } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import type { WorkerConnection } from '../../client/workerConnection.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { ApiKeys } from '../apiKeys/apiKeys.ts';
import type { UrlSecrets } from '../apiKeys/urlSecrets.ts';
import type { Platform } from '../platform.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export interface ConfigurationPostsDeps {
  readonly platform: Pick<Platform, 'dataFolder'>;
  readonly settings: SettingsSource;
  readonly keys: ApiKeys;
  readonly secrets: UrlSecrets;
  /** Provides the service's labels and trusted tokens. */
  readonly book: Pick<AddressBook, 'ready' | 'configuration' | 'onDidChange'>;
  readonly log: Log;
}

/** Of the settings that decide where requests are sent; other changes, such as of the timeout, keep connections. */
const getConnectionsKey = ({ nodes, groups, aptos }: ReturnType<SettingsSource['configuration']>): string =>
  JSON.stringify([nodes, groups, aptos]);

export class ConfigurationPosts extends Owner {
  readonly #deps: ConfigurationPostsDeps;
  readonly #connection: () => Promise<Pick<WorkerConnection, 'configure'>>;
  readonly #applied = this.store.add(new EventEmitter<void>());
  readonly #connectionsChanged = this.store.add(new EventEmitter<void>());
  /** In order, so that an old configuration never replaces a newer one. */
  readonly #queue = new SerialQueue();
  /** Those of the last post: none at the start of the window. */
  #settings: Configuration | undefined;
  /** What the service last got of the address book. */
  #postedBook: Configuration['addressBook'];
  readonly onDidApply = this.#applied.event;
  /** Nodes, hosts, networks or keys were changed: earlier responses may be outdated. */
  readonly onDidChangeConnections = this.#connectionsChanged.event;

  constructor(connection: () => Promise<Pick<WorkerConnection, 'configure'>>, deps: ConfigurationPostsDeps) {
    super();
    this.#deps = deps;
    this.#connection = connection;
    const { settings, keys, book } = deps;
    this.store.add(
      settings.onDidChange(() => {
        const before = this.#settings;
        this.#post(before === undefined || getConnectionsKey(before) !== getConnectionsKey(settings.configuration()));
      }),
    );
    this.store.add(keys.onDidChange(() => this.#post(true)));
    this.#postedBook = book.configuration();
    this.store.add(
      book.onDidChange(() => {
        // Changes of folders, notes and tags do not concern the service, and a new configuration would clear its caches.
        if (book.configuration() === this.#postedBook) return;
        this.#postedBook = book.configuration();
        this.#post();
      }),
    );
  }

  /** Resolves when all changes until now are posted: the first time everything, which no window needs at its start. */
  posted(): Promise<void> {
    if (this.#settings === undefined) this.#post();
    return this.#queue.idle();
  }

  /** Resolves when the address book is read and posted too, as requests need it. */
  async ready(): Promise<void> {
    await this.#deps.book.ready().catch(() => {}); // reported by the book itself; requests work without names
    await this.posted();
  }

  #post(changesConnections = false): void {
    this.#settings = this.#deps.settings.configuration();
    this.#queue
      .run(async () => {
        const connection = await this.#connection();
        connection.configure(await this.#createConfiguration());
        if (changesConnections) this.#connectionsChanged.fire();
        this.#applied.fire();
      })
      .catch(error => this.#deps.log.error(`The configuration could not be applied: ${String(error)}`));
  }

  async #createConfiguration(): Promise<Configuration> {
    const { platform, settings, keys, secrets, book } = this.#deps;
    const configuration =
      (await secrets.names()).length === 0
        ? settings.configuration()
        : await (await import('../apiKeys/resolveSecrets.ts')).resolveSecrets(settings, secrets);
    const addressBook = book.configuration();
    return { ...configuration, keys: await keys.all(), addressBook, dataFolder: platform.dataFolder };
  }
}
