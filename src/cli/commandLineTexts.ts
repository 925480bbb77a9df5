// Texts of faults that name a setting of the editor, as they are on the command line.
import type { Translations } from '../base/localize.ts';

export const commandLineTexts: Translations = {
  'the setting hexlens.nodes': 'the option --node',
  'the setting hexlens.aptos.networks': 'the option --aptos',
  'Connect one with "HexLens: Connect Node", or add {0} to the setting hexlens.nodes.':
    'Add one with --node "{0}=URL".',
  'Add its indexer to the setting hexlens.aptos.networks.': 'Add its indexer with --aptos-indexer NAME=URL.',
  'If it should be, add {0} to the setting hexlens.metadata.hosts.':
    'If it should be, start the service with --metadata-host {0}.',
};
