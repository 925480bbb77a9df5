// Connects nodes by writing them to the settings, and switches the default chain.
import { commands, l10n, window } from 'vscode';
import { parseWrittenChain } from '../../api/chainNames.ts';
import { getChainById } from '../../api/chains.ts';
import type { NodeProbe } from '../../api/lookups.ts';
import { toUrlList } from '../../api/nodeUrls.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { commandIds } from '../../manifest/commands.ts';
import { findUrlSecret } from '../../manifest/secretPlaceholders.ts';
import { validateUrl } from '../../manifest/validateUrl.ts';
import { getSelectorChoices } from '../../view/nodes/projectNodes.ts';
import { showErrorMessage, showInformationMessage } from '../prompts/messages.ts';
import { settingWriter } from '../settings/settingWriter.ts';
import { formatProbe, getUrlHost, type NodeCommandsDeps, pickNode } from './pickNode.ts';
import { switchChain } from './switchChain.ts';

export interface NodeCommands {
  /** Connects to the URL, if the argument is one, else to a node that the user picks. */
  connect(url?: unknown): Promise<void>;
  switchChain(): Promise<void>;
}

export function createNodeCommands(deps: NodeCommandsDeps): NodeCommands {
  const { worker, settings, secrets } = deps;
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

  /** Saves the node in the settings. */
  async function saveNode(url: string, probe: NodeProbe): Promise<void> {
    const selector = await pickSelector(probe, url);
    if (selector === undefined) return;
    const hosts = toUrlList(settings.current().nodes[selector]).map(getUrlHost);
    if (hosts.length > 0 && !(hosts.length === 1 && hosts[0] === getUrlHost(url))) {
      const replace = l10n.t('Replace');
      const question = l10n.t(
        '{0} is currently {1}. Replace it with {2}?',
        selector,
        hosts.join(', '),
        getUrlHost(url),
      );
      if ((await showInformationMessage(question, { modal: true }, replace)) !== replace) return;
    }
    try {
      const found = findUrlSecret(url);
      const written = found?.withPlaceholder(await secrets.add(found.suggestedName, found.secret, url)) ?? url;
      await settingWriter.set('nodes', selector, written, name => parseWrittenChain(name) === selector);
    } catch (error) {
      void showErrorMessage(l10n.t('The setting hexlens.nodes could not be written: {0}', String(error)));
      return;
    }
    const lookUp = l10n.t('Look Up…');
    const message = l10n.t('{0} is connected: {1}.', selector, formatProbe(probe));
    if ((await showInformationMessage(message, lookUp)) === lookUp) void commands.executeCommand(commandIds.lookUp);
  }

  async function connect(argument?: unknown): Promise<void> {
    const validated = typeof argument === 'string' ? validateUrl(argument, { allowsWebSocket: true }) : null;
    const choice =
      validated !== null && 'url' in validated
        ? { url: validated.url.href.replace(/\/$/, ''), probe: null }
        : await pickNode(deps);
    if (choice === undefined) return;
    try {
      await saveNode(choice.url, choice.probe ?? (await worker.lookup('probeNode', { url: choice.url })));
    } catch (error) {
      if (isFault(error, 'cancelled')) return;
      const tryAgain = l10n.t('Try Again');
      const picked = await showErrorMessage(formatFault(error), tryAgain);
      if (picked === tryAgain) await connect();
    }
  }

  return { connect, switchChain: () => switchChain(deps, connect) };
}
