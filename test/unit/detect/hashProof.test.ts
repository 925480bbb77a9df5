// Which hashes the text next to them proves, so that they are looked up without a click.
import { describe, expect, it } from 'vitest';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import type { TextSource } from '../../../src/detect/literalContext.ts';
import { getPrivacyVerdict } from '../../../src/detect/privacy.ts';
import { findTableHeader } from '../../../src/detect/tableColumns.ts';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';

const OTHER = '0x61d3a5f0e2c94b7d8f16a0b3c5e7d92840f6b1a3d5c7e9f8071625344352617a';

const decide = (text: string, source: TextSource = {}): string =>
  detectLiterals(text, source)
    .map(literal => getPrivacyVerdict(literal, { isLocal: false, fileName: source.fileName }).decision)
    .join();

describe('columns of a CSV file', () => {
  const fileName = 'list.csv';
  const rows = (count: number) => `${HASH},1\n`.repeat(count);

  it('are those of the table that the row is in, however long it is', () => {
    expect(decide(`tx_hash,n\n${rows(2)}`, { fileName })).toBe('yes,yes');
    expect(decide(`signer,n\n${rows(2)}\ntx_hash,n\n${rows(1)}`, { fileName })).toMatch(/,yes$/);
    expect(decide(`tx_hash,n\n${rows(1)}\nsigner,n\n${rows(300)}`, { fileName })).toBe(`yes${',click'.repeat(300)}`);
  });

  it('are beside a column of keys, whose name says it by itself', () => {
    expect(decide(`tx_hash,block,key\n${HASH},,\n`, { fileName })).toBe('click');
    expect(decide(`tx_hash,block,log\n${HASH},,\n`, { fileName })).toBe('yes');
  });

  it('are given where the text is a part of the file', () => {
    expect(decide(rows(1), { fileName, tableHeader: 'tx_hash,n' })).toBe('yes');
    expect(decide(rows(1), { fileName, tableHeader: 'signer,n' })).toBe('click');
    expect(decide(`tx_hash,n\n${rows(1)}`, { fileName, tableHeader: null })).toBe('click');
  });

  it('have their names below a blank line, or in the nearest line without digits', () => {
    const row = `${HASH},1`;
    expect(findTableHeader([row, row, 'signer,n', row, 'tx_hash,n', ''])).toBe('signer,n');
    expect(findTableHeader([row, 'tx_hash,count2', '', 'signer,n'])).toBe('tx_hash,count2');
    expect(findTableHeader([row, row])).toBeNull();
  });
});

describe('values of an INSERT', () => {
  const INSERT = 'INSERT INTO transactions (tx_hash, note) VALUES';
  it.each([
    `${INSERT} ('${HASH}', 'swap'), ('${HASH}', 'mint')`,
    `${INSERT} ('${HASH}', 'swap (v3)'), ('${HASH}', 'mint')`,
    `${INSERT} ('${HASH}', 'a ) b'),\n  -- a transaction that isn't the last (\n  ('${HASH}', 'mint')`,
    `${INSERT} ('${HASH}', 'it''s (new'), ('${HASH}', 'mint')`,
    `${INSERT} ('${HASH}', 'it\\'s, new'), ('${HASH}', 'mint')`,
    `${INSERT} ('${HASH}', CAST(round(1.5, 0) AS numeric)), ('${HASH}', 'mint')`,
    `INSERT INTO transactions (note, tx_hash) VALUES ('a (b, c)', '${HASH}'), (left('ab', 1), x'${HASH.slice(2)}')`,
  ])('are proven by the names of the columns: %s', text => {
    expect(decide(text)).toBe('yes,yes');
  });

  it.each([
    `INSERT INTO transactions (tx_hash, note) VALUES ('0x00', '${HASH}')`,
    `${INSERT} ('0x00', 'a'); SELECT pay('${HASH}')`,
    `${INSERT} ('0x00', 'a') ON CONFLICT (id) DO UPDATE SET x = f('${HASH}')`,
    `${INSERT} (sign('${HASH}'), 'a')`,
    `${INSERT} ('0x00', 'a')", ('${HASH}', 'b')`,
    `${INSERT} ('0x00', 'a')) + use('${HASH}')`,
    `${INSERT} ('${HASH.slice(0, 10)} ${HASH}', 'a')`,
    `${INSERT} ( -- paid by ${HASH}\n '0x00', 'a')`,
    `${INSERT} ('0x00', 'a'), -- bob\n ( -- deployer\n '${HASH}', 'b')`,
    `INSERT INTO payments (note, tx_hash) VALUES ('a', -- ${HASH}\n '0x00')`,
    `INSERT INTO payments (note, tx_hash) VALUES ('a', '0x00'), ('b', -- bob, ${HASH}`,
    `${INSERT} ('0x00', 'a') ('${HASH}', 'b')`,
    `${INSERT} ('0x00', 'a') 'b, ' ('${HASH}', 'b')`,
  ])('are not proven in another column, call or statement: %s', text => {
    expect(decide(text)).not.toContain('yes');
  });
});

/** A key in the block of the object, so that the name of a hash alone proves nothing. */
const KEYS = "const privateKey = load('main');\nconst page = 1;\n";

describe('fields that nodes give', () => {
  it.each([
    `{ "hash": "${HASH}", "from": "0x00", "gas": "0x5208", "gasPrice": "0x1", "input": "0x", "nonce": "0x1" }`,
    `{"address":"0x00","blockNumber":"0x1","logIndex":"0x2","topics":[],"transactionHash":"${HASH}"}`,
    `String log = "{\\"address\\":\\"0x00\\",\\"blockNumber\\":\\"0x1\\",\\"logIndex\\":\\"0x2\\",\\"topics\\":[],\\"transactionHash\\":\\"${HASH}\\"}";`,
    `BlockHeader(\n  hashHex: Data(hex: "${HASH}")!,\n  stateRoot: Data(hex: "0x00")!,\n  receiptsRoot: Data(hex: "0x01")!, gasUsed: 0)`,
    `%{\n  block_hash: "${HASH}",\n  gas_used: 21_000,\n  parent_hash: "0x00",\n  state_root: "0x01"\n}`,
  ])('prove the hash of a transaction, log or block in a file about keys: %s', text => {
    expect(decide(`${KEYS}${text}`)).toBe('yes');
  });

  it.each([
    `{ "hash": "${HASH}", "from": "0x00", "gas": "0x5208", "gasPrice": "0x1", "input": "0x", "signingKey": "main" }`,
    `wallets = [{ hash: '${HASH}', blockNumber: 1, gasUsed: 2, from: '0x00', nonce: 1 }];`,
    `{ data: '${HASH}', blockNumber: 1, gasUsed: 2, from: '0x00', nonce: 1 }`,
    `// burner wallet\n{ hash: '${HASH}', blockNumber: 1, gasUsed: 2, from: '0x00', nonce: 1 }`,
    `{ txHash: '${HASH}', chainId: 1, gasPrice: 2 }`,
    `{ txHash: '${HASH}', blockNumber: 1, gasUsed: 2, topics: [], pk: 'main' }`,
    `createSignedTransaction({ hash: '${HASH}' })`,
  ])('prove nothing beside a key, in a list of accounts, below a remark, or under another name: %s', text => {
    expect(decide(`${KEYS}${text}`)).not.toBe('yes');
  });
});

describe('conversions', () => {
  it.each([
    `let genesisBlockHash = Data(hex: "${HASH}")!`,
    `tx_hash = HexBytes(hexstr="${HASH}")`,
    `assert_eq!(tx.hash(), &b256!("${HASH}"));`,
    `XCTAssert(receipt!.transactionHash.toHexString().addHexPrefix() == "${HASH}")`,
    `pub const MAIN_GENESIS_HASH: B256 =\n    b256!("${HASH}");`,
    `XCTAssertEqual(receipt.blockHash,\n               Data.fromHex("${HASH}"))`,
    `assert_eq!(\n    receipt.transaction_hash,\n    Some(b256!("${HASH}"))\n);`,
    `expect(tx.hash).to eq Util.remove_hex_prefix "${HASH}"`,
    `Hash do bloco: ${HASH}`,
  ])('leave the name of a hash what it is: %s', text => {
    expect(decide(text)).toBe('yes');
  });

  it.each([
    `let signer = PrivateKey(Data(hex: "${HASH}")!)`,
    `let key = Data(hex: "${HASH}")!`,
    `let txHash = sign(hex: "${HASH}")`,
  ])('leave a key what it is: %s', text => {
    expect(decide(text)).not.toBe('yes');
  });
});

describe('arguments of calls whose name says that they take a hash', () => {
  it.each([
    `rows = [(deserialize_evm_tx_hash('${HASH}'), 1)]`,
    `debug_trace_transaction_call(\n    b256!("${HASH}"),\n    options,\n)`,
    `w3.eth.replace_transaction(\n    HexStr(\n        "${HASH}"\n    ),\n    params)`,
    `status = api.txs().statusExec("${HASH}")`,
    `await waitForTransactionReceipt(\n  context,\n  '${HASH}',\n  FORMAT,\n);`,
    `builder.parentHash(\n    Hash.fromHexString("${HASH}"));`,
    `assert.Equal(\n\tt,\n\tcommon.HexToHash("${HASH}"),\n\ttxHash,\n)`,
  ])('are proven: %s', text => {
    expect(decide(text)).toBe('yes');
  });

  it.each([
    `deployer = parse_tx_hash("${HASH}")`,
    `sign_and_trace_transaction(\n    b256!("${HASH}"),\n    options,\n)`,
    `w3.eth.send_transaction(\n    HexStr(\n        "${HASH}"\n    ),\n    params)`,
    `status = api.txs().send("${HASH}")`,
    `await waitForTransaction(\n  sendFrom('${HASH}'),\n  1,\n);`,
    `builder.signer(\n    Hash.fromHexString("${HASH}"));`,
    `assert.Equal(\n\tt,\n\tcommon.HexToHash("${HASH}"),\n\tconfig.Deployer,\n)`,
    `assert HexBytes("${HASH}") in block.signers`,
    `deployTx := deploy(\n\tctx,\n\tcommon.HexToHash("${HASH}"),\n)`,
  ])('are not proven where it takes or names anything else: %s', text => {
    expect(decide(text)).not.toContain('yes');
  });
});

describe('comments, examples, conditions, commands and records', () => {
  const decideHashes = (text: string) =>
    detectLiterals(text)
      .filter(({ kind }) => kind === 'hash32')
      .map(literal => getPrivacyVerdict(literal, { isLocal: false, fileName: undefined }).decision)
      .join();

  it.each([
    `foo();\n// tx: ${HASH}\nbar();`,
    `startBlock: 18 # created in tx ${HASH}`,
    `TransactionHash:\n  type: string\n  example: "${HASH}"\nAddress:\n  type: string`,
    `cast access-list --block ${HASH} ${ADDRESS}`,
    `{\n  "MailboxFacet": {\n    "address": "${ADDRESS}",\n    "txHash": "${HASH}"\n  }\n}`,
    `{\n  "accountStartNonce": "0x0",\n  "minGasLimit": "0x1388",\n  "forkCanonHash": "${HASH}"\n}`,
    `// account\n{ "blockHash": "${HASH}", "blockNumber": 1, "logIndex": 2, "gasUsed": 3, "topics": [] }`,
  ])('prove a hash: %s', text => {
    expect(decideHashes(text)).toMatch(/^yes(?:,yes)?$/);
  });

  it.each([
    `foo();\n// tx: ${HASH}\nprivateKeyToAccount(tx);`,
    `// tx: ${HASH}\n// from: ops`,
    `{\n  name: 'alice',\n  // tx: ${HASH}\n  balance: '100',\n}`,
    `const tx = isTest ? '${HASH}' : '${HASH}';`,
    `blockHash: wallet === owner ? '${HASH}' : key,`,
    `/tx/{key}:\n  get:\n    parameters:\n      - name: key\n        in: path\n        example: "${HASH}"`,
    `deployer: ops # created in tx ${HASH}`,
    `wallet transactions ${HASH}`,
    `mytool receipts --key ${HASH}`,
    `cast send --block ${HASH}`,
    `{\n  "HotWallet": {\n    "address": "${ADDRESS}",\n    "txHash": "${HASH}"\n  }\n}`,
    `{ "keys": {\n  "MainFacet": {\n    "address": "${ADDRESS}",\n    "txHash": "${HASH}"\n  }\n} }`,
    `{ "account": "ops", "forkSignerHash": "${HASH}" }`,
  ])('prove nothing beside accounts and keys: %s', text => {
    expect(decideHashes(text)).not.toContain('yes');
  });
});

describe('what tools print and documents say', () => {
  it.each([
    `Transaction sent: ${HASH}\n  Gas price: 13.0 gwei   Gas limit: 21000   Nonce: 3`,
    `Block 467,028 - could not fetch transaction data for transaction ${HASH}`,
    `Its event is at block 24290495, transaction\n\`${HASH}\`,\nfor 30 ETH.`,
    `- transaction:\n  \`${HASH}\`;`,
    `* Block Hash (Mainnet): ${HASH}`,
    `[upgrade](https://openchain.xyz/trace/ethereum/${HASH})`,
    `$eth->getUncleCountByBlockHash('${HASH}', function ($err, $count) {`,
    `const tx = api.getBlock({\n  blockNumberOrHash: '${HASH}',\n});`,
    ` * @example\n * burn.transactionHash // "${HASH}"`,
    `console.log(receipt.blockHash); // => ${HASH}`,
    `let header = w3.ethGetHeaderByHash('${HASH}');`,
    `// The boost of the vault was cancelled in tx\n// ${HASH}, so it is left out.`,
    `Function Call Trace: ${HASH}\n  Contract: Vault`,
    `Call trace for '${HASH}':\nVault.pause 0:244`,
    `Traces for ${HASH}:\n  [52345] Vault::pause()`,
    `The trace of ${HASH} is wrong`,
    `const response = await node.debug.traceTransaction(\n  '${HASH}',\n);\nuseKey(response);`,
    `tx_hash=(tx_hash := deserialize_evm_tx_hash(\n    '${HASH}',\n))`,
    `assert MAIN_GENESIS_HEADER.hash == decode_hex(\n    "${HASH}"\n)`,
    `{"method":"debug_getRawTransaction","params":["${HASH}"]}`,
    `{"request": "{transaction (hash : \\"${HASH}\\") { status } }"}`,
  ])('proves a hash: %s', text => {
    expect(decide(text)).toBe('yes');
  });

  it.each([
    `import the key\n- wallet:\n  \`${HASH}\``,
    `<Account object '${HASH}'>`,
    `>>> w3.eth.account.sign_transaction(tx, key)\n'${HASH}'`,
    `Transaction sent from: ${HASH}`,
    `console.log(signer.privateKey); // => ${HASH}`,
    `let user = store.findAccountByHash('${HASH}');`,
    `Function Call Trace: ${HASH}`,
    `## Call trace: ${HASH}\n\nThe contract is paused.`,
    `Call trace: ${HASH}\nsee below`,
    `Trace of ${HASH}`,
    `Traces for ${HASH}:\nnone`,
    `// Paid by the owner, who signs each tx\n// with ${HASH}`,
    `{"method":"eth_sendRawTransaction","params":["${HASH}"]}`,
  ])('proves no hash: %s', text => {
    expect(decide(text)).not.toBe('yes');
  });
});

describe('hashes by which nodes find nothing', () => {
  it.each([
    `"Vault.sol": { "keccak256": "${HASH}", "license": "MIT" }`,
    `uint256 private constant PAUSE_TOPIC_0 = ${HASH};`,
    `absolutePrestate = "${HASH}"`,
    `// WatchPaused is a subscription that binds the contract event ${HASH}.`,
    `bytes32 constant rootNamehash = ${HASH};`,
  ])('are never sent: %s', text => {
    expect(decide(text)).toBe('never');
  });
});

describe('seeds of a database', () => {
  it.each([
    ['dex_trades_seed.csv', 'yes'],
    ['seeds/dex_swap_seed.csv', 'yes'],
    ['wallet_seed.csv', 'never'],
    ['seed.csv', 'never'],
    ['my_seed.txt', 'never'],
  ])('are no secrets of an account: %s', (fileName, expected) => {
    expect(decide(`chain,tx_hash,block_number\nbase,${HASH},1\n`, { fileName })).toBe(expected);
  });
});

describe('files that OpenZeppelin writes', () => {
  it.each([
    ['.openzeppelin/base.json', 'yes'],
    ['settings/base.json', 'click'],
  ])('have hashes of the deployment of an admin: %s', (fileName, expected) => {
    const text = `{ "admin": { "address": "${ADDRESS}", "txHash": "${HASH}" } }`;
    expect(decide(text, { fileName })).toBe(`yes,${expected}`);
  });
});

describe('the journal of Ignition', () => {
  it('has the hash of what was sent, whatever its strategy is called', () => {
    const text = [
      '{"contractName":"Vault","futureId":"Vault#Vault","strategy":"basic","type":"DEPLOYMENT_EXECUTION_STATE_INITIALIZE"}',
      `{"futureId":"Vault#Vault","networkInteractionId":1,"nonce":5,"transaction":{"fees":{},"hash":"${HASH}"},"type":"TRANSACTION_SEND"}`,
    ].join('\n\n');
    expect(decide(text, { fileName: 'ignition/deployments/chain-1/journal.jsonl' })).toBe('yes');
  });
});

describe('commands of cast', () => {
  it.each([
    `cast tx  ${HASH}`,
    `cast  receipt ${HASH}`,
    `cast run -r http://127.0.0.1:8545 ${HASH}`,
    `cast run -r $RPC -c mainnet ${HASH}`,
    `cast run -vvvv ${HASH}`,
    `cast run --quick --decode-internal ${HASH}`,
    `cast run --evm-version shanghai  ${HASH}`,
    `cast run --rpc-url  $RPC ${HASH}`,
    `cast run --rpc-url=$RPC\t"${HASH}"`,
    `cast run \\\n  --rpc-url $RPC \\\n  ${HASH}`,
    `cast run \\\r\n  ${HASH}`,
    `cast receipt --rpc-url=http://127.0.0.1:8545 -- '${HASH}'`,
    `echo cast tx; cast run --quick ${HASH}`,
  ])('take a hash: %s', text => {
    expect(decide(text)).toBe('yes');
  });

  it.each([
    `cast run --private-key ${HASH}`,
    `cast run --private-key  ${HASH}`,
    `cast run --private-key=${HASH}`,
    `cast run --private-key \\\n  ${HASH}`,
    `cast run -q --private-key "${HASH}"`,
    `cast tx -r $RPC --private-key ${HASH}`,
    `cast tx -r --private-key ${HASH}`,
    `cast run --jwt-secret ${HASH}`,
    `cast run --jwt-secret=${HASH}`,
    `cast run --unknown ${HASH}`,
    `cast run -r ${HASH}`,
    `cast run --rpc-url ${HASH}`,
    `cast run -q\n${HASH}`,
    `cast receipt\n${HASH}`,
    `signer for cast run: ${HASH}`,
    `$ cast wallet new # not cast tx\n${HASH}`,
    `cast run -q; ./send ${HASH}`,
    `cast run -q=${HASH}`,
    `cast tx-signer ${HASH}`,
    `cast send ${HASH}`,
  ])('do not prove one in another place: %s', text => {
    expect(decide(text)).not.toBe('yes');
  });
});

describe('a hash', () => {
  it.each([
    ['in a list below its heading', `### Attack transactions\n\n1. ${HASH}\n2. ${HASH}`, 'yes,yes'],
    ['below a line in bold', `**Transaction hash**\n${HASH}`, 'yes'],
    ['in a list of YAML', `transactions:\n  - ${HASH}\n`, 'yes'],
    [
      'beside the address and block of a deployment',
      `token:\n  tx: "${HASH}"\n  address: "${ADDRESS}"\n  block: 12`,
      'yes,yes',
    ],
    ['behind the address of a contract', `- Token: \`${ADDRESS}\` (tx \`${HASH}\`)`, 'yes,yes'],
    ['that is waited for', `waiting for ${HASH} to be mined`, 'yes'],
    ['that is traced', `Tracing ${HASH} crashes the node.`, 'yes'],
    ['in a sentence about it', `Confirmed in block 123: ${HASH}`, 'yes'],
    ['that a sentence is about', `In transaction ${HASH}, the bot paid 2 ETH.`, 'yes'],
    ['that ran out of gas', `tx ${HASH} ran out of gas`, 'yes'],
    ['that was reorganized', `reorg detected at block 100: old=${HASH} new=${HASH}`, 'yes,yes'],
    ['of a deployment in a sentence', `Deploy tx: \`${HASH}\``, 'yes'],
    ['with its time', `{ type: 'deposit', hash: '${HASH}', timestamp: 1700000000 }`, 'yes'],
    ['in a loop', `for h in ["${HASH}"]:\n    w3.eth.get_transaction_receipt(h)`, 'yes'],
    ['whose name is looked up, whatever it is', `const first = '${HASH}';\nawait getTransaction(first);`, 'yes'],
    [
      'that is traced by a request',
      `const TX = '${HASH}';\nrequest({ method: 'debug_traceTransaction', params: [TX] });`,
      'yes',
    ],
    ['in an update', `UPDATE blocks SET canonical = false WHERE hash = '${HASH}';`, 'yes'],
    ['in a query of MongoDB', `db.transactions.findOne({ hash: "${HASH}" })`, 'yes'],
    ['of a test', `mockSendTransaction.mockResolvedValue('${HASH}');`, 'yes'],
    ['of a cheatcode', `bytes32 constant TX = ${HASH};\nvm.transact(TX);`, 'yes'],
    ['with the parties of a transaction', `{ hash: '${HASH}', from: 'a', to: 'b', value: 0n }`, 'yes'],
    ['in a table of fields', `| Field | Example |\n|---|---|\n| \`blockHash\` | \`${HASH}\` |`, 'yes'],
    ['in a schema', `transactionHash:\n  type: string\n  example: "${HASH}"`, 'yes'],
    ['of a parameter', `- name: txHash\n  in: path\n  example: "${HASH}"`, 'yes'],
    ['in a query', `SELECT * FROM \`crypto.transactions\`\nWHERE \`hash\` = '${HASH}'`, 'yes'],
    ['in Rust', `let hash = b256!("${HASH.slice(2)}");\nget_transaction_receipt(hash).await`, 'yes'],
    ['in a story', `export const A = { args: { txHash: '${HASH}', chainId: 1 } };`, 'yes'],
  ])('%s is proven by that', (_, text, expected) => {
    expect(decide(text)).toBe(expected);
  });
});

it('is proven below the address of an attacker, whose keys the writer does not have', () => {
  expect(decide(`// Attacker : ${ADDRESS}\n// Txhash : ${HASH}`)).toBe('yes,yes');
});

it('is not proven behind the address of an account', () => {
  expect(decide(`- Deployer: \`${ADDRESS}\` (tx \`${HASH}\`)`)).toBe('yes,click');
});

const KEY = `0x${'4c'.repeat(16)}${'a7'.repeat(16)}`;

describe('names of hashes', () => {
  it.each([
    `string trHash = "${HASH}";`,
    `const depositHash = '${HASH}';`,
    `bytes32 internal constant DEPLOY_TX = ${HASH};`,
    `const TEST_TX = '${HASH}';`,
    `blockTag: '${HASH}'`,
    `&MiniHeader{\n\tNumber: 5,\n\tHash: ethcommon.HexToHash("${HASH}"),\n\tParentHash: gethCommon.HexToHash("0x00"),\n\tGasUsed: 0,\n}`,
    `env:\n  FORK_BLOCK_HASH: "${HASH}"`,
    `https://scan.build/tx/${HASH}`,
  ])('need nothing else: %s', text => {
    expect(decide(text)).toBe('yes');
  });

  it.each([
    `private_hash = "${HASH}"`,
    `const ownerHash = '${HASH}';`,
    `TEST_TX=${HASH}`,
    `deploy_tx: "${HASH}"`,
    `env:\n  BLOCK_HASH: "${HASH}"`,
    `INFO Hash: ${HASH}`,
  ])('are no proof where they may be those of accounts and settings: %s', text => {
    expect(decide(text)).not.toBe('yes');
  });
});

describe('the field that a test compares 32 bytes with', () => {
  it.each([
    `expect(tx.hash).to.equal('${HASH}');`,
    `expect(receipt.transactionHash, 'of the first').toBe(\n  '${HASH}',\n);`,
    `chai\n  .expect(block.parentHash)\n  .equals(\n    '${HASH}',\n  );`,
    `expect(tx.hash).to eq "${HASH}"`,
    `assert.strictEqual(\n  // @ts-ignore\n  tx.hash.toString(),\n  '${HASH}'\n);`,
    `block.hash shouldBe "${HASH}"`,
  ])('proves that they are a hash: %s', text => {
    expect(decide(`const wallet = load();\n${text}`)).toBe('yes');
  });

  it.each([
    `expect(receipt.transactionHash).toBe(pay('${HASH}'));`,
    `expect(wallet.txHash).toBe('${HASH}');`,
    `expect(tx.data).toBe('${HASH}');`,
  ])('proves nothing in other calls, of accounts and of other fields: %s', text => {
    expect(decide(text)).not.toBe('yes');
  });
});

describe('a key beside it that has a name of its own', () => {
  const decideAll = (text: string) =>
    detectLiterals(text).map(literal => getPrivacyVerdict(literal, { isLocal: false }).decision);

  it.each([
    [`{ "name": "alice", "hex": "${KEY}", "firstTxHash": "${HASH}" }`, ['click', 'yes']],
    [`deployer: "${KEY}"\ntx_hash: "${HASH}"`, ['click', 'yes']],
    [`node_key: "${KEY}"\ngenesis_hash: "${HASH}"`, ['never', 'yes']],
  ])('leaves the hash proven: %s', (text, decisions) => {
    expect(decideAll(text)).toEqual(decisions);
  });

  it.each([
    `{ "name": "alice", "txHash": "${HASH}" }`,
    `deployer: "main"\ntx_hash: "${HASH}"`,
    `| Account | Tx hash |\n|---|---|\n| deployer | ${KEY} |\n| bob | ${HASH} |`,
  ])('is needed for that: %s', text => {
    expect(decideAll(text)).not.toContain('yes');
  });
});

describe('the comment above a value', () => {
  it.each([
    `# хеш транзакции пополнения\nlast = "${HASH}"`,
    `// 部署交易哈希\nconst deployed = '${HASH}';`,
    `/** Transaction in which the vault was funded. */\nexport const fundedIn: Hash = '${HASH}';`,
  ])('proves that it is a hash: %s', text => {
    expect(decide(text)).toBe('yes');
  });

  it.each([
    `// sends the tx hash\nconst k = '${HASH}';`,
    `// tx hash of the deployer\nconst last = '${HASH}';`,
    `op: ${HASH} # the tx hash is in notes`,
    `// block of the reveal: 19000100\nconst salt = '${HASH}';`,
    `# deployment block: 19000100\ndev = "${HASH}"`,
    `// transaction of the test\nconst dev = '${HASH}';`,
  ])('proves nothing where it is about what else is done: %s', text => {
    expect(decide(text)).not.toBe('yes');
  });
});

it.each([
  `"networks": { "4": { "events": {}, "links": {}, "address": "0x00", "transactionHash": "${HASH}" } }`,
  `"exitOracle": { "implementation": { "address": "0x00", "contract": "a/Oracle.sol", "deployTx": "${HASH}", "constructorArgs": [1] } }`,
])('what deployment tools write about a contract proves the hash of its transaction: %s', text => {
  expect(decide(text)).toBe('yes');
});

it.each([`await transact('${HASH}', { value: 1n });`, `transact ${HASH} $to 1`])(
  'what is passed to a function or program that sends a transaction is no report of one: %s',
  text => {
    expect(decide(text)).toBe('click');
  },
);

it.each(['hex', 'b', 'f', 'u8', '0', '31337'])('an entry named %s has not the name of the entry before it', key => {
  expect(decide(`{"txHash": "${HASH}", "${key}": "${OTHER}"}`)).toBe('yes,click');
  expect(decide(`{"txHash": "${HASH}", "${key}": ["${OTHER}"]}`)).toBe('yes,click');
});

it.each([`- produces blocks \`${HASH}\``, `Deployed in block 12 by\n${HASH}`])(
  'who makes blocks is no block: %s',
  text => {
    expect(decide(text, { fileName: 'notes.md' })).toBe('click');
  },
);

it('the path of an API that looks a transaction up proves its hash', () => {
  expect(decide(`endpoint: "transactions/by_hash/${HASH}"`)).toBe('yes');
});

describe('what real files have beside hashes', () => {
  it.each([
    ['the object that Brownie prints', `>>> Token[0].tx\n<Transaction object '${HASH}'>`],
    ['a list of these', `>>> history.filter(key=f)\n[<Transaction '${HASH}'>]`],
    ['an option of a program that reads', `conflux rpc receipt --hash ${HASH}`],
    ['a value in Haskell', `{ changeIndex = Just "0x2"\n, changeBlockHash = Just "${HASH}"\n}`],
    ['a transaction with an id', `want: types.Tx{\n\tID: "${HASH}",\n\tFrom: "0x00",\n}`],
    [
      'a filter of logs',
      `const blockHash = '${HASH}';\nconst address = ['${ADDRESS}'];\nawait getLogs({ blockHash, address });`,
    ],
    [
      'a block with an author',
      `{"author": "${ADDRESS}", "gasUsed": "0xa410", "hash": "${HASH}", "number": "0x1", "miner": "${ADDRESS}"}`,
    ],
    ['a remark on its name', `- Mint tx (0G Galileo): \`${HASH}\``],
    ['a comment that names the explorer', `f();\n//etherscan tx - ${HASH}\n//more`],
    ['a comment that names the chain', `f();\n// Reference mainnet tx ${HASH}\n//   at block 1`],
    ['a conversion of raw hex', `block_hash =\n  from_raw_hex("${HASH}")`],
    [
      'an account in another entry',
      `{\n  "get_tx_receipt": {\n    "kwargs": {\n      "txhash": "${HASH}"\n    }\n  },\n  "get_balance": {\n    "module": "accounts"\n  }\n}`,
    ],
    [
      'an import of a function for keys',
      `import { privateKeyToAccount } from 'viem/accounts';\nconst txHash = '${HASH}';`,
    ],
    ['a function that checks hashes', `isValidTransactionHash('${HASH}')`],
  ])('proves it or forbids nothing: %s', (_, text) => {
    expect(decide(text)).toMatch(/^yes(?:,yes)*$/);
  });

  it.each([
    ['the name of an entry around it', `metadata:\n  name: signer-config\ndata:\n  TX_HASH: "${HASH}"`],
    ['a flag that it is a key', `{\n  isPrivateKey: true,\n  txHash: '${HASH}',\n}`],
    ['what is called in the block below', `with patch(env, {"TX_HASH": "${HASH}"}):\n    load_account()`],
    ['an account in its entry', `{\n  "module": "accounts",\n  "txhash": "${HASH}"\n}`],
    ['a remark on its name that tells of an account', `Mint tx (signer): ${HASH}`],
    ['a bare hash beside an account', `{"bot": "mm", "hash": "${HASH}", "status": "success"}`],
    ['an option of a program that sends', `cast send --hash ${HASH}`],
  ])('needs a click: %s', (_, text) => {
    expect(decide(text)).toBe('click');
  });
});

describe('a bare tx in code', () => {
  it.each([
    ['src/deployments/base.ts', 'yes'],
    ['src/signers/base.ts', 'click'],
    ['src/wallets/base.ts', 'click'],
  ])('in %s is decided by the folder too: %s', (fileName, expected) => {
    expect(decide(`export const tx = '${HASH}';`, { fileName })).toBe(expected);
  });
});
