// The files of the sample workspace that name what is on its chain.
import type { SampleStory } from './sampleChain.ts';

export function sampleFiles(story: SampleStory): ReadonlyMap<string, string> {
  const { deployer, alice, bob, token, implementation, vault, deposited, withdrawn, paid, failed, refused } = story;
  return new Map([
    [
      'START-HERE.md',
      `# Sixty seconds with HexLens

The chain of this folder is recorded: no node is needed, and nothing leaves your machine.

1. **Why did it fail?** Rest the pointer on the transaction hash ${failed}
   Its hover has the error and the line of Solidity. Click the line.
2. **Step through it.** "Debug" in the same hover: step in, step over, and back.
3. **What changed?** This deposit succeeded: tx ${deposited}
   Its page shows the calls and the state that changed, by the names of the variables.
4. **What is it?** ${vault} is the vault, a proxy.
   The hover names its implementation and your build of it. Save it: it has your name everywhere.

More to hover: \`deployments.json\`, \`scripts/payout.ts\`, \`logs/nightly.log\`, and the contracts themselves.
`,
    ],
    [
      'deployments.json',
      `${JSON.stringify({ chainId: 31337, deployer, token, vaultProxy: vault, vaultImplementation: implementation, users: { alice, bob } }, null, 2)}\n`,
    ],
    [
      'scripts/payout.ts',
      `// Pays what users asked for; run every night.
const token = '${token}';
const vault = '${vault}';

const payouts = [
  { to: '${alice}', amount: 20n * 10n ** 18n, txHash: '${withdrawn}' },
  { to: '${bob}', amount: 30n * 10n ** 18n, txHash: '${paid}' },
];

export { payouts, token, vault };
`,
    ],
    [
      'logs/nightly.log',
      `02:00:01 payout started by ${deployer}
02:00:02 tx ${withdrawn} confirmed in block 10
02:00:03 tx ${paid} confirmed in block 11
02:00:04 tx ${failed} reverted in block 12
02:00:09 tx ${refused} reverted in block 14
`,
    ],
    [
      'hardhat.config.ts',
      `import type { HardhatUserConfig } from 'hardhat/config';

const config: HardhatUserConfig = { solidity: '0.8.30' };
export default config;
`,
    ],
    [
      '.vscode/settings.json',
      `${JSON.stringify({ 'hexlens.nodes': { local: 'http://sample-chain.localhost' }, 'workbench.startupEditor': 'none' }, null, 2)}\n`,
    ],
  ]);
}
