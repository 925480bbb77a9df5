// What a panel's session needs of the outside: small enough to be joined in memory with a page in tests.

import type { LookupId, LookupInput, LookupOutput } from '../../api/lookups.ts';
import type { Progress } from '../../api/workerProtocol.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Translations } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import type { Transport } from '../../client/transport.ts';
import type { Decoder } from '../../protocol/decoding.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { ExtensionMessage } from '../../protocol/messages.ts';
import type { Table } from '../../protocol/table.ts';
import type { ConfiguredChain } from '../worker/configuredChains.ts';
import type { ExportPage } from './fetchAllPages.ts';

export interface DataPorts {
  readonly transport: Transport;
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, signal?: AbortSignal): Promise<LookupOutput<Id>>;
  chains(): readonly ConfiguredChain[];
  /** Long work of the backend, as it goes on. */
  onProgress(listener: (progress: Progress) => void): Disposable;
  /** Ends the work that progress named so; the next request that needs it goes on from there. */
  pause(task: string): void;
  /** Saved or well-known name of an address in any case. */
  getName(address: string, chain: string): string | null;
  readonly describer: Decoder;
  readonly log: Log;
  readonly clock: Clock;
}

/** The index of exported rows was not complete when they were read: more of them may follow. */
export interface IncompleteIndex {
  /** `null` where nothing was heard of it. */
  readonly percent: number | null;
}

export interface ExportedTable {
  readonly name: string;
  readonly format: 'csv' | 'json';
  readonly table: Pick<Table, 'columns' | 'rows'>;
  /** `null` when the rows are all there are. */
  readonly growing: IncompleteIndex | null;
}

/** A list that is too long for one page: its pages are asked for while it is written. */
export interface ExportedPages extends Pick<ExportedTable, 'name' | 'format'> {
  pages(signal: AbortSignal): AsyncIterable<ExportPage>;
  /** How far the index is by now, of pages that come from one that is not complete. */
  growing(): IncompleteIndex;
}

/** The editor around a panel. */
export interface EditorPorts {
  post(message: ExtensionMessage): void;
  readonly texts: Translations | null;
  openBeside(target: InspectorTarget): void;
  /** The panel shows something else now. */
  setTitle(target: InspectorTarget, title: string): void;
  pinned(pinned: boolean): void;
  copy(text: string): void;
  save(table: ExportedTable): void;
  saveAll(list: ExportedPages): void;
  runAction(action: 'nodes' | 'log'): void;
  /** Deep link that opens a target. */
  createLink(target: InspectorTarget): string;
  /** The base of the service that answers programs, for a copied `curl`. */
  serviceUrl(group: 'auth' | 'evm' | 'aptos'): string;
  nodeUrl(chain: string): string | null;
}
