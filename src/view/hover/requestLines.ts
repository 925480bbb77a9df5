// Lines of a hover about a request to a node: that it takes long, has failed, or waits for a click.
import { formatFault, isFault } from '../../base/errors.ts';
import { t } from '../../base/localize.ts';
import { createCommandLink, hoverCommands } from './hoverLinks.ts';
import type { HoverLookup } from './hoverLookups.ts';
import { escapeMarkdown } from './markdown.ts';

/** A link that allows the literal to be sent to a remote node. */
export function createLookUpLink(
  { kind }: HoverLookup,
  chain: string,
  text: string,
  label = t('Look up on {0}', escapeMarkdown(chain)),
): string {
  const command = kind === 'address' ? hoverCommands.lookUpAddress : hoverCommands.lookUpHash;
  return createCommandLink(label, command, [chain, text], t('Query the node of this chain'));
}

/** The chain of a network in the arguments of `hexlens.lookUpAddress`; differs from all names of EVM chains. */
export const getAptosPermissionChain = (network: string): string => `aptos:${network}`;

/** As `createLookUpLink`, for a network of Aptos. */
export const createAptosLookUpLink = (network: string, text: string, label: string): string =>
  createCommandLink(
    label,
    hoverCommands.lookUpAddress,
    [getAptosPermissionChain(network), text],
    t('Query this Aptos network'),
  );

/** Says that a node takes long, also when its own part has been added to the same hover: VS Code removes none. */
export function renderSlow(chain: string, key: string): string {
  const cancel = createCommandLink(t('Cancel'), hoverCommands.cancelHover, [key], t('Cancel the request'));
  return `$(watch) ${escapeMarkdown(t('The node of {0} takes long to respond: its answer is added here.', chain))} ${cancel}`;
}

/** A fault with a link to a remedy; `name` is the chain's or the network's. */
export function renderFault(name: string, error: unknown, isAptos = false): string {
  const message = formatFault(error);
  if (!isAptos && isFault(error, 'node-unreachable', 'no-node', 'egress-refused')) return renderProblem(name, message);
  return renderMessage(
    name,
    message,
    createCommandLink(t('Show log'), hoverCommands.showOutput, [], t('Open the HexLens output')),
  );
}

/** What is wrong with a node, with a link to where it is set. */
export const renderProblem = (name: string, message: string): string =>
  renderMessage(
    name,
    message,
    createCommandLink(t('Change nodes'), hoverCommands.openNodeSettings, [], t('Open the setting hexlens.nodes')),
  );

const renderMessage = (name: string, message: string, action: string): string =>
  `$(debug-disconnect) ${escapeMarkdown(message.includes(name) ? message : `${name}: ${message}`)}  \n${action}`;
