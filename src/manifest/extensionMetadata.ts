// Manifest fields of the extension as a whole: marketplace page, activation, workspace trust.

import { nlsText } from './nlsText.ts';
import { settingKeys } from './settingDefaults.ts';
import { settings } from './settingsTable.ts';

const REPOSITORY = 'https://github.com/hexlens/hexlens';

/** Top-level keys of package.json. */
export const extensionMetadata = {
  publisher: 'hexlens',
  description: nlsText(
    'See what raw hex is on-chain: hover any address, transaction or block hash in any file. Works on your local dev chain, no key, no sign-up.',
  ),
  categories: ['Visualization', 'Other'],
  keywords: ['ethereum', 'evm', 'blockchain', 'nft', 'aptos'],
  icon: 'media/icon.png',
  galleryBanner: { color: '#10151f', theme: 'dark' },
  pricing: 'Free',
  l10n: './l10n',
  homepage: `${REPOSITORY}#readme`,
  repository: { type: 'git', url: `${REPOSITORY}.git` },
  bugs: { url: `${REPOSITORY}/issues` },
  qna: `${REPOSITORY}/discussions`,
  // Nodes, keys and worker threads are where the workspace is, never in the browser.
  extensionKind: ['workspace'],
  // Hovers are for every language and scheme, so there is no language to wait for.
  activationEvents: ['onStartupFinished', 'onWebviewPanel:hexlens.inspector'],
  capabilities: {
    untrustedWorkspaces: {
      supported: 'limited',
      description: nlsText(
        'Hovers work, but nodes from the settings of this workspace and its compiler artifacts are not used until you trust it.',
      ),
      restrictedConfigurations: settingKeys.filter(key => 'restricted' in settings[key]),
    },
    virtualWorkspaces: true,
  },
} as const;
