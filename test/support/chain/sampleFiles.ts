// The files of the sample workspace, one function per file, as a real project on this chain would have them.
import { fromString } from 'ox/Hex';
import { getSignPayload } from 'ox/PersonalMessage';
import { sign } from 'ox/Secp256k1';
import { toHex } from 'ox/Signature';
import type { Hex } from '../../../src/base/hex.ts';
import { moveFiles } from './movePackageFiles.ts';
import type { BlockDescription, TestChain } from './testChain.ts';

/** Literals in the files that look like others. */
export interface SampleLiterals {
  /** An account with the case of one letter changed, so that its EIP-55 checksum is wrong (README.md). */
  readonly wrongChecksum: Hex;
  /** An address with its middle left out (README.md). */
  readonly masked: string;
  /** The same with three dots, as logs write it (transactions.log). */
  readonly maskedInLog: string;
  /** Anvil's first private key, which is public: it must never be looked up (.env). */
  readonly devPrivateKey: Hex;
  /** Longer than any hash (transactions.log). */
  readonly calldata: Hex;
  /** `transfer(address,uint256)` (scripts/check.ts). */
  readonly transferSelector: Hex;
}

/** Text by path relative to the workspace. */
export function getSampleFiles(chain: TestChain, literals: SampleLiterals): Map<string, string> {
  return new Map([
    ['README.md', readme(chain, literals)],
    ['deployments.json', deployments(chain)],
    ['scripts/check.ts', checkScript(chain, literals)],
    ['scripts/report.py', reportScript(chain)],
    ['contracts/Notes.sol', notesContract(chain)],
    ['config.yaml', config(chain)],
    ['transactions.log', log(chain, literals)],
    ['links.txt', links(chain)],
    ['.env', env(chain, literals)],
    ['sign-in.txt', signIn(chain)],
    ['sign-in-broken.txt', brokenSignIn(chain)],
    ...moveFiles,
  ]);
}

function readme(
  { accounts, vacant, contracts, transactions, blocks, head, chainId }: TestChain,
  literals: SampleLiterals,
): string {
  return `# A small NFT shop

Everything in this folder is on the local test chain (chain id ${chainId}, ${head.number} blocks). Move the mouse over any
address or hash.

| Contract | Address |
|---|---|
| Apes (ERC-721) | ${contracts.apes} |
| Art (ERC-721) | ${contracts.art} |
| Items (ERC-1155) | ${contracts.items} |
| Test Coin (ERC-20) | ${contracts.coin} |
| Test Dollar (ERC-20, 6 decimals) | ${contracts.usdx} |
| Vault | ${contracts.vault} |
| Seaport 1.6 | ${contracts.seaport} |

## People

- Alice ${accounts.alice} (shown as ${literals.masked} in the app)
- Bob ${accounts.bob}; once mistyped as ${literals.wrongChecksum}
- Carol \`${accounts.carol}\`
- ${accounts.idle} has ether and never spent any; no transaction ever used ${vacant}

## What happened

- The first ape was minted in transaction ${transactions.mintApe}.
- Dave bought ape 2 for 1 ETH: tx [${transactions.sale.slice(0, 10)}…](https://etherscan.io/tx/${transactions.sale}).
- This one failed: tx \`${transactions.failed}\`
- The busiest block is number ${blocks.busy.number}, block hash ${blocks.busy.hash}.
`;
}

function deployments({ chainId, contracts, transactions, accounts, blocks }: TestChain): string {
  return toJsonText({
    network: 'local',
    chainId,
    deployer: accounts.deployer,
    contracts: {
      Apes: { address: contracts.apes, transactionHash: transactions.creation, blockNumber: blocks.first.number },
      Art: { address: contracts.art },
      Items: { address: contracts.items },
      Coin: { address: contracts.coin, decimals: 18 },
      USDX: { address: contracts.usdx, decimals: 6 },
      Vault: { address: contracts.vault },
      Seaport: { address: contracts.seaport, transactionHash: transactions.creationOfSeaport },
    },
    startBlock: { number: blocks.first.number, hash: blocks.first.hash },
  });
}

function checkScript({ url, contracts, accounts, transactions, topics }: TestChain, literals: SampleLiterals): string {
  return `// Reads the first mint back from the chain and looks for its Transfer log.
const APES = '${contracts.apes}';
const COIN = '${contracts.coin}';
const TREASURY = "${accounts.fees}";

/** Transfer(address,address,uint256) */
const TRANSFER_TOPIC = '${topics.transfer}';
const transferSelector = '${literals.transferSelector}'; // transfer(address,uint256)

const mintTx = '${transactions.mintApe}';
const batchMintTx = \`${transactions.batchMint}\`;

interface Receipt {
  status: string;
  logs: { address: string; topics: string[] }[];
}

async function receiptOf(hash: string): Promise<Receipt> {
  const response = await fetch(process.env.RPC_URL ?? '${url}', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] }),
  });
  return (await response.json()).result;
}

for (const hash of [mintTx, batchMintTx]) {
  const receipt = await receiptOf(hash);
  const transfers = receipt.logs.filter(log => log.topics[0] === TRANSFER_TOPIC);
  console.log(hash, receipt.status === '0x1' ? 'succeeded' : 'failed', transfers.length, 'transfers');
}
console.log({ APES, COIN, TREASURY, transferSelector });
`;
}

function reportScript({ contracts, accounts, transactions }: TestChain): string {
  return `"""Prints who was paid through the vault."""

VAULT = "${contracts.vault}"
WATCHED = [
    "${accounts.bob}",  # Bob
    "${accounts.erin.toLowerCase()}",  # Erin, in lower case
]

# the nested payment: vault -> three forwarders -> Erin
PAYMENT_TX_HASH = "${transactions.internal}"
PURSES_TX_HASH = 0x${transactions.internalCreate.slice(2)}

if __name__ == "__main__":
    for wallet in WATCHED:
        print(f"{wallet} was paid by {VAULT} in {PAYMENT_TX_HASH}")
`;
}

function notesContract({ contracts, accounts, transactions }: TestChain): string {
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// The live Items contract is ${contracts.items};
// its first batch was minted by ${accounts.deployer} in tx ${transactions.batchMint}.
contract Notes {
    address constant ITEMS = ${contracts.items};
    address payable constant FEES = payable(${accounts.fees});

    /// @dev burned for good: see tx ${transactions.burnItems}
    address constant BURN = 0x000000000000000000000000000000000000dEaD;

    function isItems(address token) external pure returns (bool) {
        return token == ITEMS && token != address(0x0000000000000000000000000000000000000000);
    }
}
`;
}

function config({ url, chainId, contracts, accounts, blocks, genesisHash, topics }: TestChain): string {
  return `# Where the indexer begins and what it watches.
network:
  name: local
  chain_id: ${chainId}
  rpc: ${url}
  genesis_block_hash: "${genesisHash}"
start_block: ${blocks.first.number}
start_block_hash: ${blocks.first.hash}
contracts:
  - name: Coin
    address: "${contracts.coin}"
    topic0: "${topics.transfer}"
  - name: Vault
    address: ${contracts.vault}
wallets: [${accounts.alice}, ${accounts.dave}]
`;
}

function log(chain: TestChain, literals: SampleLiterals): string {
  const { accounts, contracts, transactions, blocks } = chain;
  const time = ({ timestamp }: BlockDescription) => new Date(timestamp * 1000).toISOString();
  const at = time(blocks.transfers);
  return [
    `${time(blocks.first)} INFO  deployed apes at ${contracts.apes} tx=${transactions.creation} block=${blocks.first.number}`,
    `${at} INFO  new block number=${blocks.transfers.number} blockHash=${blocks.transfers.hash} txs=${blocks.transfers.transactions}`,
    `${at} INFO  transfer tx=${transactions.transferCoin} from=${accounts.alice} to=${accounts.bob} value=12.5`,
    `${at} DEBUG input=${literals.calldata}`,
    `${at} INFO  sent ape 1 to ${literals.maskedInLog} tx=${transactions.transferApe}`,
    `${time(blocks.internal)} INFO  payout tx=${transactions.internal} status=ok`,
    `${time(blocks.failures)} ERROR tx=${transactions.failed} reverted: TooMuch(uint256,uint256) vault=${contracts.vault}`,
    `${time(blocks.sales)} INFO  sale tx=${transactions.sale} block hash ${blocks.sales.hash}`,
    '',
  ].join('\n');
}

function links({ accounts, contracts, transactions, blocks }: TestChain): string {
  return `Links to look at before the release:

https://etherscan.io/tx/${transactions.sale}
https://etherscan.io/tx/${transactions.bundle}#eventlog
https://etherscan.io/address/${contracts.apes}#code
https://etherscan.io/token/${contracts.coin}?a=${accounts.alice}
https://etherscan.io/block/${blocks.busy.number}
https://etherscan.io/block/${blocks.failures.number}
https://polygonscan.com/block/${blocks.sales.hash}
`;
}

function env({ url, accounts }: TestChain, literals: SampleLiterals): string {
  return `# Anvil's first account: its key is public and worth nothing.
RPC_URL=${url}
DEPLOYER=${accounts.deployer}
PRIVATE_KEY=${literals.devPrivateKey}
`;
}

/** Anvil's second private key, which is public. */
const SIGNER_KEY: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const SIGNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export function signIn({ chainId }: TestChain): string {
  const message = `shop.example wants you to sign in with your Ethereum account:
${SIGNER}

Sign in to the NFT shop.

URI: https://shop.example/login
Version: 1
Chain ID: ${chainId}
Nonce: k5Yw2PqT8mZr
Issued At: 2026-01-15T09:30:00.000Z
Expiration Time: 2126-01-15T09:30:00.000Z
Request ID: visit-42
Resources:
- https://shop.example/terms
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/`;
  const signature = sign({ payload: getSignPayload(fromString(message)), privateKey: SIGNER_KEY });
  return `${message}\n\nSignature: ${toHex(signature)}\n`;
}

/** With common mistakes: two fields in the wrong order, and one letter of the address in the wrong case. */
function brokenSignIn(chain: TestChain): string {
  return signIn(chain)
    .replace(SIGNER, SIGNER.replace('dc3A', 'dc3a'))
    .replace(/^(Version: .*)\n(Chain ID: .*)$/m, '$2\n$1');
}

export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
