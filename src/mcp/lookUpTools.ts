// The tools that say what a text is: look_up on the chains, search_address_book, and list_chains.
import { AGENT_CHAINS_SCHEMA } from '../api/chainNames.ts';
import { getAddressFacts } from '../api/configuration.ts';
import type { AddressSummary } from '../api/lookups.ts';
import { formatFault } from '../base/errors.ts';
import { lookUpText, NOTHING_TO_LOOK_UP } from '../view/tools/lookUpText.ts';
import { selectChains } from './chainAccess.ts';
import { getNamedAddresses, getText, type McpSources, type McpTool, requireText } from './mcpTool.ts';

const MAX_NAMES = 50;

export function createLookUpTools(sources: McpSources): readonly McpTool[] {
  const { addressBook, lookup } = sources;
  const lookUp: McpTool = {
    name: 'look_up',
    title: 'Look up on-chain',
    description:
      'Says what one piece of text is on the user’s EVM chains: an address (balance, account or contract, token, proxy), a transaction or block hash, a block number, an ENS name (chain eth), a function selector, an event topic, or an explorer link. Names of the user’s address book are added. Read-only. Never pass private keys. On chains that are not on this machine, write "transaction 0x…" or "block hash 0x…" before a hash, since 32 bytes alone may be a private key.',
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 500, description: 'The text to look up.' },
      chain: AGENT_CHAINS_SCHEMA,
    },
    required: ['text'],
    async run(args, { signal }) {
      const text = requireText(args, 'text');
      const selected = selectChains(sources, getText(args, 'chain'));
      // A fork on this machine passes on what it does not know, so that its node must say what it is.
      const chains = await Promise.all(
        selected.map(async ({ selector }) => {
          const status = await lookup('chainStatus', { chain: selector }, signal).catch(() => null);
          return { selector, isLocal: status?.isLocal === true };
        }),
      );
      const results = await lookUpText(text, { chains, isUserRequested: false, lookup }, signal);
      if (results.length === 0 && chains.length === 0)
        return { problem: 'No chain is configured that agents may query.', refusedChains: sources.refusedChains };
      if (results.length === 0) return { problem: NOTHING_TO_LOOK_UP };
      return results.map(result => {
        const { kind, address, chain } = result as Partial<AddressSummary>;
        const name =
          kind === 'address' && address !== undefined && chain !== undefined
            ? getAddressFacts(addressBook, address.toLowerCase(), chain.name)[0]?.name
            : undefined;
        return name === undefined ? result : { ...result, nameInAddressBook: name };
      });
    },
  };

  const searchAddressBook: McpTool = {
    name: 'search_address_book',
    title: 'Search the address book',
    description:
      'Finds saved addresses of the user by a part of their name or address. An empty query lists the first ones.',
    properties: { query: { type: 'string', maxLength: 200, description: 'Part of a name or of an address.' } },
    async run(args) {
      const query = (getText(args, 'query') ?? '').trim().toLowerCase();
      const found = getNamedAddresses(addressBook).filter(
        ({ address, name }) => address.includes(query) || name.toLowerCase().includes(query),
      );
      return { entries: found.slice(0, MAX_NAMES), total: found.length };
    },
  };

  const listChains: McpTool = {
    name: 'list_chains',
    title: 'List chains',
    description:
      'Lists the chains that can be queried, with chain id, newest block, problems and whether their nodes are on this machine, and configured chains that agents may not query.',
    properties: {},
    async run(_, { signal }) {
      const chains = await Promise.all(
        sources.chains.map(async ({ selector, isOnLoopback }) => {
          try {
            const { chain, head, headTime, client, problem } = await lookup('chainStatus', { chain: selector }, signal);
            return { selector, isOnLoopback, chainId: chain?.id ?? null, head, headTime, client, problem };
          } catch (error) {
            return { selector, isOnLoopback, problem: formatFault(error) };
          }
        }),
      );
      return { chains, refusedChains: sources.refusedChains };
    },
  };
  return [lookUp, searchAddressBook, listChains];
}
