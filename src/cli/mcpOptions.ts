// The options of `hexlens mcp`: those of an embedded `call`, allowed hosts and ABIs.
import { resolve } from 'node:path';
import { parseAbiPath } from '../mcp/readAbis.ts';
import { listOption, lowerCaseMatching } from './optionShapes.ts';
import type { Option, OptionTable } from './options.ts';
import { sourceOptions } from './serveOptions.ts';

// Agents use no client of hosts.
const { strictDates: _strictDates, ...agentOptions } = sourceOptions;

const allowHostOption = listOption(
  {
    flag: 'allow-host',
    env: 'HEXLENS_MCP_ALLOW_HOSTS',
    field: 'mcpAllowHosts',
    help: 'Host of a configured node that agents may query besides this machine (node.example.com, with its port if it has one), may be repeated (default: none)',
  },
  {
    valueName: 'HOST',
    kind: 'a host',
    fix: 'Write it without scheme and path: node.example.com.',
    parse: lowerCaseMatching(/^[a-z0-9.-]+(:\d{1,5})?$/),
  },
);

const abiOption: Option<readonly string[]> = {
  flag: 'abi',
  valueName: 'PATH',
  isRepeatable: true,
  env: 'HEXLENS_MCP_ABIS',
  field: 'mcpAbis',
  jsonType: 'list',
  help: 'Compiler artifact or ABI file, or a folder of them such as out or artifacts, to decode with, or 0xADDRESS=FILE for the ABI of one contract; may be repeated (default: out and artifacts below the working folder)',
  parse: (texts, { folder }) =>
    texts.map(text => {
      const { address, path } = parseAbiPath(text);
      return address === null ? resolve(folder, path) : `${address}=${resolve(folder, path)}`;
    }),
};

export const mcpOptions = {
  ...agentOptions,
  allowHost: allowHostOption,
  abi: abiOption,
} as const satisfies OptionTable;
