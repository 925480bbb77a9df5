// Hashes that their text proves, and keys in the same frame, which stay on this machine.
import { describe, expect, it } from 'vitest';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { getPrivacyVerdict } from '../../../src/detect/privacy.ts';

const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';
const OTHER = '0x61d3a5f0e2c94b7d8f16a0b3c5e7d92840f6b1a3d5c7e9f8071625344352617a';
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Whether each value of 32 bytes is sent without a click; a file is its name and its text. */
function isSent(fileName: string, template: string): string {
  const text = template.replace(/\bH\b/g, HASH).replace(/\bK\b/g, OTHER).replace(/\bA\b/g, ADDRESS);
  return detectLiterals(text, { fileName })
    .filter(({ kind }) => kind === 'hash32')
    .map(literal => getPrivacyVerdict(literal, { isLocal: false, fileName }).decision === 'yes')
    .join();
}

/** H and K are values, A is an address. */
describe.each([
  {
    kind: 'what becomes of a transaction or block',
    file: 'a.log',
    proven: [
      'dropping tx H',
      'rejected tx H: nonce too low',
      'could not find transaction H',
      'Retrying transaction H with higher gas price',
      'header not found for block H',
      'Executing block H',
      '✓ tx H',
      'ok tx H gas 21000',
      'Transaction H from A to A value 1',
      'Transaction created: H',
      'Transaction timed out: H',
      'Transaction submitted (nonce 3): H',
      'Transaction submitted to mempool: H',
      'replaced transaction H by K',
      'could not replace existing tx (hash="H")',
      'WARN reorg detected: old_head=H new_head=K depth=2',
      'caller=txmgr.go:12 msg="Transaction successfully published" tx=H nonce=3',
    ],
    unproven: [
      'dropping signer K of tx 12',
      'retrying tx with key K',
      'fetched key for tx 12: K',
      'Transaction created by: K',
      'Transaction created with: K',
      'Transaction replaced by the relayer: K',
      'Transaction timed out, key: K',
      '✓ tx signed with K',
      'ok wallet K gas 21000',
      'Transaction failed. K again, with more gas?',
      'WARN reorg detected: signer=K new_head=12',
      'caller=main.go:12 msg="wallet loaded" tx=K',
    ],
  },
  {
    kind: 'a phrase whose noun is the transaction',
    file: 'a.md',
    proven: [
      'Hash of the block: `H`',
      'The transaction that drained the pool: `H`',
      'Block 19000001 has the hash `H`.',
      "The parent block's hash is `H`.",
      'Example transaction: `H`',
      'Affected tx: `H`',
      'The last transaction before the pause: `H`',
      'Transacción fallida: `H`',
      '- [ ] verify tx `H`',
      'Die Transaktion `H` ist im Block `K` enthalten.',
      'The contract is created in `H`.',
      '- Paused in `H`, resumed in `K`.',
      'The attack was executed in a single transaction, `H`',
      '2024-05-02 11:02:11 INFO  harvest() tx=H gas=210443',
    ],
    unproven: [
      'Example transaction signer: K',
      'Affected account: K',
      'The transaction that created the deployer: K',
      'The transaction that deployed the vault was sent with: K',
      "Hash of the deployer's transaction key: K",
      "The attacker's key is K",
      'First key of the attacker: K',
      'Verify the transaction with K',
      'Executing transactions as K',
      'Taken from wallet K',
      'It is stored in `K`.',
      'Logged in K',
      'The treasury was created in K by its owner',
      '2024-05-02 11:02:11 INFO  funded() tx=K',
    ],
  },
  {
    kind: 'the name of an option, a field or a form',
    file: 'a.txt',
    proven: [
      '@click.option("--tx-hash", default="H", help="Transaction to replay")',
      'program.option("--tx-hash <hash>", "transaction to trace", "H");',
      'flag.String("tx", "H", "transaction to trace")',
      'variable "deploy_tx_hash" {\n  description = "Transaction of the bridge"\n  default     = "H"\n}',
      'tx_hash = sys.argv[1] if len(sys.argv) > 1 else "H"',
      '<Input label="Transaction hash" name="txHash" value="H" />',
      '<input placeholder="Transaction hash" value="H">',
      '<tx-hash value="H" />',
      '#[arg(long, default_value = "H")]\ntx_hash: B256,',
      'describe "receipt" do\n  let(:tx_hash) { "H" }\n  it { expect(client.receipt(tx_hash)).to be_success }\nend',
    ],
    unproven: [
      '@click.option("--key", default="K", help="Transaction to replay")',
      'program.option("--signer <key>", "transaction to sign", "K");',
      'flag.String("tx-key", "K", "transaction to trace")',
      'parser.add_argument("--tx", default="K", help="key of the transaction")',
      'variable "deployer" {\n  description = "Transaction sender"\n  default     = "K"\n}',
      'signer = sys.argv[1] if len(sys.argv) > 1 else "K"',
      '<Input label="Private key" name="key" value="K" />',
      '<input placeholder="Transaction signer" value="K">',
      '<tx-signer value="K" />',
      '/// Transaction signer\n#[arg(long, default_value = "K")]\nsigner: B256,',
      'let(:signer) { "K" }',
    ],
  },
  {
    kind: 'a list, map or row of hashes',
    file: 'a.txt',
    proven: [
      'tx_hashes:\n  deposit: H\n',
      '[tx_hashes]\ndeposit = "H"\n',
      'const deployTxs: Record<string, string> = {\n  mainnet: "H",\n};',
      'export const transactions = {\n  legacy: "H",\n};',
      'txHashes := []string{"H", "K"}',
      'tx_hashes = %w[H K]',
      'TX_LIST=1\ntx_hashes=(H K)\n',
      'for tx in H K; do\n  cast run $tx --rpc-url $RPC\ndone',
      '# transaction hashes to replay\nH\nK\n',
      'await Promise.all(["H", "K"].map((hash) => client.getTransactionReceipt({ hash })));',
      'hashes := []common.Hash{common.HexToHash("H")}\nfor _, h := range hashes { client.TransactionReceipt(ctx, h) }',
      'tests := []struct {\n\tname string\n\ttxHash string\n}{\n\t{"swap", "H"},\n}',
      'it.each([\n  ["swap", "H"],\n])("%s", async (_, txHash) => {});',
      '#[case("H", 18_000_000)]\nfn replays_tx(#[case] tx_hash: &str, #[case] block: u64) {}',
      '{"columns":["tx_hash","block"],"rows":[["H",12],["K",13]]}',
      'record Fixture(long block, String txHash) {}\nvar f = new Fixture(12, "H");',
      '@dataclass\nclass Deposit:\n    tx_hash: str\n    amount: int\n\nDeposit("H", 1)',
    ],
    unproven: [
      'tx_hashes:\n  deployer: K\n',
      'tx_hashes:\n  deposit_by: K\n',
      '[transactions]\nmainnet = "K"\n',
      'export const signers: Record<string, string> = {\n  mainnet: "K",\n};',
      'signers = %w[K K]',
      'accounts := []string{"K", "K"}',
      'src := "txs := [][]string{{\\"K\\", \\"A\\"}}"',
      'for tx in K K; do\n  cast send --private-key $tx $TO\ndone',
      '# signers of the transactions\nK\nK\n',
      '# sending transactions\nK\n',
      'tx_hashes = ["K", "K"].map { |k| send_tx(k) }',
      'await Promise.all(["K", "K"].map((k) => sendTransaction(k)));',
      'tests := []struct{ name, key string }{\n\t{"swap", "K"},\n}',
      'it.each([\n  ["swap", "K"],\n])("%s", async (name, signer) => {});',
      '#[case(1, "K")]\nfn replays_tx(#[case] tx_hash: u64, #[case] signer: &str) {}',
      '{"columns":["tx_hash","signer"],"rows":[["a","K"]]}',
      'record Fixture(long block, String signer) {}\nvar f = new Fixture(12, "K");',
      '@dataclass\nclass Deposit:\n    signer: str\n    tx_hash: str\n\nDeposit("K", "")',
    ],
  },
  {
    kind: 'what sends or looks up transactions',
    file: 'a.txt',
    proven: [
      'sendTransaction: vi.fn().mockResolvedValue("H"),',
      'vi.spyOn(client, "sendTransaction").mockResolvedValue({ hash: "H", wait });',
      'mock.On("SendTransaction").Return("H")',
      'const hash = await client.writeContract(request);\nexpect(hash).toEqual("H");',
      'expect(await relay(message)).toEqual({ hash: "H" });',
      'const TX = "H";\nopen(`https://arbiscan.io/tx/${TX}`);',
      "$hash = 'H';\n$web3->eth->getTransactionByHash($hash, $callback);",
      'const hash = "H";\nawait aptos.waitForTransaction({ transactionHash: hash });',
      'var deployTx = "H"',
      '// https://basescan.org/tx/H has 400 logs',
      '{"type": "user_transaction", "hash": "H", "gas_used": "12", "success": true, "vm_status": "Executed successfully", "sender": "0x1", "max_gas_amount": "2000"}',
      'cast age H',
      'npx hardhat verify-tx H',
      'evmhash = make_evm_tx_hash("H")',
      'const logs = await getLogsOfTx("H");',
      'const summary = await summarizeTx(client, "H");',
      'const { events } = parseReceipt("H");',
      'const trace = await debugTrace("H");',
      'const calls = await getInternalTransactions("H");',
      'let receipt = client.receipt(b256!("H")).await?;',
      'val receipt = client.receipt(TxHash("H"))',
      'let details = try await web3.eth.transactionDetails(Data(hex: "H"))',
      'const decoded = await decodeTransaction({ chainId: 1, hash: "H" });',
      'let block = b256!("H");\nlet header = provider.header_by_hash(block)?;',
      'const HASH: &str = "H";\nlet receipt = provider.get_transaction_receipt(HASH.parse()?).await?;',
      'const hash = "H"\ntx, pending, err := client.TransactionByHash(ctx, common.HexToHash(hash))',
      'expect(result.hash).toEqual("H");',
      'expect(spy).toHaveBeenCalledWith({ hash: "H" });',
      'assertEquals("H", block.getHash());',
      "$this->assertEquals('H', $tx->hash);",
      '@pytest.fixture\ndef tx_hash():\n    return "H"',
      'MATCH (t:Transaction {hash: "H"}) RETURN t',
      '| Network | Address | Transaction |\n|---|---|---|\n| Base | `A` | `H` |',
    ],
    unproven: [
      'signTransaction: vi.fn().mockResolvedValue("K"),',
      'vi.spyOn(client, "sendTransaction").mockResolvedValue({ signer: "K", wait });',
      'mock.On("PrivateSigner").Return("K")',
      'expect(await exportWallet(account)).toEqual({ hash: "K" });',
      'const TX = "K";\nconst account = privateKeyToAccount(TX);\nopen(`https://etherscan.io/tx/${TX}`);',
      'var deployer = "K"',
      '// https://basescan.org/tx/K has 10 eth',
      '{"type": "account", "hash": "K", "success": true, "signer": "0x1", "max_gas_amount": "2000"}',
      'cast wallet address K',
      'npx hardhat sign-tx K',
      'evmkey = make_evm_tx_signer("K")',
      'make_tx("K")',
      'const tx = await client.transaction("K").send();',
      'const logs = await getLogsOf("K");',
      'const signer = await getSignerKeyOfTx("K");',
      'const wallet = parseWallet("K");',
      'const keys = await getInternalAccounts("K");',
      'let sent = client.sender(b256!("K")).await?;',
      'const sent = await encodeTransaction({ chainId: 1, signer: "K" });',
      'let block = b256!("K");\nlet header = provider.header_signed_by(block)?;',
      'const HASH: &str = "K";\nlet receipt = provider.send_transaction_from(HASH.parse()?).await?;',
      'expect(account.hash).toEqual("K");',
      'expect(createWallet).toHaveBeenCalledWith({ hash: "K" });',
      '@pytest.fixture\ndef tx_hash():\n    return "K"\n\ndef test(tx_hash): Account.from_key(tx_hash)',
      'MATCH (w:Wallet {hash: "K"}) RETURN w',
      '| Network | Address | Transaction signer |\n|---|---|---|\n| Base | `A` | `K` |',
      '| Account | Address | Transaction |\n|---|---|---|\n| deployer | `A` | `K` |',
    ],
  },
])('$kind', ({ file, proven, unproven }) => {
  it.each(proven)('proves %s', text => {
    expect(isSent(file, text)).toMatch(/^true(?:,true)*$/);
  });

  it.each(unproven)('does not prove %s', text => {
    expect(isSent(file, text)).not.toContain('true');
  });
});

describe('a comment that only names a transaction or block', () => {
  it.each([
    ['a.ts', '// tx: H'],
    ['a.py', '\n# block H\ndef f(): pass'],
    ['a.sql', '-- tx H'],
    ['a.c', '/** Block H */'],
  ])('proves it in code: %s %s', (file, text) => {
    expect(isSent(file, text)).toBe('true');
  });

  it.each([
    ['a.yaml', '# tx: K'],
    ['a.ts', '// wallet K'],
    ['a.ts', '// tx: K\nconst wallet = new Wallet(process.env.PK);'],
    ['a.py', '# signs tx K'],
    ['a.sol', '// deployer tx K'],
    ['a.rs', '/// sends tx K'],
    ['a.sql', '-- account K'],
  ])('proves nothing of an account, or in settings: %s %s', (file, text) => {
    expect(isSent(file, text)).not.toContain('true');
  });
});

describe('a bare tx among words of transactions only', () => {
  it.each([
    ['state.json', '{"lastTx":"H","lastBlock":12}'],
    ['a.json', '{"type":"tx","hash":"H"}'],
    ['a.ts', 'const approveTx = { hash: "H", chainId: 1 };'],
    ['a.ts', 'const examples = [\n  { title: "Uniswap swap", tx: "H" },\n];'],
    ['a.py', 'TX = "H"'],
    ['a.rs', 'const TX: &str = "H";'],
    ['a.go', '// same as tx H'],
    ['a.ts', '// mainnet: H (tx)'],
    ['a.csv', 'network,tx\nbase,H'],
    ['a.md', '| Network | Tx |\n|---|---|\n| Base | H |'],
    ['a.md', 'Reproduced with tx H (block 19,000,000)'],
    ['a.md', 'The block `H` was reorged out.'],
    ['a.md', '## Deployment on Sepolia\n\n- tx: H\n- gas used: 21000'],
    ['a.log', '[tx] H confirmed (12 blocks)'],
    ['a.log', 'tx=H status=1'],
    ['a.txt', 'My tx: H'],
  ])('is proven: %s %s', (file, text) => {
    expect(isSent(file, text)).toBe('true');
  });

  it.each([
    ['bots.json', '{"lastTx":"K","lastBlock":12}'],
    ['a.json', '{"bot":"mm","tx":"K","status":"success"}'],
    ['a.json', '{"address":"A","tx":"K"}'],
    ['a.json', '{"tx":"K","other":"K"}'],
    ['a.json', '{"hash":"K","chain":"base"}'],
    ['a.ts', 'const treasury = { hash: "K", chainId: 1 };'],
    ['a.ts', '// funded on Sepolia, used by the tests\nconst tx = "K";'],
    ['a.ts', '// mainnet: K (treasury)'],
    ['a.ts', '// treasury on base\n// tx K'],
    ['a.ts', '// treasury\nconst mainnet = {\n  tx: "K",\n};'],
    ['a.ts', 'const tx = Tx.new("K");'],
    ['a.py', 'my_tx = "K"'],
    ['a.yaml', 'tx: "K"'],
    ['a.toml', '[deploy]\ntx = "K"'],
    ['Dockerfile', 'ENV TX=K'],
    ['a.csv', 'tx\nK'],
    ['a.csv', 'team,tx\nops,K'],
    ['a.md', '| name | value |\n|---|---|\n| tx | K |'],
    ['a.md', '## Relayer\n\n- tx: K\n- gas used: 21000'],
    ['a.md', 'tx of the treasury: K'],
    ['a.log', 'loaded: tx=K'],
    ['a.log', 'tx=K'],
    ['a.txt', 'tx / K'],
    ['signers.txt', 'tx: K'],
  ])('is none beside anything else, and in settings: %s %s', (file, text) => {
    expect(isSent(file, text)).not.toContain('true');
  });
});
