// Shows what all transactions since a block did together, on one page.
import { commands, EventEmitter, l10n, type QuickPickItem, Uri, window, workspace } from 'vscode';
import { isForChain } from '../../api/configuration.ts';
import { Owner } from '../../base/disposable.ts';
import { formatInteger, type TokenAmountUnit } from '../../base/formatUnits.ts';
import type { Hex } from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { createClient } from '../../client/client.ts';
import type { FoundTransactionSource } from '../../decode/source/fetchTransactionSource.ts';
import { fetchRunDiff, type RunDiff, type RunLookups } from '../../decode/source/runDiff.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import { formatRunReport, type RunReportNames } from '../../view/source/runReport.ts';
import { isTokenAmount } from '../../view/source/stateTable.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { toCancellableText } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage, withCancelButton } from '../prompts/showMessage.ts';
import { findLocalChain, getNamedChain } from './findLocalChain.ts';

export interface RunDiffDeps extends Pick<FeatureDeps, 'abis' | 'worker' | 'workspaceState'> {
  readonly book: Pick<AddressBook, 'getName' | 'ready' | 'trustedEntries'>;
}

const SCHEME = 'hexlens-run';
const PAGE = Uri.from({ scheme: SCHEME, path: '/Changes.md' });
/** Older pages are forgotten. */
const MAX_PAGES = 20;
const BLOCK_CHOICES = [10, 100] as const;
const MAX_TOKENS = 100;
const CONCURRENT_TOKENS = 8;

interface Choice extends QuickPickItem {
  /** The block before the first one; `null`: the user enters it. */
  readonly from: number | null;
}

/** Lines with the paths of the compiler: those of files begin with the number of the workspace folder. */
function withSourcePaths(source: FoundTransactionSource | null): FoundTransactionSource | null {
  if (source === null || source.stack === null) return source;
  const frames = source.stack.frames.map(frame =>
    frame.location === null ? frame : { ...frame, location: { ...frame.location, file: null } },
  );
  return { ...source, stack: { ...source.stack, frames } };
}

export class RunDiffView extends Owner {
  readonly #deps: RunDiffDeps;
  readonly #pageChanged = this.store.add(new EventEmitter<Uri>());
  /** Pages that were made, by their URIs. */
  readonly #pages = new Map<string, string>();

  constructor(deps: RunDiffDeps) {
    super();
    this.#deps = deps;
    const provideTextDocumentContent = (uri: Uri) =>
      this.#pages.get(uri.toString()) ?? l10n.t('These changes are not known any more: show them again.');
    const provider = { onDidChange: this.#pageChanged.event, provideTextDocumentContent };
    this.store.add(workspace.registerTextDocumentContentProvider(SCHEME, provider));
  }

  /** `argument`: the number of the block before, or an object that may name it and the chain; what it lacks the user chooses. */
  async show(argument: unknown): Promise<void> {
    const block = isObject(argument) ? argument['block'] : argument;
    const found = await findLocalChain(this.#deps.worker, l10n.t('What Changed Since'), getNamedChain(argument));
    if (found === 'cancelled') return;
    if (found === null) {
      void showInformationMessage(l10n.t('No node of a chain of this machine responds.'));
      return;
    }
    const { selector: chain, head: to, before } = found;
    const picked = Number.isSafeInteger(block) ? Number(block) : await this.#pick(chain, to);
    if (picked === null) return;
    const from = Math.max(picked, before);
    const diff = await this.#fetch(chain, from, to);
    if (typeof diff === 'string') void showInformationMessage(diff);
    if (diff === null || typeof diff === 'string') return;
    await this.#deps.workspaceState.update(`hexlens.run.${chain}`, to);
    await this.#deps.book.ready().catch(() => {});
    const page = PAGE.with({ query: `${chain} ${from}-${to}` });
    this.#setPage(page, formatRunReport(diff, await this.#createNames(diff, chain)));
    await commands.executeCommand('markdown.showPreview', page);
  }

  async #createNames({ state }: RunDiff, chain: string): Promise<RunReportNames> {
    const { book, worker } = this.#deps;
    const tokens = state.accounts.filter(({ storage }) => storage.some(({ path }) => isTokenAmount(path)));
    const units = new Map<string, TokenAmountUnit | null>();
    await mapConcurrently(tokens.slice(0, MAX_TOKENS), CONCURRENT_TOKENS, async ({ address }) => {
      // A token that does not answer has raw amounts.
      const unit = await worker.lookup('tokenUnit', { chain, address }).catch(() => null);
      if (unit?.standard === 'ERC20') units.set(address, toAmountUnit(unit));
    });
    const saved = book.trustedEntries().filter(({ kind, chains }) => kind === 'contract' && isForChain(chains, chain));
    return {
      getName: address => book.getName(address, chain) ?? getWellKnownName(address as Hex),
      getUnit: address => units.get(address) ?? null,
      saved,
    };
  }

  /** A chain that was reset has the same blocks again: an open page shows those of now. */
  #setPage(page: Uri, text: string): void {
    const key = page.toString();
    this.#pages.delete(key);
    this.#pages.set(key, text);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES) break;
      this.#pages.delete(oldest);
    }
    this.#pageChanged.fire(page);
  }

  /** `null` when the user cancelled. */
  async #pick(chain: string, newest: number): Promise<number | null> {
    const last = this.#deps.workspaceState.get<number>(`hexlens.run.${chain}`);
    const choices: Choice[] =
      last === undefined || last > newest
        ? []
        : [{ label: l10n.t('Since the last time'), description: l10n.t('block {0}', formatInteger(last)), from: last }];
    for (const count of BLOCK_CHOICES)
      choices.push({ label: l10n.t('The last {0} blocks', String(count)), from: Math.max(0, newest - count) });
    choices.push({ label: l10n.t('Since a block…'), from: null });
    const title = l10n.t('What Changed Since');
    const chosen = await window.showQuickPick(choices, { title });
    if (chosen === undefined || chosen.from !== null) return chosen?.from ?? null;
    const text = await window.showInputBox({
      title,
      prompt: l10n.t('Number of the block before, up to {0}', formatInteger(newest)),
      validateInput: value =>
        /^\s*\d{1,15}\s*$/.test(value) && Number(value) <= newest ? null : l10n.t('This is no number of a block.'),
    });
    return text === undefined ? null : Number(text);
  }

  /** A sentence where nothing can be shown; `null` when the user cancelled. */
  #fetch(chain: string, from: number, to: number): Promise<RunDiff | string | null> {
    return withCancelButton(l10n.t('Reading transactions'), async signal => {
      const [lookups, abis] = [await this.#createLookups(chain, signal), await this.#deps.abis.load()];
      return fetchRunDiff({ from, to }, lookups, abis).catch(toCancellableText);
    });
  }

  async #createLookups(chain: string, signal: AbortSignal): Promise<RunLookups> {
    const { worker, abis } = this.#deps;
    const sources = await abis.sources();
    const client = createClient(worker.transport);
    return {
      async listTransactions(block) {
        const { transactions } = await client.block({ chain, block }, { signal });
        return (transactions ?? []).map(({ hash }) => hash as Hex);
      },
      trace: hash => worker.lookup('transactionTrace', { chain, hash }, signal),
      source: async hash => withSourcePaths(await sources.fetch({ chain, hash }, worker, signal)),
      state: hash => sources.fetchState({ chain, hash }, worker, signal),
    };
  }
}
