// `Connect Node…` and `Switch Chain…`: finds nodes, shows who answers, and writes the settings. Loaded at first need.
import { commands, l10n, window } from 'vscode';
import { getChainById } from '../../api/chains.ts';
import type { NodeProbe } from '../../api/lookups.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { commandIds } from '../../manifest/commands.ts';
import { validateUrl } from '../../manifest/validateUrl.ts';
import { getSelectorChoices } from '../../view/nodes/projectNodes.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { settingWriter } from '../settings/settingWriter.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { formatProbe, getUrlHost, pickNode } from './pickNode.ts';
import { switchChain } from './switchChain.ts';

export interface NodeCommandsDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
}

export interface NodeCommands {
  connect(url?: unknown): Promise<void>;
  switchChain(): Promise<void>;
}

export function createNodeCommands(deps: NodeCommandsDeps): NodeCommands {
  const { backend, settings } = deps;
  async function pickSelector(probe: NodeProbe, url: string): Promise<string | undefined> {
    const selectors = getSelectorChoices(probe.chainId, isLoopbackUrl(url));
    if (selectors.length < 2) return selectors[0];
    const fork = getChainById(probe.chainId)?.title ?? '';
    const items = selectors.map(selector => ({
      label: selector,
      detail:
        selector === 'local'
          ? l10n.t('A development node, such as a fork of {0}', fork)
          : l10n.t('A node that follows {0} itself', fork),
    }));
    const picked = await window.showQuickPick(items, {
      title: l10n.t('Connect Node'),
      placeHolder: l10n.t('The node says that it is {0}. Under which name?', fork),
    });
    return picked?.label;
  }

  /** Writes the node and says who answers. */
  async function use(url: string, probe: NodeProbe): Promise<void> {
    const selector = await pickSelector(probe, url);
    if (selector === undefined) return;
    const before = settings.current().nodes[selector];
    if (before !== undefined && before !== url && getUrlHost(before) !== getUrlHost(url)) {
      const replace = l10n.t('Replace');
      const text = l10n.t('{0} is {1} now. Replace it by {2}?', selector, getUrlHost(before), getUrlHost(url));
      if ((await window.showInformationMessage(text, { modal: true }, replace)) !== replace) return;
    }
    try {
      await settingWriter.set('nodes', selector, url);
    } catch (error) {
      void window.showErrorMessage(l10n.t('The setting hexlens.nodes could not be written: {0}', String(error)));
      return;
    }
    const lookUp = l10n.t('Look Up…');
    const said = l10n.t('{0} is connected: {1}.', selector, formatProbe(probe));
    if ((await window.showInformationMessage(said, lookUp)) === lookUp) void commands.executeCommand(commandIds.lookUp);
  }

  function connectTo(url: string): Promise<NodeProbe> {
    return backend.lookup('probeNode', { url });
  }

  async function connect(given?: unknown): Promise<void> {
    const judged = typeof given === 'string' ? validateUrl(given) : null;
    const choice =
      judged !== null && 'url' in judged
        ? { url: judged.url.href.replace(/\/$/, ''), probe: null }
        : await pickNode(deps);
    if (choice === undefined) return;
    try {
      await use(choice.url, choice.probe ?? (await connectTo(choice.url)));
    } catch (error) {
      if (isFault(error, 'cancelled')) return;
      const again = l10n.t('Try Again');
      const picked = await window.showErrorMessage(formatFault(error), again);
      if (picked === again) await connect();
    }
  }

  return { connect, switchChain: () => switchChain(deps, connect) };
}
