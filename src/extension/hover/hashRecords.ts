// What a hover knows of a hash by the files of deployment tools.
import { getFaultCode } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { type Lazy, lazy } from '../../base/lazy.ts';
import { addRecord } from '../../detect/addRecord.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { LogChannel } from '../logChannel.ts';
import type { FoundHash, RecordedHashes } from '../source/recordedHashes.ts';

/** Files that take longer to read at first do not delay a hover; the next one knows them. */
const MAX_READ_MS = 800;

export class HashRecords {
  readonly #load: Lazy<RecordedHashes>;
  readonly #log: Pick<LogChannel, 'warn'>;
  /** `null` until the first hash. */
  #recorded: RecordedHashes | null = null;

  constructor(load: () => Promise<RecordedHashes>, log: Pick<LogChannel, 'warn'>) {
    this.#log = log;
    this.#load = lazy(async () => {
      this.#recorded = await load();
      return this.#recorded;
    });
  }

  /**
   * The literal with the record of its bytes. Only what the text does not prove waits for files that are not read yet, and what
   * `isWaiting`: no node waits for them.
   */
  async add(found: DocumentLiteral, isWaiting: boolean): Promise<DocumentLiteral> {
    const { literal } = found;
    if (literal.kind !== 'hash32' || literal.secretWord !== null) return found;
    const record = await this.#find(literal.hash, isWaiting || literal.hint === null);
    return record === null ? found : { ...found, literal: addRecord(literal, record), record };
  }

  async #find(hash: Hex, isWaiting: boolean): Promise<FoundHash | null> {
    const finding = this.#load()
      .then(recorded => recorded.find(hash))
      .catch((error: unknown) => {
        this.#log.warn(`Files of deployment tools: ${getFaultCode(error)}`);
        return null;
      });
    if (!isWaiting) return this.#recorded?.peek(hash) ?? null;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>(resolve => {
      timer = setTimeout(() => resolve(null), MAX_READ_MS);
    });
    return Promise.race([finding, late]).finally(() => clearTimeout(timer));
  }
}
