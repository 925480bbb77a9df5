// Debug sessions of VS Code: which transaction, on which chain, with which builds and files.
import {
  type CancellationToken,
  commands,
  type DebugAdapterDescriptor,
  DebugAdapterInlineImplementation,
  type DebugConfiguration,
  type DebugSession,
  debug,
  l10n,
  ProgressLocation,
  type QuickPickItem,
  window,
  workspace,
} from 'vscode';
import type { DebugRequest, DebugSource } from '../../api/debugSession.ts';
import { parseSimulationJson } from '../../api/parseSimulationJson.ts';
import type { Simulation, TraceTarget } from '../../api/traceTarget.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { isFault } from '../../base/errors.ts';
import { formatTokenAmount } from '../../base/formatUnits.ts';
import { type Hex, isHash, toLowerHex } from '../../base/hex.ts';
import { isObject } from '../../base/isObject.ts';
import { decodeErrorResult, decodeFunctionData } from '../../decode/decodeAbi.ts';
import { formatDecodedItem } from '../../decode/formatDecodedItem.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import { type BuildNames, createBuildNames } from '../abi/buildNames.ts';
import { type DetectedHash, detectHashAtCursor } from '../editor/detectHash.ts';
import { toAbortSignal } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showErrorMessage, withProgress } from '../prompts/showMessage.ts';
import { isAddressTreeNode } from '../sidebar/addressTreeNodes.ts';
import { getInspectorTarget } from '../sidebar/getInspectorTarget.ts';
import type { WorkspaceSources } from '../source/workspaceSources.ts';
import { isSearchedForHash } from '../worker/configuredChains.ts';
import { type DebugHost, type LaunchArguments, type OpenedSession, POSITION } from './debugHost.ts';
import { inlineValuesProvider } from './inlineValuesProvider.ts';
import { sendOrReopen } from './sendOrReopen.ts';
import { TransactionDebugSession } from './transactionDebugSession.ts';
import { UnoptimizedCompiler } from './unoptimizedCompiler.ts';

export type DebugDeps = Pick<FeatureDeps, 'abis' | 'book' | 'worker' | 'workspaceState'>;

/** What menus and links give to the command. */
export interface DebugArguments {
  readonly chain?: string;
  readonly hash?: string;
  /** A call to simulate, in place of a transaction. */
  readonly simulation?: Simulation;
  /** Where to begin: a frame of the stack of its failure, the outermost is 0. */
  readonly frame?: number | null;
  readonly build?: LaunchArguments['build'];
}

/** The newest first. */
const RECENT_KEY = 'debuggedTransactions';
const MAX_RECENT = 10;
const MAX_ERROR_LENGTH = 300;

interface RecentTransaction {
  readonly chain: string;
  readonly hash: Hex;
}

/** Of a link, a page or a row of the sidebar. */
function toArguments(argument: unknown): DebugArguments {
  if (isAddressTreeNode(argument)) {
    const target = getInspectorTarget(argument, []);
    return target?.kind === 'transaction' ? target : {};
  }
  return isObject(argument) ? argument : {};
}

export class DebugTransactions {
  readonly inlineValues = inlineValuesProvider;
  readonly #deps: DebugDeps;
  /** Compiles sources again without the optimizer, where the user agrees. */
  readonly #unoptimized: UnoptimizedCompiler;
  /** Names of contracts that builds of the workspace have. */
  readonly #buildNames: BuildNames;

  constructor(deps: DebugDeps) {
    this.#deps = deps;
    this.#unoptimized = new UnoptimizedCompiler(deps.workspaceState);
    this.#buildNames = createBuildNames(deps, () => {});
  }

  /** Debugs what is debugged now with an unoptimized build, from the same place on; without a session as `start`. */
  async startUnoptimized(argument: unknown): Promise<void> {
    const session = debug.activeDebugSession;
    const given = toArguments(argument);
    // The toolbar may give something of the session.
    if (given.hash !== undefined || given.simulation !== undefined || session?.type !== 'hexlens')
      return this.start({ ...given, build: 'unoptimized' });
    // Before the session ends: there is none any more if the user does not agree.
    if (!(await this.#unoptimized.confirm())) return;
    const { step } = await session.customRequest(POSITION);
    await debug.stopDebugging(session);
    const { workspaceFolder, configuration } = session;
    await debug.startDebugging(workspaceFolder, { ...configuration, build: 'unoptimized', startStep: step });
  }

  /** Begins a session; asks for a transaction where none is given. */
  async start(argument: unknown): Promise<void> {
    const { chain, hash, simulation, frame, build } = toArguments(argument);
    const options = build === undefined ? {} : { build };
    if (simulation !== undefined)
      return this.#start(l10n.t('Simulated call'), { chain, simulation, transaction: null, ...options });
    const picked = isHash(hash) ? { hash: toLowerHex(hash), chain, isPublic: false } : await this.#pick();
    const found = picked === null ? null : (picked.chain ?? (await this.#findChain(picked, undefined)));
    if (picked === null || found === null) return;
    return this.#start(l10n.t('Transaction {0}', picked.hash), {
      transaction: picked.hash,
      chain: found,
      ...(typeof frame === 'number' && { startFrame: frame }),
      ...options,
    });
  }

  async #start(name: string, configuration: object): Promise<void> {
    const folder = workspace.workspaceFolders?.[0];
    const isStarted = await debug.startDebugging(folder, {
      type: 'hexlens',
      request: 'launch',
      name,
      ...configuration,
    });
    // VS Code itself shows the variables only at a breakpoint, not where a session begins.
    if (!isStarted || workspace.getConfiguration('debug').get('openDebug') === 'neverOpen') return;
    await commands.executeCommand('workbench.view.debug');
    await commands.executeCommand('workbench.action.focusActiveEditorGroup');
  }

  #recent(): readonly RecentTransaction[] {
    return this.#deps.workspaceState.get<readonly RecentTransaction[]>(RECENT_KEY) ?? [];
  }

  async #remember(transaction: RecentTransaction): Promise<void> {
    const others = this.#recent().filter(({ hash }) => hash !== transaction.hash);
    await this.#deps.workspaceState.update(RECENT_KEY, [transaction, ...others].slice(0, MAX_RECENT));
  }

  /**
   * The hash at the cursor, one that the user enters, or one that was debugged before. Where a chain is named, which may be a
   * remote one, the cursor counts for nothing: what is there may be a key.
   */
  async #pick(named?: string): Promise<(DetectedHash & { readonly chain: string | undefined }) | null> {
    const detected = named === undefined ? detectHashAtCursor() : null;
    if (detected !== null) return { ...detected, hash: toLowerHex(detected.hash), chain: undefined };
    const recent = this.#recent().map(({ chain, hash }) => ({ label: hash, description: chain, chain, hash }));
    const picker = window.createQuickPick<QuickPickItem & Partial<RecentTransaction>>();
    picker.title = l10n.t('Debug Transaction');
    picker.placeholder = l10n.t('Hash of a transaction');
    const update = () => {
      const text = picker.value.trim();
      picker.items = isHash(text) ? [{ label: text, hash: toLowerHex(text) }] : recent;
    };
    update();
    picker.onDidChangeValue(update);
    picker.show();
    const picked = await new Promise<Partial<RecentTransaction> | undefined>(resolve => {
      picker.onDidAccept(() => resolve(picker.selectedItems[0]));
      picker.onDidHide(() => resolve(undefined));
    });
    picker.dispose();
    return picked?.hash === undefined ? null : { hash: picked.hash, chain: picked.chain ?? named, isPublic: true };
  }

  /** `undefined` cancels the start. */
  async resolveConfiguration(
    configuration: DebugConfiguration,
    token: CancellationToken | undefined,
  ): Promise<DebugConfiguration | undefined> {
    const { transaction, chain, simulation } = configuration;
    if (simulation !== undefined) {
      const parsed = parseSimulationJson(simulation);
      if (parsed !== null && typeof chain === 'string') return { ...configuration, simulation: parsed };
      void showErrorMessage(
        l10n.t('In the launch configuration, "simulation" needs from, to and data in hex, and "chain" beside it.'),
      );
      return undefined;
    }
    const isEmpty = transaction === undefined || transaction === '';
    const picked = isEmpty
      ? await this.#pick(typeof chain === 'string' ? chain : undefined)
      : { hash: transaction, chain, isPublic: true };
    if (picked === null) return undefined;
    if (!isHash(picked.hash)) {
      void showErrorMessage(l10n.t('A hash is 0x and 64 hex digits.'));
      return undefined;
    }
    const hash = toLowerHex(picked.hash);
    const found = picked.chain ?? (await this.#findChain({ hash, isPublic: picked.isPublic }, token));
    if (found === null) return undefined;
    const name = configuration.name || l10n.t('Transaction {0}', hash);
    return { ...configuration, type: 'hexlens', request: 'launch', name, transaction: hash, chain: found };
  }

  /** Only chains of this machine are queried for it: what is named as a hash may be a key. */
  async #findChain({ hash, isPublic }: DetectedHash, token: CancellationToken | undefined): Promise<string | null> {
    const { worker } = this.#deps;
    const options = { location: ProgressLocation.Notification, title: l10n.t('Looking for the transaction') };
    return withProgress(options, async () => {
      const cancel = token === undefined ? null : toAbortSignal(token);
      try {
        for (const { selector, isOnLoopback } of worker.chains()) {
          if (!isOnLoopback) continue;
          if (!isSearchedForHash(await worker.identifyChain(selector, cancel?.signal), isPublic)) continue;
          const summary = await worker
            .lookup('hashSummary', { chain: selector, hash }, cancel?.signal)
            .catch(error => (isFault(error, 'cancelled') ? Promise.reject(error) : null));
          if (summary?.kind === 'transaction') return selector;
        }
      } catch (error) {
        if (isFault(error, 'cancelled')) return null;
        throw error;
      } finally {
        cancel?.release.dispose();
      }
      void showErrorMessage(
        l10n.t('No chain of this machine has this transaction: name another chain in the launch configuration.'),
      );
      return null;
    });
  }

  async createAdapter(_session: DebugSession): Promise<DebugAdapterDescriptor> {
    const sources = await this.#deps.abis.sources();
    return new DebugAdapterInlineImplementation(new TransactionDebugSession(this.#createHost(sources)));
  }

  #createHost(sources: WorkspaceSources): DebugHost {
    const { abis, book } = this.#deps;
    const getName = (address: Hex) => book.getName(address) ?? getWellKnownName(address);
    const format = async () => ({ registry: await abis.load(), getName });
    const describe = async (items: ReturnType<typeof decodeErrorResult>) => {
      const [item, ...others] = items;
      const isClear = item !== undefined && others.length === 0;
      return isClear ? sanitizeText(formatDecodedItem(item, await format()), MAX_ERROR_LENGTH) : null;
    };
    let chain = '';
    return {
      open: target => {
        chain = target.chain;
        return this.#open(target, sources);
      },
      toPath: (source: DebugSource) => sources.toUri(source)?.fsPath ?? null,
      describeError: async data => describe(decodeErrorResult(await abis.load(), data)),
      functionsNamed: async names => {
        const registry = await abis.load();
        const items = registry.ids().flatMap(id => registry.items(id));
        return items.flatMap(({ kind, name, inputs, outputs, isReadOnly }) =>
          kind === 'function' && names.has(name)
            ? [{ type: kind, name, inputs, outputs, stateMutability: isReadOnly ? 'view' : 'nonpayable' }]
            : [],
        );
      },
      describeHex: async data => {
        const registry = await abis.load();
        return (await describe(decodeFunctionData(registry, data))) ?? describe(decodeErrorResult(registry, data));
      },
      formatAmount: async (amount, address) => {
        const found = await this.#deps.worker.lookup('tokenUnit', { chain, address }).catch(() => null);
        const unit = found === null ? null : toAmountUnit(found);
        return unit === null ? null : formatTokenAmount(amount, unit);
      },
      nameOf: async address => {
        const saved = book.getName(address, chain) ?? getWellKnownName(address);
        if (saved !== null) return saved;
        await this.#buildNames.learn(chain, [address]);
        return this.#buildNames.get(address, chain);
      },
    };
  }

  async #open(launch: LaunchArguments, sources: WorkspaceSources): Promise<OpenedSession> {
    const { transaction, simulation, chain } = launch;
    const { worker } = this.#deps;
    const target: TraceTarget = simulation === undefined ? { chain, hash: transaction ?? '0x' } : { chain, simulation };
    const codes = await worker.lookup('tracedCodes', target);
    const builds = await sources.match(codes);
    const unoptimized = launch.build === 'unoptimized' ? await this.#unoptimized.compile(codes, sources) : null;
    const { substitutes = [], skipped = [] } = unoptimized ?? {};
    const session = globalThis.crypto.randomUUID();
    const lookup = (request: DebugRequest, signal?: AbortSignal) =>
      worker.lookup('debugRequest', { ...target, session, request }, signal);
    const { startStep } = launch;
    const start = startStep === undefined ? {} : { startStep };
    const open = () => lookup({ kind: 'open', builds, substitutes, ...start }) as Promise<OpenedSession['opened']>;
    const opened = await open();
    if (transaction !== null) await this.#remember({ chain, hash: transaction });
    return { opened, send: sendOrReopen(lookup, open), skipped };
  }
}
