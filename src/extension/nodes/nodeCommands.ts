// `Connect Node…` and `Switch Chain…`: finds nodes, shows who answers, and writes the settings. Loaded at first need.
import { commands, l10n, window } from 'vscode';
import { chainById } from '../../api/chains.ts';
import type { NodeProbe } from '../../api/lookups.ts';
import { isFault, readable } from '../../base/errors.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { commandIds } from '../../manifest/commands.ts';
import { judgeUrl } from '../../manifest/validateUrl.ts';
import { selectorsFor } from '../../view/nodes/projectNodes.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { settingWriter } from '../settings/settingWriter.ts';
import type { BackendHost } from '../worker/workerClient.ts';
import { pickNode } from './pickNode.ts';
import { hostOf, probeText } from './probeText.ts';
import { pickChain } from './switchChain.ts';

export interface NodeCommandsDeps {
  readonly backend: BackendHost;
  readonly settings: SettingsSource;
}

export interface NodeCommands {
  connect(url?: unknown): Promise<void>;
  switchChain(): Promise<void>;
}

export function createNodeCommands(deps: NodeCommandsDeps): NodeCommands {
  const { backend, settings } = deps;
  async function pickSelector(probe: NodeProbe, url: string): Promise<string | undefined> {
    const selectors = selectorsFor(probe.chainId, isLoopbackUrl(url));
    if (selectors.length < 2) return selectors[0];
    const fork = chainById(probe.chainId)?.title ?? '';
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
    if (before !== undefined && before !== url && hostOf(before) !== hostOf(url)) {
      const replace = l10n.t('Replace');
      const text = l10n.t('{0} is {1} now. Replace it by {2}?', selector, hostOf(before), hostOf(url));
      if ((await window.showInformationMessage(text, { modal: true }, replace)) !== replace) return;
    }
    try {
      await settingWriter.set('nodes', selector, url);
    } catch (error) {
      void window.showErrorMessage(l10n.t('The setting hexlens.nodes could not be written: {0}', String(error)));
      return;
    }
    const lookUp = l10n.t('Look Up…');
    const said = l10n.t('{0} is connected: {1}.', selector, probeText(probe));
    if ((await window.showInformationMessage(said, lookUp)) === lookUp) void commands.executeCommand(commandIds.lookUp);
  }

  function connectTo(url: string): Promise<NodeProbe> {
    return backend.lookup('probeNode', { url });
  }

  async function connect(given?: unknown): Promise<void> {
    const judged = typeof given === 'string' ? judgeUrl(given) : null;
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
      const picked = await window.showErrorMessage(readable(error), again);
      if (picked === again) await connect();
    }
  }

  return { connect, switchChain: () => pickChain(deps, connect) };
}
