// Shows what all transactions since a block did together, on one page.
import { commands, l10n, type QuickPickItem, Uri, window, workspace } from 'vscode';
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
import { learnBuildNames } from '../abi/buildNames.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { toCancellableText } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage, withCancelButton } from '../prompts/showMessage.ts';
import { findLocalChain, getNamedChain } from './findLocalChain.ts';
import { promptForBlock } from './promptForBlock.ts';
import { Snapshots } from './snapshots.ts';

export interface RunDiffDeps extends Pick<FeatureDeps, 'abis' | 'worker' | 'workspaceState'> {
  readonly book: Pick<AddressBook, 'getName' | 'ready' | 'trustedEntries'>;
}

const PAGE = Uri.from({ scheme: 'hexlens-run', path: '/Changes.md' });
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
  readonly #snapshots: Snapshots;
  /** Pages that were made, by their URIs. */
  readonly #pages = new Map<string, string>();
  #madePages = 0;

  constructor(deps: RunDiffDeps) {
    super();
    this.#deps = deps;
    this.#snapshots = new Snapshots(deps);
    const provideTextDocumentContent = (uri: Uri) =>
      this.#pages.get(uri.toString()) ?? l10n.t('These changes are not known any more: show them again.');
    this.store.add(workspace.registerTextDocumentContentProvider(PAGE.scheme, { provideTextDocumentContent }));
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
    // VS Code's preview shows the text of a closed document again where another one has the same URI.
    const page = PAGE.with({ query: `${chain} ${from}-${to} ${++this.#madePages}` });
    this.#addPage(page, formatRunReport(diff, await this.#createNames(diff, chain), workspace.isTrusted));
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

  #addPage(page: Uri, text: string): void {
    this.#pages.set(page.toString(), text);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES) break;
      this.#pages.delete(oldest);
    }
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
    for (const { name, block } of await this.#snapshots.list(chain, newest))
      choices.push({
        label: l10n.t('Since the snapshot {0}', name),
        description: l10n.t('block {0}', formatInteger(block)),
        from: block,
      });
    choices.push({ label: l10n.t('Since a block…'), from: null });
    const takeSnapshot: Choice = {
      label: `$(device-camera) ${l10n.t('Take a Snapshot…')}`,
      description: l10n.t('block {0}', formatInteger(newest)),
      from: null,
    };
    choices.push(takeSnapshot);
    const title = l10n.t('What Changed Since');
    const chosen = await window.showQuickPick(choices, { title });
    if (chosen === takeSnapshot) {
      await this.#takeSnapshot(chain, newest);
      return null;
    }
    if (chosen === undefined || chosen.from !== null) return chosen?.from ?? null;
    return promptForBlock(title, newest);
  }

  async #takeSnapshot(chain: string, block: number): Promise<void> {
    const name = await window.showInputBox({
      title: l10n.t('Take a Snapshot'),
      prompt: l10n.t('A name for the state after block {0}', formatInteger(block)),
      value: l10n.t('block {0}', formatInteger(block)),
    });
    if (name === undefined || name.trim() === '') return;
    await this.#snapshots.add(chain, name.trim(), block);
    void showInformationMessage(
      l10n.t('What Changed Since… lists what is different from the snapshot {0}.', name.trim()),
    );
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
      nameContracts: addresses => learnBuildNames(chain, addresses, this.#deps, signal),
    };
  }
}
