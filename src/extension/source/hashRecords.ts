// What hovers, links and the look-up box know of a hash by the files of deployment tools.
import { Owner } from '../../base/disposable.ts';
import { getFaultCode } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import { lazy } from '../../base/lazy.ts';
import { addRecord } from '../../detect/addRecord.ts';
import type { DocumentLiteral } from '../editor/detectLiteral.ts';
import type { LogChannel } from '../logChannel.ts';
import type { FoundHash, RecordedHashes } from './recordedHashes.ts';

/** Files that take longer to read at first delay nothing; the next hover knows them. */
const MAX_READ_MS = 800;

const MAY_BE_HASH = /[\da-f]{64}/i;

export class HashRecords extends Owner {
  readonly #log: Pick<LogChannel, 'warn'>;
  /** `null` until the first hash. */
  #recorded: RecordedHashes | null = null;
  readonly #load = lazy(async () => {
    const { RecordedHashes } = await import('./recordedHashes.ts');
    this.#recorded = this.store.add(new RecordedHashes());
    return this.#recorded;
  });

  constructor(log: Pick<LogChannel, 'warn'>) {
    super();
    this.#log = log;
  }

  /**
   * The literal with the record of its bytes. Only what the text does not prove waits for files that are not read yet, and what
   * `isWaiting`: no node waits for them.
   */
  async add(found: DocumentLiteral, isWaiting: boolean): Promise<DocumentLiteral> {
    const { literal } = found;
    if (literal.kind !== 'hash32' || literal.secretWord !== null) return found;
    const finding = this.find(literal.hash);
    const record = isWaiting || literal.hint === null ? await finding : this.peek(literal.hash);
    return record === null ? found : { ...found, literal: addRecord(literal, record), record };
  }

  /** The hash as a tool has recorded it; `null` where none has, or files take long to read. Never rejects. */
  find(hash: Hex): Promise<FoundHash | null> {
    return this.#inTime(recorded => recorded.find(hash));
  }

  /** As `find`, without waiting: `null` also until the files are read. */
  peek(hash: Hex): FoundHash | null {
    return this.#recorded?.peek(hash) ?? null;
  }

  /** Waits for the files if the text has what may be a hash. Never rejects. */
  async prepare(text: string): Promise<void> {
    if (MAY_BE_HASH.test(text)) await this.#inTime(recorded => recorded.read());
  }

  async #inTime<T>(read: (recorded: RecordedHashes) => Promise<T>): Promise<T | null> {
    const reading = this.#load()
      .then(read)
      .catch((error: unknown) => {
        this.#log.warn(`Files of deployment tools: ${getFaultCode(error)}`);
        return null;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>(resolve => {
      timer = setTimeout(() => resolve(null), MAX_READ_MS);
    });
    return Promise.race([reading, late]).finally(() => clearTimeout(timer));
  }
}
