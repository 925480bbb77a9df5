// The options of `hexlens mcp`: those of an embedded `call`, allowed hosts and ABIs.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseAbiPath } from '../mcp/readAbis.ts';
import { createUsageError } from './configFile.ts';
import { listOption, lowerCaseMatching } from './optionShapes.ts';
import { type DeclaredOption, defineOptions } from './options.ts';
import { sourceOptions } from './serveOptions.ts';

// Without `--strict-dates`, which is for programs that will send the same requests to a host.
const { strictDates: _strictDates, ...agentOptions } = sourceOptions;

const allowHostOption = listOption(
  {
    flag: 'allow-host',
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

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const abiOption: DeclaredOption<readonly string[]> = {
  flag: 'abi',
  valueName: 'PATH',
  isRepeatable: true,
  field: 'mcpAbis',
  jsonType: 'list',
  help: 'Compiler artifact or ABI file, or a folder of them such as out or artifacts, to decode with, or 0xADDRESS=FILE for the ABI of one contract; may be repeated (default: out and artifacts below the working folder)',
  parse: (texts, { folder, name }) =>
    texts.map(text => {
      const parsed = parseAbiPath(text);
      if (parsed === null)
        throw createUsageError(
          `${name} needs 0x and 40 hex digits before =, not "${text}".`,
          'Write 0xADDRESS=FILE, or the path of a file or folder alone.',
        );
      const { address, path } = parsed;
      const absolute = resolve(folder, path);
      if (address === null) return absolute;
      if (!isFile(absolute))
        throw createUsageError(
          `${name}: there is no file ${absolute} for the ABI of ${address}.`,
          'Name the file that has it; a folder is given without an address.',
        );
      return `${address}=${absolute}`;
    }),
};

export const mcpOptions = defineOptions({
  ...agentOptions,
  allowHost: allowHostOption,
  abi: abiOption,
});
