// The list of `Connect Node…`: who answers on this machine, what the workspace names, what is typed.

import { l10n, QuickPickItemKind, ThemeIcon, window, workspace } from 'vscode';
import { getChainById } from '../../api/chains.ts';
import type { NodeProbe } from '../../api/lookups.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { isFault } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { validateUrl } from '../../manifest/validateUrl.ts';
import { sanitizeLabel } from '../../view/lookUp/summaryPreview.ts';
import { findProjectNodes, type ProjectNode } from '../../view/nodes/projectNodes.ts';
import { disableSorting, getAcceptedItem, type StepItem } from '../prompts/quickPickStep.ts';
import type { NodeCommandsDeps } from './nodeCommands.ts';

// Words for a node that answered, and the host of a URL without what may be a key.
const chainTitle = (chainId: number): string =>
  getChainById(chainId)?.title ?? (chainId === 31337 || chainId === 1337 ? l10n.t('dev chain') : l10n.t('chain'));

export const formatProbe = ({ chainId, client, head }: NodeProbe): string =>
  [
    `${chainTitle(chainId)} (${chainId})`,
    l10n.t('block {0}', formatInteger(head)),
    client === null ? '' : sanitizeLabel(client, 40),
  ]
    .filter(part => part !== '')
    .join(' · ');

/** Never the path or query: they may hold a key. */
export const getUrlHost = (url: string): string => URL.parse(url)?.host ?? url;

/** Anvil and Hardhat, Ganache, Truffle. */
const USUAL = ['http://127.0.0.1:8545', 'http://127.0.0.1:7545', 'http://127.0.0.1:9545'];
const FILES = '**/{foundry.toml,hardhat.config.ts,hardhat.config.js,hardhat.config.cjs,hardhat.config.mjs}';
const ELSEWHERE = '**/{node_modules,lib,out,dist,cache,artifacts}/**';
const MOST_FILES = 20;

interface FoundNode extends ProjectNode {
  readonly file: string;
}

/** A workspace that is not trusted says nothing about where to connect. */
async function nodesOfWorkspace(): Promise<readonly FoundNode[]> {
  if (!workspace.isTrusted) return [];
  const files = await workspace.findFiles(FILES, ELSEWHERE, MOST_FILES);
  const texts = await Promise.all(
    files.map(async uri => {
      try {
        const text = new TextDecoder().decode(await workspace.fs.readFile(uri));
        return findProjectNodes(uri.path, text).map(node => ({ ...node, file: workspace.asRelativePath(uri) }));
      } catch {
        return []; // gone in the meantime
      }
    }),
  );
  return texts.flat();
}

export type NodeChoice = { readonly url: string; readonly probe: NodeProbe | null };

export function pickNode({ backend, settings }: NodeCommandsDeps): Promise<NodeChoice | undefined> {
  return new Promise(resolve => {
    const store = new DisposableStore();
    const picker = store.add(window.createQuickPick<StepItem<NodeChoice>>());
    disableSorting(picker as never); // rows are items
    picker.title = l10n.t('Connect Node');
    picker.placeholder = l10n.t('Choose a node that was found, or write the URL of one');
    picker.ignoreFocusOut = true;
    picker.busy = true;
    const ending = new AbortController();
    const answers = new Map<string, NodeProbe>();
    let named: readonly FoundNode[] = [];
    let looking = true;
    const configured = new Set(Object.values(settings.current().nodes));

    const rows = (typed: string): StepItem<NodeChoice>[] => {
      const text = typed.trim();
      const result: StepItem<NodeChoice>[] = [];
      if (text !== '') {
        const judged = validateUrl(/^[\w.-]+:\d+$/.test(text) ? `http://${text}` : text);
        if ('url' in judged) {
          const { href } = judged.url;
          const url = judged.url.pathname === '/' && judged.url.search === '' ? judged.url.origin : href;
          result.push({
            label: l10n.t('Connect to {0}', judged.url.host),
            detail: isLoopbackUrl(url) ? '' : l10n.t('It is asked for its chain now, and named in your settings.'),
            iconPath: new ThemeIcon('plug'),
            result: { url, probe: null },
          });
        } else {
          const label = l10n.t('What you write {0}', judged.wrong);
          result.push({ label, detail: 'http://127.0.0.1:8545', iconPath: new ThemeIcon('error') });
        }
        return result;
      }
      result.push({ label: l10n.t('on this machine'), kind: QuickPickItemKind.Separator });
      for (const [url, probe] of answers)
        result.push({
          label: getUrlHost(url),
          description: configured.has(url) ? `${formatProbe(probe)} · ${l10n.t('in use')}` : formatProbe(probe),
          iconPath: new ThemeIcon('pass'),
          result: { url, probe },
        });
      if (answers.size === 0)
        result.push({
          label: looking ? l10n.t('Looking for nodes…') : l10n.t('No node answers on the usual ports'),
          detail: looking ? '' : l10n.t('Start one, for example with: anvil, or: npx hardhat node'),
          iconPath: new ThemeIcon(looking ? 'loading~spin' : 'info'),
        });
      const others = named.filter(({ url }) => url === null || !isLoopbackUrl(url));
      if (others.length > 0) result.push({ label: l10n.t('of this workspace'), kind: QuickPickItemKind.Separator });
      for (const { name, url, variable, file } of others)
        result.push(
          url === null
            ? {
                label: sanitizeLabel(name, 40),
                description: sanitizeLabel(file, 80),
                detail: l10n.t('Its URL is in {0}, which only your tools know: write it here.', variable ?? ''),
                iconPath: new ThemeIcon('circle-slash'),
              }
            : {
                label: sanitizeLabel(name, 40),
                description: `${sanitizeLabel(getUrlHost(url), 80)} · ${sanitizeLabel(file, 80)}`,
                detail: l10n.t('Nothing is sent to it before you choose it.'),
                iconPath: new ThemeIcon('globe'),
                result: { url, probe: null },
              },
        );
      return result;
    };
    const fill = () => {
      if (store.disposed) return;
      const [active] = picker.activeItems;
      const items = rows(picker.value).map(row => ({ ...row, alwaysShow: true }));
      picker.items = items;
      const kept = items.find(({ label, result }) => label === active?.label && result !== undefined);
      if (kept !== undefined) picker.activeItems = [kept];
    };
    let chosen: NodeChoice | undefined;
    store.add(picker.onDidChangeValue(fill));
    store.add(
      picker.onDidAccept(() => {
        const row = getAcceptedItem(picker);
        if (row?.result === undefined) return;
        chosen = row.result;
        picker.hide();
      }),
    );
    store.add(
      picker.onDidHide(() => {
        ending.abort();
        store.dispose();
        resolve(chosen);
      }),
    );
    fill();
    picker.show();
    const probe = async (url: string) => {
      try {
        answers.set(url, await backend.lookup('probeNode', { url }, ending.signal));
        fill();
      } catch (error) {
        if (!isFault(error)) throw error; // nobody there: nothing to show
      }
    };
    void (async () => {
      const usual = USUAL.map(probe);
      named = await nodesOfWorkspace();
      fill();
      const local = named.flatMap(({ url }) => (url !== null && isLoopbackUrl(url) ? [url.replace(/\/$/, '')] : []));
      const written = Object.values(settings.current().nodes).filter(isLoopbackUrl);
      const more = [...new Set([...local, ...written])].filter(url => !USUAL.includes(url));
      await Promise.all([...usual, ...more.map(probe)]);
      looking = false;
      if (store.disposed) return;
      picker.busy = false;
      fill();
    })();
  });
}
