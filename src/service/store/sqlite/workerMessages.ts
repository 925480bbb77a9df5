// What crosses to the worker thread of a SQLite file and back: tasks and errors.
import type { StoreInfo } from '../store.ts';
import type { BatchColumns } from './batchColumns.ts';

/** One statement, a checkpoint, or a batch for the index of this chain. */
export type SqliteTask =
  | { readonly sql: string }
  | { readonly isCheckpoint: true }
  | { readonly info: StoreInfo; readonly batch: BatchColumns };

/** The parts of an error that cross threads. */
export interface SqliteTaskError {
  readonly message: string;
  readonly code: unknown;
  readonly errcode: unknown;
  /** Whether it was a HexLensError: the index rejected the batch. */
  readonly isRejection: boolean;
}

/** `null`: the task is done. */
export type SqliteTaskResult = SqliteTaskError | null;
