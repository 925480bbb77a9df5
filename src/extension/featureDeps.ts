// What features are made of; each takes the parts that it needs.
import type { Memento } from 'vscode';
import type { Log } from '../base/log.ts';
import type { AbiProvider } from './abi/abiProvider.ts';
import type { AddressBook } from './addressBook/addressBook.ts';
import type { ApiKeys } from './apiKeys/apiKeys.ts';
import type { UrlSecrets } from './apiKeys/urlSecrets.ts';
import type { Platform } from './platform.ts';
import type { SettingsSource } from './settings/settingsSource.ts';
import type { HashRecords } from './source/hashRecords.ts';
import type { WorkerClient } from './worker/workerClient.ts';

export interface FeatureDeps {
  readonly platform: Platform;
  readonly log: Log;
  readonly settings: SettingsSource;
  /** Of the remote host. */
  readonly keys: ApiKeys;
  /** Of nodes and proxies, by name. */
  readonly secrets: UrlSecrets;
  readonly abis: AbiProvider;
  readonly book: AddressBook;
  readonly worker: WorkerClient;
  readonly records: HashRecords;
  readonly globalState: Memento;
  readonly workspaceState: Memento;
}
