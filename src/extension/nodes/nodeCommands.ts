// Connects nodes by writing them to the settings, and switches the default chain.

import { commands, l10n, window, workspace } from 'vscode';
import { parseWrittenChain } from '../../api/chainNames.ts';
import { getChainById, isOwnNode, LOCAL_CHAIN } from '../../api/chains.ts';
import type { NodeProbe } from '../../api/lookups.ts';
import { toUrlList } from '../../api/nodeUrls.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { commandIds } from '../../manifest/commands.ts';
import { findUrlSecret } from '../../manifest/secretPlaceholders.ts';
import { validateUrl } from '../../manifest/validateUrl.ts';
import { findConfiguredTitle } from '../../view/chainTitle.ts';
import { getSelectorChoices, suggestNodeName } from '../../view/nodes/projectNodes.ts';
import { showErrorMessage, showInformationMessage, withCancelButton } from '../prompts/showMessage.ts';
import { type SettingStorage, settingWriter } from '../settings/settingWriter.ts';
import { formatProbe, getUrlHost, type NodeCommandsDeps, pickNode } from './pickNode.ts';
import { switchChain } from './switchChain.ts';

/** A node that is connected to by hand answers sooner, or is not there. */
const MAX_PROBE_SECONDS = 8;

export class NodeCommands {
  readonly #deps: NodeCommandsDeps;

  constructor(deps: NodeCommandsDeps) {
    this.#deps = deps;
  }

  /** Connects to the URL, if the argument is one, else to a node that the user picks. */
  async connect(argument?: unknown): Promise<void> {
    const validated = typeof argument === 'string' ? validateUrl(argument, { allowsWebSocket: true }) : null;
    let choice =
      validated !== null && 'url' in validated
        ? { url: validated.url.href.replace(/\/$/, ''), probe: null }
        : await pickNode(this.#deps);
    // What was wrong is in the picker, so that it goes with the next attempt.
    while (choice !== undefined) {
      const { url } = choice;
      const probe: NodeProbe | string | null = choice.probe ?? (await this.#probe(url));
      if (probe === null) return;
      if (typeof probe !== 'string') return this.#save(url, probe);
      choice = await pickNode(this.#deps, { url, problem: probe });
    }
  }

  switchChain(): Promise<void> {
    return switchChain(this.#deps, () => this.connect());
  }

  /** What the node reports, or why it does not; `null` when the user has cancelled. */
  #probe(url: string): Promise<NodeProbe | string | null> {
    const title = l10n.t('Connecting to {0}…', getUrlHost(url));
    return withCancelButton(title, async signal => {
      const limit = AbortSignal.timeout(MAX_PROBE_SECONDS * 1_000);
      try {
        return await this.#deps.worker.lookup('probeNode', { url }, AbortSignal.any([signal, limit]));
      } catch (error) {
        if (signal.aborted) return null;
        if (limit.aborted) return l10n.t('{0} did not respond within {1} s.', getUrlHost(url), MAX_PROBE_SECONDS);
        if (isFault(error, 'cancelled')) return null;
        return formatFault(error);
      }
    });
  }

  /** Saves the node in the settings. */
  async #save(url: string, probe: NodeProbe): Promise<void> {
    const selector = await this.#pickName(url, probe);
    if (selector === undefined) return;
    const isSame = (name: string) => parseWrittenChain(name) === selector;
    const storage = await this.#pickStorage(url, isSame);
    if (storage === undefined) return;
    const { secrets } = this.#deps;
    try {
      const found = findUrlSecret(url);
      const written = found?.withPlaceholder(await secrets.add(found.suggestedName, found.secret, url)) ?? url;
      await this.#keepDefault(selector, storage);
      await settingWriter.set('nodes', selector, written, isSame, storage);
    } catch (error) {
      void showErrorMessage(l10n.t('The setting hexlens.nodes could not be written: {0}', String(error)));
      return;
    }
    const lookUp = l10n.t('Look Up…');
    const message = l10n.t('{0} is connected: {1}.', selector, formatProbe(probe));
    if ((await showInformationMessage(message, lookUp)) === lookUp) void commands.executeCommand(commandIds.lookUp);
  }

  /** Beside a node with a name of its own the default one counts only where it is written, see `omitDefaultNode`. */
  async #keepDefault(selector: string, storage: SettingStorage): Promise<void> {
    const url = this.#deps.settings.current().nodes[LOCAL_CHAIN];
    const isDefault = (name: string) => name === LOCAL_CHAIN;
    if (!isOwnNode(selector) || isDefault(selector) || url === undefined) return;
    if (!settingWriter.isWritten('nodes', isDefault))
      await settingWriter.set('nodes', LOCAL_CHAIN, url, isDefault, storage);
  }

  /** The name of the node in the settings: where it is another node's, the user replaces that one or adds this one. */
  async #pickName(url: string, probe: NodeProbe): Promise<string | undefined> {
    const selector = await pickSelector(probe, url);
    if (selector === undefined) return undefined;
    const { nodes } = this.#deps.settings.current();
    const hosts = toUrlList(nodes[selector]).map(getUrlHost);
    if (hosts.length === 0 || (hosts.length === 1 && hosts[0] === getUrlHost(url))) return selector;
    const replace = l10n.t('Replace');
    const question = l10n.t(
      '{0} is currently {1}. Replace it with {2}?',
      findConfiguredTitle(this.#deps.worker.chains(), selector),
      hosts.join(', '),
      getUrlHost(url),
    );
    const name = suggestNodeName(probe.client, probe.chainId, Object.keys(nodes));
    const add = l10n.t('Add as {0}', name);
    const choices = isLoopbackUrl(url) || isOwnNode(selector) ? [add, replace] : [replace];
    const picked = await showInformationMessage(question, { modal: true }, ...choices);
    return picked === replace ? selector : picked === add ? name : undefined;
  }

  /** A port of this machine usually belongs to the project: where it is not written yet, the user says where it is saved. */
  async #pickStorage(url: string, isSame: (name: string) => boolean): Promise<SettingStorage | undefined> {
    const canAsk = (workspace.workspaceFolders?.length ?? 0) > 0 && workspace.isTrusted && isLoopbackUrl(url);
    if (!canAsk || settingWriter.isWritten('nodes', isSame)) return 'where written';
    const items = [
      { label: l10n.t('This workspace'), description: '.vscode/settings.json', storage: 'workspace' as const },
      { label: l10n.t('All workspaces'), description: l10n.t('User settings'), storage: 'user' as const },
    ];
    const placeHolder = l10n.t('Where to save {0}', getUrlHost(url));
    return (await window.showQuickPick(items, { title: l10n.t('Connect Node'), placeHolder }))?.storage;
  }
}

async function pickSelector(probe: NodeProbe, url: string): Promise<string | undefined> {
  const selectors = getSelectorChoices(probe.chainId, isLoopbackUrl(url));
  if (selectors.length < 2) return selectors[0];
  const chainTitle = getChainById(probe.chainId)?.title ?? '';
  const items = selectors.map(selector => ({
    label: selector,
    detail:
      selector === 'local'
        ? l10n.t('A development node, such as a fork of {0}', chainTitle)
        : l10n.t('A node that follows {0} itself', chainTitle),
  }));
  const picked = await window.showQuickPick(items, {
    title: l10n.t('Connect Node'),
    placeHolder: l10n.t('The node reports the chain {0}. Select a name for the settings', chainTitle),
  });
  return picked?.label;
}
