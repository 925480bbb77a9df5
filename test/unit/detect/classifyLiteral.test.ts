// Classification of literals in realistic surroundings.
import { describe, expect, it } from 'vitest';
import { detectLiteralAt, detectLiterals } from '../../../src/detect/detectLiterals.ts';
import type { HexLiteral } from '../../../src/detect/hexLiteral.ts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const LOWER = ADDRESS.toLowerCase();
const BARE = LOWER.slice(2);
const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';
const OTHER = '0x2f1c5c2b44f771e942a8506148e256f94f1a464babc938ae0690c6e34cd79190';
/** Beside those, since what the text says of the same bytes elsewhere counts. */
const [THIRD, FOURTH] = [
  '0x7d0a4b9c61e2f3585b94a2017c6d38ef90b1c2d3e4f5061728394a5b6c7d8e9f',
  '0xb58e2d7f04c19a63e5d2f8170a9b4c6e3f2180d7c5b6a49382716050f4e3d2c1',
] as const;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ANVIL_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** The only subject of a text. */
function only<K extends HexLiteral['kind']>(
  text: string,
  kind: K,
  fileName?: string,
): Extract<HexLiteral, { kind: K }> {
  const subjects = detectLiterals(text, { fileName });
  expect(subjects.map(subject => subject.kind)).toEqual([kind]);
  return subjects[0] as Extract<HexLiteral, { kind: K }>; // its kind was compared
}

const HASH_DIGITS = '0f1b74529ad06e4da5debb502e60bdfa049a4057ff386ace4c876a4a179b0533';
const kinds = (text: string) => detectLiterals(text).map(subject => subject.kind);

it('reads bytes of SQL with and without a prefix of their own', () => {
  const digits = ADDRESS.slice(2).toLowerCase();
  for (const cell of [`X'${digits}'`, `x'${digits}'`, `'\\x${digits}'`])
    expect(kinds(`SELECT * FROM logs WHERE topics = ${cell};`), cell).toEqual(['address']);
  expect(kinds(`SELECT * FROM logs WHERE transaction_hash = X'${HASH_DIGITS}';`)).toEqual(['hash32']);
  expect(kinds(`const commit = '${digits}';`)).toEqual([]);
});

describe('addresses', () => {
  it.each([
    ['TypeScript', `const token = '${ADDRESS}';`],
    ['template literal', `\`\${${ADDRESS}}\``],
    ['Solidity', `IERC20(${ADDRESS}).transfer(`],
    ['Solidity constant', `address constant A = ${ADDRESS};`],
    ['Rust', `H160::from_str("${ADDRESS}")?`],
    ['Rust macro', `address!("${ADDRESS}")`],
    ['Go', `common.HexToAddress("${ADDRESS}")`],
    ['Python', `token = Web3.to_checksum_address('${ADDRESS}')`],
    ['YAML unquoted', `address: ${ADDRESS}\nstartBlock: 1`],
    ['TOML', `addr = "${ADDRESS}"`],
    ['JSON', `{"to":"${ADDRESS}"}`],
    ['JSON in JSON', `"{\\"to\\":\\"${ADDRESS}\\"}"`],
    ['escaped newline', `"Deployed to:\\n${ADDRESS}\\n"`],
    ['CSV', `alice,${ADDRESS},12`],
    ['shell', `cast call ${ADDRESS} 'name()'`],
    ['assignment in a shell', `TOKEN=${ADDRESS} forge script`],
    ['Markdown code', `see \`${ADDRESS}\`.`],
    ['Markdown bold', `**${ADDRESS}**`],
    ['sentence end', `It is ${ADDRESS}.`],
    ['sentence with dots', `Deploying to ${ADDRESS}...`],
    ['comment', `// ${ADDRESS}`],
    ['HTML', `<code>${ADDRESS}</code>`],
    ['URL query', `https://app.example/?a=${ADDRESS}&b=1`],
    ['path', `./deployments/${ADDRESS}.json`],
    ['right to left', `\u202e${ADDRESS}\u202c`],
    ['Hebrew sentence', `כתובת: ${ADDRESS}`],
    ['terminal colors', `\x1b[36m${ADDRESS}\x1b[39m`],
    ['minified', `var a="${ADDRESS}",b=${ADDRESS},c=1`],
  ])('are detected, whatever is around them: %s', (_, text) => {
    for (const subject of detectLiterals(text)) {
      expect(subject).toMatchObject({
        kind: 'address',
        text: ADDRESS,
        address: ADDRESS,
        checksum: 'valid',
        shouldWarn: false,
        canLookUp: true,
        nature: 'account',
      });
    }
    expect(detectLiterals(text).length).toBeGreaterThan(0);
  });

  it.each([
    ['inside an identifier', `x_${ADDRESS}_y`],
    ['behind a letter', `foo${ADDRESS}`],
    ['as a BigInt', `${ADDRESS}n`],
    ['with a type suffix', `${ADDRESS}_u160`],
    ['as an ENS name', `${ADDRESS}.eth`],
    ['twice the prefix', `0x${ADDRESS}`],
    ['cut by a line end', `0x\n${BARE.slice(0, 20)}\n${BARE.slice(20)}`],
    ['the first 40 digits of a hash', HASH.slice(0, 61)],
  ])('does not find %s', (_, text) => {
    expect(kinds(text)).toEqual([]);
  });

  it.each([
    [ADDRESS, 'valid', false],
    [LOWER, 'none', false],
    [`0x${BARE.toUpperCase()}`, 'none', false],
    [`0X${BARE.toUpperCase()}`, 'none', false],
    [ADDRESS.replace('BF2', 'bF2'), 'invalid', true],
    [ADDRESS.replace('6045', '6046'), 'invalid', true],
    ['0xDeAdBeEfDeAdBeEfDeAdBeEfDeAdBeEfDeAdBeEf', 'invalid', false],
    ['0x000000000000000000000000000000000000DeaD', 'invalid', false],
    ['0x000000000000000000000000000000000000bEEf', 'invalid', false],
    ['0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF', 'valid', false],
    ['0xFfFfFfFfFfFfFfFfFfFfFfFfFfFfFfFfFfFfFfFf', 'invalid', false],
    ['0xeeeeEEEEeeeeEEEEeeeeEEEEeeeeEEEEeeeeEEEE', 'invalid', false],
  ])('have in %s the checksum %s and the warning %s', (text, checksum, warn) => {
    expect(only(text, 'address')).toMatchObject({ checksum, shouldWarn: warn });
  });

  it.each([
    ['0x0000000000000000000000000000000000000000', 'zero', 'Zero address', false],
    ['0x000000000000000000000000000000000000dEaD', 'burn', 'Burn address', false],
    ['0xdead000000000000000042069420694206942069', 'burn', 'Burn address', false],
    ['0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', 'sentinel', 'Native coin (placeholder)', false],
    ['0x0000000000000000000000000000000000000001', 'precompile', 'Precompile ecRecover', false],
    ['0x000000000000000000000000000000000000000a', 'precompile', 'Precompile KZG point evaluation', false],
    ['0x0000000000000000000000000000000000000011', 'precompile', 'Precompile BLS12-381 map to G2', false],
    ['0x0000000000000000000000000000000000000012', 'account', null, true],
    ['0x0000000000000000000000000000000000000100', 'precompile', 'Precompile P256VERIFY', false],
    ['0xffffffffffffffffffffffffffffffffffffffff', 'mask', 'Bit mask', false],
    ['0xffffffffffffffffffffffff0000000000000000', 'mask', 'Bit mask', false],
    ['0x00000000ffffffffffffffffffffffffffffffff', 'mask', 'Bit mask', false],
    ['0x1111111111111111111111111111111111111111', 'placeholder', 'Placeholder', false],
    ['0x1234567890123456789012345678901234567890', 'placeholder', 'Placeholder', false],
    ['0x1234567890abcdef1234567890abcdef12345678', 'placeholder', 'Placeholder', false],
    ['0xabababababababababababababababababababab', 'placeholder', 'Placeholder', false],
    ['0x000102030405060708090a0b0c0d0e0f10111213', 'placeholder', 'Placeholder', false],
    ['0x4200000000000000000000000000000000000007', 'account', null, true],
    ['0x4200000000000000000000000000000000000006', 'contract', 'WETH (OP Stack)', true],
    ['0x0000000000000000000000000000000000001010', 'account', null, true],
    ['0x000000000022D473030F116dDEE9F6B43aC78BA3', 'contract', 'Permit2', true],
    ['0xca11bde05977b3631167028862be2a173976ca11', 'contract', 'Multicall3', true],
    ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'development', 'Dev account #0', true],
    ['0x8626f6940e2eb28930efb4cef49b2d1f2c9c1199', 'development', 'Dev account #19', true],
  ])('are named where they are the same everywhere: %s is %s', (text, nature, name, lookup) => {
    expect(only(text, 'address')).toMatchObject({ nature, name, canLookUp: lookup, shouldWarn: false });
  });
});

describe('chains named beside a literal', () => {
  it.each([
    [`eth:${ADDRESS}`, 1],
    [`matic:${ADDRESS}`, 137],
    [`arb1:${ADDRESS}`, 42_161],
    [`eip155:10:${ADDRESS}`, 10],
    [`did:pkh:eip155:137:${ADDRESS}`, 137],
    [`${ADDRESS}@137`, 137],
    [`ethereum:${ADDRESS}@0x89`, 137],
    [`owner:${ADDRESS}`, null],
    [`{"eth": "${ADDRESS}"}`, null],
    [`${ADDRESS}@block`, null],
    [`https://etherscan.io/address/${ADDRESS}`, 1],
    [`https://www.etherscan.io/token/${ADDRESS}#code`, 1],
    [`etherscan.io/address/${ADDRESS}`, 1],
    [`HTTPS://ETHERSCAN.IO/address/${ADDRESS}`, 1],
    [`https:\\/\\/bscscan.com\\/address\\/${ADDRESS}`, 56],
    [`https%3A%2F%2Fpolygonscan.com%2Faddress%2F${ADDRESS}`, 137],
    [`https://sepolia.etherscan.io/address/${ADDRESS}`, 11_155_111],
    [`https://sepolia.arbiscan.io/address/${ADDRESS}`, 421_614],
    [`https://arbiscan.io/token/0x?a=${ADDRESS}`, 42_161],
    [`https://app.blocksec.com/explorer/tx/eth/${ADDRESS}`, 1],
    [`https://dashboard.tenderly.co/contract/mainnet/${ADDRESS}`, 1],
    [`https://explorer.example/address/${ADDRESS}`, null],
    [`[${ADDRESS}](https://snowtrace.io/address/${ADDRESS})`, 43_114],
    [`<a href="https://basescan.org/address/${ADDRESS}">${ADDRESS}</a>`, 8_453],
    [`http://localhost:5100/address/${ADDRESS}`, null],
    [`gno:${ADDRESS}`, 100],
    [`basesep:${ADDRESS}`, 84_532],
    [`metis-andromeda:${ADDRESS}`, 1_088],
    [`new:${ADDRESS}`, null],
    [`bob:${ADDRESS}`, null],
    [`eip155:137/erc721:${ADDRESS}/7`, 137],
    [`eip155:999999999999:${ADDRESS}`, 999_999_999_999],
    [`${ADDRESS}@base`, 8_453],
    [`${ADDRESS}@eip155:10`, 10],
    [`https://worldscan.org/address/${ADDRESS}`, 480],
    [`https://www.oklink.com/xlayer/address/${ADDRESS}`, 196],
    [`https://optimism-sepolia.blockscout.com/address/${ADDRESS}`, 11_155_420],
    [`https://explorer.example/mainnet/address/${ADDRESS}`, null],
    [`https://api.etherscan.io/v2/api?chainid=8453&module=account&address=${ADDRESS}`, 8_453],
    [`https://snowtrace.io/address/${ADDRESS}?chainid=43113`, 43_113],
    [`https://app.example/swap/${ADDRESS}?chain=base`, 8_453],
    [`https://explorer.example/account/${ADDRESS}?network=mainnet`, null],
  ])('are the chains of the literal: %s', (text, chainId) => {
    const subjects = detectLiterals(text);
    expect(subjects.length).toBeGreaterThan(0);
    for (const subject of subjects) expect(subject).toMatchObject({ kind: 'address', chainId });
  });
});

describe('block numbers', () => {
  it.each([
    ['https://etherscan.io/block/19000000', 19_000_000, 1],
    ['https://polygonscan.com/block/1/txs', 1, 137],
    ['https://eth.blockscout.com/block/19000000?tab=txs', 19_000_000, 1],
    ['https://some.blockscout.com/blocks/77', 77, null],
    ['https:\\/\\/etherscan.io\\/block\\/5', 5, 1],
    ['http://localhost:5100/block/12', 12, null],
    ['http://127.0.0.1:4000/block/12', 12, null],
    ['https://etherscan.io/block/countdown/99999999', 99_999_999, 1],
  ])('are detected in %s', (text, number, chainId) => {
    expect(only(text, 'blockNumber')).toMatchObject({ number, chainId });
  });
  it.each([
    'https://example.com/block/123',
    '/block/123',
    'https://notes.example/minecraft/block/123',
    'blocks/123',
    'https://github.com/a/b/block/1',
  ])('are not detected in %s', text => {
    expect(kinds(text)).toEqual([]);
  });
  it('a hash after /block/ is a block hash', () => {
    expect(only(`https://etherscan.io/block/${HASH}`, 'hash32')).toMatchObject({
      chainId: 1,
      hint: { kind: 'block' },
      lookupOrder: ['block', 'transaction'],
    });
  });
});

describe('hints about 32 bytes', () => {
  const cases: [string, 'transaction' | 'block' | 'topic' | 'hash' | null][] = [
    // names
    [`const txHash = '${HASH}'`, 'transaction'],
    [`tx_hash = "${HASH}"`, 'transaction'],
    [`TX_HASH=${HASH}`, 'transaction'],
    [`TXHASH: ${HASH}`, 'transaction'],
    [`txhash: ${HASH}`, 'transaction'],
    [`"transactionHash": "${HASH}"`, 'transaction'],
    [`transaction_hash=${HASH}`, 'transaction'],
    [`--tx-hash ${HASH}`, 'transaction'],
    [`txid: ${HASH}`, 'transaction'],
    [`L1TxHash: ${HASH}`, 'transaction'],
    [`depositTx: '${HASH}'`, 'transaction'],
    [`const TX: Hash = '${HASH}'`, 'transaction'],
    [`const x: TransactionHash = '${HASH}'`, 'transaction'],
    [`bytes32 private constant TX_HASH = ${HASH};`, 'transaction'],
    [`private readonly txHash = '${HASH}'`, 'transaction'],
    [`let tx_hash: B256 = b256!("${HASH}");`, 'transaction'],
    [`tx_hash: str = "${HASH}"`, 'transaction'],
    [`txHash := common.HexToHash("${HASH}")`, 'transaction'],
    [`receipt.transactionHash === '${HASH}'`, 'transaction'],
    [`event['tx_hash'] = '${HASH}'`, 'transaction'],
    [`blockHash: '${HASH}'`, 'block'],
    [`"block_hash":"${HASH}"`, 'block'],
    [`BLOCKHASH=${HASH}`, 'block'],
    [`"parentHash":"${HASH}"`, 'block'],
    [`headBlockHash = ${HASH}`, 'block'],
    [`topic0: '${HASH}'`, 'topic'],
    [`const TOPIC = "${HASH}"`, 'topic'],
    [`eventSignature: '${HASH}'`, 'topic'],
    [`topics: ['${HASH}']`, 'topic'],
    [`codeHash: '${HASH}'`, 'hash'],
    [`stateRoot: '${HASH}'`, 'hash'],
    [`"transactionsRoot":"${HASH}"`, 'hash'],
    [`MINTER_ROLE = ${HASH}`, 'hash'],
    [`storageKey: '${HASH}'`, 'hash'],
    [`IMPLEMENTATION_SLOT = ${HASH}`, 'hash'],
    [`DOMAIN_TYPEHASH = ${HASH}`, 'hash'],
    [`orderHash: ${HASH}`, 'hash'],
    [`proof: ['${HASH}']`, 'hash'],
    // prose, logs, tables
    [`Transaction hash: ${HASH}`, 'transaction'],
    [`tx: confirmed ${HASH}`, 'transaction'],
    [`INFO Sent tx ${HASH} in 3 s`, 'transaction'],
    [`level=info msg="tx sent" hash=${HASH}`, 'hash'],
    [`Mined ${HASH} in block 5`, 'transaction'],
    [`reverted in transaction ${HASH}`, 'transaction'],
    [`Block hash is ${HASH}`, 'block'],
    [`| Tx Hash | ${HASH} |`, 'transaction'],
    [`<td>Tx Hash</td><td>${HASH}</td>`, 'transaction'],
    [`<txHash>${HASH}</txHash>`, 'transaction'],
    [`Transaction Hash:\n${HASH}`, 'transaction'],
    [`${HASH} // the transfer tx`, 'transaction'],
    [`'${HASH}', # block hash`, 'block'],
    // calls
    [`provider.getTransaction('${HASH}')`, 'transaction'],
    [`await client.waitForTransactionReceipt({ hash: '${HASH}' })`, 'hash'],
    [`getBlock("${HASH}")`, 'block'],
    [`cast tx ${HASH}`, 'transaction'],
    [`cast receipt ${HASH} status`, 'transaction'],
    [`cast block ${HASH}`, 'block'],
    [`debug_traceTransaction ${HASH}`, 'transaction'],
    [`{"method":"eth_getTransactionByHash","params":["${HASH}"]}`, 'transaction'],
    [`{"params":["${HASH}",false],"id":1,"method":"eth_getBlockByHash"}`, 'block'],
    [`{"method":"eth_getTransactionByBlockHashAndIndex","params":["${HASH}","0x0"]}`, 'block'],
    [`{"method":"eth_getUncleByBlockHashAndIndex","params":["${HASH}","0x0"]}`, 'block'],
    [`{"method":"debug_storageRangeAt","params":["${HASH}",0,"0x00","0x00",2]}`, 'block'],
    [`{"method":"debug_getRawHeader","params":["${HASH}"]}`, 'block'],
    [`{"method":"ots_getInternalOperations","params":["${HASH}"]}`, 'transaction'],
    [`{"method":"trace_get","params":["${HASH}",["0x0"]]}`, 'transaction'],
    [`{"method":"zks_getTransactionDetails","params":["${HASH}"]}`, 'transaction'],
    [`{"method":"eth_getTransactionCount","params":["${HASH}","latest"]}`, null],
    [`await provider.send('debug_getRawTransaction', ['${HASH}'])`, 'transaction'],
    [`client.CallContext(ctx, &raw, "debug_getRawBlock", common.HexToHash("${HASH}"))`, 'block'],
    [`await web3.eth.getBlockByHash('${HASH}')`, 'block'],
    [`$eth->getTransactionByBlockHashAndIndex('${HASH}', '0x0', $callback)`, 'block'],
    [`curl -d '{"jsonrpc":"2.0","method":"eth_getTransactionReceipt","params":["${HASH}"],"id":1}'`, 'transaction'],
    [`expect(receipt.transactionHash).toBe('${HASH}')`, 'transaction'],
    [`assertEq(txHash, ${HASH})`, 'transaction'],
    [`logger.info("sent", "txHash", "${HASH}")`, 'transaction'],
    [`new Map([['txHash', '${HASH}']])`, 'transaction'],
    [`keccak256('${HASH}')`, null],
    [`abi.encode(${HASH})`, null],
    // paths and links
    [`/tx/${HASH}`, 'transaction'],
    [`https://etherscan.io/tx/${HASH}`, 'transaction'],
    [`https://unknown.example/tx/${HASH}`, 'transaction'],
    [`https://explorer.example/#/tx/${HASH}`, 'transaction'],
    [`https%3A%2F%2Fetherscan.io%2Ftx%2F${HASH}`, 'transaction'],
    [`https://api.etherscan.io/api?module=proxy&txhash=${HASH}`, 'transaction'],
    [`./broadcast/txs/${HASH}.json`, 'transaction'],
    [`[details](https://etherscan.io/tx/${HASH})`, 'transaction'],
    // nothing
    [`'${HASH}'`, null],
    [`const x = '${HASH}'`, null],
    [`value: ${HASH}`, null],
    [`salt: '${HASH}'`, null],
    [`publicKey = '${HASH}'`, null],
    [`primaryKey: '${HASH}'`, null],
    [`tokenId: '${HASH}'`, null],
    [`accounts: ['${HASH}']`, null],
    [`nonce: ${HASH}`, null],
    [`txData: '${HASH}'`, null],
    [`blockNumber: '${HASH}'`, null],
    [`function sendTx() { return '${HASH}' }`, null],
    [`function sendTx(){return"${HASH}"}`, null],
    [`class TxSender { v = '${HASH}' }`, null],
    [`const sendTx = () => { const v: Hex = '${HASH}' }`, null],
    [`foo(txHash, '${HASH}')`, null],
    [`const tx = 1; const v = '${HASH}'`, null],
    // a bare name, which may be that of a program, an account or what is to be hashed
    [`--tx=${HASH}`, null],
    [`tx1 = ${HASH}`, null],
    [`receipt: '${HASH}'`, null],
    [`Tx: ${HASH}`, null],
    [`## Transactions\n\n- ${HASH}\n- ${HASH}`, null],
    [`(tx) ${HASH}`, null],
    [`${HASH} (tx)`, null],
    [`console.log('tx', '${HASH}')`, null],
    [`{ ...tx, hash: '${HASH}' }`, null],
    [`"hash":"${HASH}"`, null],
    [`genesis: ${HASH}`, null],
    [`sha: ${HASH}`, null],
    [`tx.wait();\nconst v =\n  '${HASH}'`, null],
  ];
  it.each(cases)('tell what they may be: %s', (text, kind) => {
    for (const subject of detectLiterals(text)) {
      expect(subject).toMatchObject({ kind: 'hash32', secretWord: null });
      expect(subject.kind === 'hash32' ? (subject.hint?.kind ?? null) : 'none').toBe(kind);
    }
    expect(detectLiterals(text).length).toBeGreaterThan(0);
  });

  it.each([
    [`{ txHash: '${OTHER}', value: '${HASH}', blockHash: '${OTHER}' }`, ['transaction', null, 'block']],
    // The key beside it has a name of its own.
    [`{ privateKey: '${HASH}', txHash: '${OTHER}', value: '${THIRD}' }`, ['private key', 'transaction', null]],
    // Where none has, no name is enough.
    [`{ privateKey: load(), txHash: '${OTHER}' }`, [null]],
    // The same bytes.
    [`{ privateKey: '${HASH}', value: '${HASH}' }`, ['private key', 'private key']],
  ])('each literal of a line has its own hint: %s', (text, hints) => {
    expect(
      detectLiterals(text).map(subject =>
        subject.kind === 'hash32' ? (subject.secretWord ?? subject.hint?.kind ?? null) : '',
      ),
    ).toEqual(hints);
  });

  it('determines the lookup order', () => {
    const lookup = (text: string) => only(text, 'hash32').lookupOrder;
    expect(lookup(`tx: ${HASH}`)).toEqual(['transaction', 'block']);
    expect(lookup(`blockHash: ${HASH}`)).toEqual(['block', 'transaction']);
    expect(lookup(HASH)).toEqual(['transaction', 'block']);
    expect(lookup(`topic1: ${HASH}`)).toEqual([]);
    expect(lookup(`stateRoot: ${HASH}`)).toEqual([]);
    expect(lookup(`"receiptsRoot":"${HASH}"`)).toEqual([]);
    expect(lookup(`userOpHash: ${HASH}`)).toEqual([]);
  });

  it.each([
    `const tx = '${HASH}';\nawait provider.getTransaction(tx);`,
    `const hash = '${HASH}';\nconst { logs } = await client.getTransactionReceipt({ hash });`,
    `hash: ${HASH}\nblockNumber: 5`,
    `  Transaction: ${HASH}\n  Gas used: 21000`,
    `{ hash: '${HASH}', blockNumber: 5 }`,
    `tx ${HASH} mined in block 5`,
    `const hash: Hash = '${HASH}'`,
    `SELECT * FROM transactions WHERE hash = '${HASH}'`,
    `query { transaction(hash: "${HASH}") { status } }`,
  ])('a look-up, a type or a report proves that a bare name is that of a hash: %s', text => {
    expect(only(text, 'hash32').hint).not.toBeNull();
  });

  it('the name of a log file proves nothing', () => {
    expect(only(`10:02 INFO accepted ${HASH}`, 'hash32', 'node.log').hint).toBeNull();
    expect(only(`10:02 INFO tx, ${HASH}`, 'hash32', 'node.log').hint).toBeNull();
  });
});

describe('secrets', () => {
  it.each([
    `privateKey: '${HASH}'`,
    `private_key = "${HASH}"`,
    `PRIVATE_KEY=${HASH}`,
    `export PRIVATE_KEY="${HASH}"`,
    `PRIVATEKEY=${HASH}`,
    `privatekey: ${HASH}`,
    `--private-key ${HASH}`,
    `--private-key=${HASH}`,
    `"privateKey" : "${HASH}"`,
    `"private":"${HASH}"`,
    `privKey: ${HASH}`,
    `PK=${HASH}`,
    `pk: '${HASH}'`,
    `sk = ${HASH}`,
    `const secret = '${HASH}'`,
    `secretKey: '${HASH}'`,
    `clientSecret: '${HASH}'`,
    `JWT_SECRET=${HASH}`,
    `jwtsecret: ${HASH}`,
    `seed: '${HASH}'`,
    `mnemonic: ${HASH}`,
    `password=${HASH}`,
    `apiKey: '${HASH}'`,
    `DEPLOYER_KEY=${HASH}`,
    `signerKey: ${HASH}`,
    `nodekey = ${HASH}`,
    `key: '${HASH}'`,
    `KEY1=${HASH}`,
    `const privateKeyHex: Hex = '${HASH}'`,
    `const txPrivateKey = '${HASH}'`,
    `privateKeys: [\n  '${HASH}',\n  '${HASH}', // alice\n]`,
    `privateKeys: [ENV_A, '${HASH}']`,
    `private_keys:\n  - ${HASH}\n  - ${HASH}`,
    `Private Keys\n==================\n(0) ${HASH}\n(1) ${HASH}\n(2) ${HASH}`,
    `Private key: ${HASH}`,
    `The private key of the deployer is ${HASH}`,
    `private key ${HASH}`,
    `const x = '${HASH}' // private key of bob`,
    `- ${HASH} # secret`,
    `'${HASH}': 'deployer private key'`,
    `process.env.PRIVATE_KEY ?? '${HASH}'`,
    `os.environ.get("PRIVATE_KEY", "${HASH}")`,
    `key = os.getenv("X") or "${HASH}"`,
    `ENV['PK'] || '${HASH}'`,
    `\${PRIVATE_KEY:-${HASH}}`,
    `#define PRIVATE_KEY "${HASH}"`,
    `ENV PRIVATE_KEY ${HASH}`,
    `+PRIVATE_KEY=${HASH}`,
    `.private_key("${HASH}")`,
    `val privateKey by lazy { "${HASH}" }`,
    `dict(private_key="${HASH}")`,
    `privateKey:\n  '${HASH}'`,
    `const privateKey =\n  '${HASH}'`,
    `"{\\"privateKey\\":\\"${HASH}\\"}"`,
    `\\u0022privateKey\\u0022:\\u0022${HASH}\\u0022`,
    `&quot;privateKey&quot;:&quot;${HASH}&quot;`,
    `INSERT INTO keys (private_key, tx_hash) VALUES ('${HASH}')`,
    `\x1b[1mPrivate key:\x1b[0m ${HASH}`,
    `Private key:\\n${HASH}`,
    `config.wallet.privateKey.value = '${HASH}'`,
    `{ privateKey: { value: '${HASH}' } }`,
    `secrets = { alice: { value: '${HASH}' } }`,
    `new Wallet('${HASH}')`,
    `new ethers.Wallet("${HASH}", provider)`,
    `privateKeyToAccount('${HASH}')`,
    `const account = privateKeyToAccount('${HASH}')`,
    `signTransaction(tx, '${HASH}')`,
    `sign(txHash, '${HASH}')`,
    `wallet.signTransaction('${HASH}')`,
    `vm.addr(${HASH})`,
    `vm.startBroadcast(${HASH})`,
    `vm.sign(${HASH}, digest)`,
    `crypto.HexToECDSA("${HASH}")`,
    `const privateKey = toHex(keccak256('${HASH}'))`,
    `const privateKey = HexToHash('${HASH}')`,
    `bytes32 private constant KEY = ${HASH};`,
    `uint256 internal constant PRIVATE_KEY = ${HASH};`,
    `personal_importRawKey ${HASH}`,
    `https://vault.example/key/${HASH}`,
    `?privateKey=${HASH}`,
    `?private_key%3D${HASH}`,
    `"PRIVATE_KEY=${HASH}\\n"`,
    `console.log('privateKey', '${HASH}')`,
    `<privateKey>${HASH}</privateKey>`,
    `| private key | ${HASH} |`,
    `storageProof: [{ key: '${HASH}', value: '0x1' }]`,
  ])('are what words beside 32 bytes say: %s', text => {
    const subjects = detectLiterals(text);
    expect(subjects.length).toBeGreaterThan(0);
    for (const subject of subjects) {
      expect(subject.kind).toBe('hash32');
      expect(subject.kind === 'hash32' ? subject.secretWord : null, JSON.stringify(subject)).not.toBeNull();
    }
  });

  it.each([
    `publicKey: '${HASH}'`,
    `pubkey: '${HASH}'`,
    `"storageKey": "${HASH}"`,
    `primaryKey = '${HASH}'`,
    `cacheKey: ${HASH}`,
    `keyHash: ${HASH}`,
    `tokenId: ${HASH}`,
    `bytes32 private constant TX_HASH = ${HASH};`,
    `bytes32 private _hash = ${HASH};`,
    `private txHash = '${HASH}'`,
    `monkey: ${HASH}`,
    `turkey = ${HASH}`,
    `keyboard: ${HASH}`,
    `task: ${HASH}`,
    `risk: ${HASH}`,
    `desk = ${HASH}`,
    `{ privateKey: env.KEY, txHash: '${HASH}' }`,
    `const key = env.KEY; const v = '${HASH}'`,
    `if (key) {\n  const v = '${HASH}'\n}`,
  ])('are not suspected by %s', text => {
    expect(only(text, 'hash32').secretWord).toBeNull();
  });

  it('recognizes the keys of development accounts, with and without prefix', () => {
    const expected = {
      address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      name: 'Dev account #0 private key',
    };
    expect(only(ANVIL_KEY, 'developmentKey')).toMatchObject(expected);
    expect(only(`txHash: '${ANVIL_KEY.toUpperCase().replace('X', 'x')}'`, 'developmentKey')).toMatchObject(expected);
    expect(only(`PRIVATE_KEY=${ANVIL_KEY.slice(2)}`, 'developmentKey')).toMatchObject(expected);
    expect(kinds(ANVIL_KEY.replace(/.$/, '1'))).toEqual(['hash32']);
  });
});

describe('32 bytes that are not a hash', () => {
  it.each([
    ['0'.repeat(64), 'zero', 0n],
    ['f'.repeat(64), 'max', 2n ** 256n - 1n],
    ['1'.padStart(64, '0'), 'number', 1n],
    ['de0b6b3a7640000'.padStart(64, '0'), 'number', 10n ** 18n],
    [(10n ** 30n).toString(16).padStart(64, '0'), 'number', 10n ** 30n],
    [`${'f'.repeat(63)}e`, 'number', -2n],
    ['f'.repeat(40).padStart(64, '0'), 'mask', 2n ** 160n - 1n],
    ['f'.repeat(32).padStart(64, '0'), 'mask', 2n ** 128n - 1n],
    ['f'.repeat(24).padEnd(64, '0'), 'mask', (2n ** 96n - 1n) << 160n],
    ['1'.repeat(64), 'pattern', BigInt(`0x${'1'.repeat(64)}`)],
    ['deadbeef'.repeat(8), 'pattern', BigInt(`0x${'deadbeef'.repeat(8)}`)],
    ['a9059cbb'.padEnd(64, '0'), 'padded', 0xa9059cbbn << 224n],
  ])('have their form and value: 0x%s is %s', (digits, form, value) => {
    expect(only(`txHash: 0x${digits}`, 'word')).toMatchObject({ form, value, content: null });
  });

  it('reads bytes32 text', () => {
    const text = (content: string) => `0x${Buffer.from(content).toString('hex').padEnd(64, '0')}`;
    expect(only(text('Maker'), 'word')).toMatchObject({ form: 'text', content: 'Maker' });
    expect(only(text('DAI'), 'word')).toMatchObject({ form: 'text', content: 'DAI' });
    expect(only(text('\x01\x02\x03'), 'word')).toMatchObject({ form: 'padded', content: null });
  });

  it('finds the address in a padded word', () => {
    const padded = `0x${BARE.padStart(64, '0')}`;
    expect(only(`topics: ['${padded}']`, 'paddedAddress')).toMatchObject({
      address: LOWER,
      nature: 'account',
      canLookUp: true,
      secretWord: null,
    });
    expect(only(`0x${'000000000022d473030f116ddee9f6b43ac78ba3'.padStart(64, '0')}`, 'paddedAddress')).toMatchObject({
      name: 'Permit2',
    });
    expect(only(`0x${'dead'.padStart(64, '0')}`, 'paddedAddress')).toMatchObject({
      name: 'Burn address',
      canLookUp: false,
    });
    expect(only(`privateKey: ${padded}`, 'paddedAddress').secretWord).toBe('private key');
  });

  it('names well-known constants', () => {
    expect(only('0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc', 'constant').name).toBe(
      'ERC-1967 implementation slot',
    );
    expect(only('0x9f2df0fed2c77648de5860a4cc508cd0818c85b8b8a1ab4ceeef8d981c8956a6', 'constant').name).toBe(
      'MINTER_ROLE',
    );
    expect(only(`privateKey: ${TRANSFER}`, 'topic').events.map(event => event.standard)).toEqual(['ERC-20', 'ERC-721']);
    expect(only(TRANSFER.toUpperCase().replace('X', 'x'), 'topic').events).toHaveLength(2);
  });
});

describe('selectors', () => {
  it.each(['0xa9059cbb', 'color: 0xa9059cbb', '0x08c379a0', '0x80ac58cd', '0xA9059CBB'])(
    '%s is a well-known selector',
    text => {
      expect(kinds(text)).toEqual(['selector']);
    },
  );
  it.each([
    'selector: 0x12345678',
    'bytes4 constant MAGIC = 0x12345678;',
    'bytes4 private immutable _X = 0x12345678;',
    'msg.sig == 0x12345678',
    "methodId: '0x12345678'",
    '"methodID":"0x12345678"',
    'MethodID: 0x12345678',
    "functionSelector = '0x12345678'",
    'bytes4(0x12345678)',
    'PUSH4 0x12345678',
    'cast 4byte 0x12345678',
    'unknown selector 0x12345678',
    'custom error 0x12345678',
    "selectors: ['0x12345678']",
    "interfaceId: '0x12345678'",
    'sighash = 0x00000000',
  ])('%s is named as a selector', text => {
    expect(only(text, 'selector')).toMatchObject({
      functions: text.includes('0x00000000') ? [{ name: 'fulfillBasicOrder_efficient_6GL6yc' }] : [],
      errors: [],
    });
  });
  it.each([
    '0x12345678',
    'mask & 0xffffffff',
    '0x00000000',
    'color: 0x11223344',
    'const MAGIC = 0xcafebabe',
    'chainId: 0xaa36a7',
    '0xffffff',
    '#ff00ff00',
    'crc32 = 0x04C11DB7',
    'addr + 0x80000000',
  ])('%s is a number', text => {
    expect(kinds(text)).toEqual([]);
  });
});

describe('data', () => {
  const transfer = `0xa9059cbb${BARE.padStart(64, '0')}${'de0b6b3a7640000'.padStart(64, '0')}`;
  it('is calldata where the function is known', () => {
    expect(only(`"input":"${transfer}"`, 'data')).toMatchObject({
      form: 'calldata',
      size: 68,
      selector: '0xa9059cbb',
      functions: [{ name: 'transfer' }],
    });
  });
  it('detects calldata of unknown functions by its name only', () => {
    const unknown = transfer.replace('a9059cbb', '12345678');
    expect(only(`"input":"${unknown}"`, 'data')).toMatchObject({
      form: 'calldata',
      selector: '0x12345678',
      functions: [],
    });
    expect(only(`"x":"${unknown}"`, 'data')).toMatchObject({ form: 'bytes', selector: null });
  });
  it('is an error where its selector is known', () => {
    const revert = `0x08c379a0${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${'666f6f'.padEnd(64, '0')}`;
    expect(only(`data: "${revert}"`, 'data')).toMatchObject({ form: 'revert', errors: [{ name: 'Error' }] });
    expect(only(`0x4e487b71${'11'.padStart(64, '0')}`, 'data')).toMatchObject({
      form: 'revert',
      errors: [{ name: 'Panic' }],
    });
  });
  it.each([
    ['6080604052348015600e575f5ffd5b50', 'bytecode'],
    ['608060405234801561001057600080fd5b50', 'bytecode'],
    ['60a060405234801561001057600080fd5b50', 'bytecode'],
    ['3d602d80600a3d3981f3363d3d373d3d3d363d73', 'bytecode'],
    ['363d3d373d3d3d363d73', 'bytecode'],
  ])('that begins with %s is code', (head, form) => {
    const text = `"bytecode":"0x${head}${BARE}5af43d82803e903d91602b57fd5bf3${'5b'.repeat(30)}"`;
    expect(only(text, 'data')).toMatchObject({ form });
  });
  it('has other shapes too', () => {
    expect(only(`0xef0100${BARE}`, 'data')).toMatchObject({ form: 'delegation', size: 23, address: LOWER });
    expect(only(`0x${HASH.slice(2)}${OTHER.slice(2)}1b`, 'data')).toMatchObject({ form: 'signature', size: 65 });
    expect(only(`0x${HASH.slice(2)}${OTHER.slice(2)}`, 'data')).toMatchObject({ form: 'words', size: 64 });
    expect(only(`0x${HASH.slice(2)}${OTHER.slice(2)}abcdef`, 'data')).toMatchObject({ form: 'bytes' });
  });
  it('finds nothing inside data, with or without link', () => {
    expect(kinds(`0x6080604052${`73${BARE}`.repeat(50)}`)).toEqual(['data']);
    expect(kinds(`"bytecode": "6080604052${`73${BARE}`.repeat(50)}"`)).toEqual([]);
    expect(kinds(`"0x608060405273__$0123456789abcdef0123456789abcdef01$__63${BARE}"`)).toEqual([]);
    expect(kinds(`hex"${BARE}"`)).toEqual([]);
    expect(kinds(`hex"${HASH.slice(2)}"`)).toEqual([]);
  });
});

describe('truncated and mistyped', () => {
  it.each(['0x1234…abcd', '0x1234...abcd', '0x1234****', 'tx 0xd8dA6B…', `txHash: ${HASH.slice(0, 30)}...`])(
    '%s is truncated',
    text => {
      expect(kinds(text)).toEqual(['truncated']);
    },
  );
  it.each([
    [`address: '${ADDRESS.slice(0, -1)}'`, 'address', -1],
    [`to: "${ADDRESS}5"`, 'address', 1],
    [`address token = ${ADDRESS.slice(0, -2)};`, 'address', -2],
    [`HexToAddress("${ADDRESS}0")`, 'address', 1],
    [`contract ${ADDRESS}0`, 'address', 1],
    [`txHash: ${HASH.slice(0, -1)}`, 'hash', -1],
    [`blockHash = '${HASH}0'`, 'hash', 1],
    [`/tx/${HASH}00`, 'hash', 2],
  ])('have digits too many or too few: %s', (text, of, off) => {
    expect(only(text, 'nearMiss')).toMatchObject({
      expected: of,
      difference: off,
      digits: (of === 'address' ? 40 : 64) + off,
    });
  });
  it.each([
    `value: ${ADDRESS}0`,
    `x = ${HASH}0`,
    `0x${'1'.repeat(39)}`,
    `publicKey: 0x02${HASH.slice(2)}`,
    `txKey: 0x03${HASH.slice(2)}`,
  ])('%s is any other hex', text => {
    expect(kinds(text)).toEqual([]);
  });
});

describe('without prefix', () => {
  it.each([
    `{"address":"${BARE}","crypto":{}}`,
    `https://etherscan.io/address/${BARE}`,
    `wallet: ${BARE}`,
    'account f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  ])('an address is detected in %s', text => {
    expect(kinds(text)).toEqual(['address']);
  });
  it.each([
    BARE,
    `commit ${BARE}`,
    `"gitHead": "${BARE}"`,
    `sha1 = ${BARE}`,
    `https://github.com/a/b/commit/${BARE}`,
    `resolved "https://registry.example/a.tgz#${BARE}"`,
    `hash: ${BARE}`,
    `from ${BARE} to ${BARE}`,
    `git checkout ${BARE}`,
    `sha256: ${HASH.slice(2)}`,
    HASH.slice(2),
    `integrity=${HASH.slice(2)}`,
    `PRIVATE_KEY=${HASH.slice(2)}`,
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  ])('nothing is detected in %s', text => {
    expect(kinds(text)).toEqual([]);
  });
  it('a transaction hash must be named as one', () => {
    expect(only(`transactionHash: ${HASH.slice(2)}`, 'hash32')).toMatchObject({
      hash: HASH,
      hint: { kind: 'transaction' },
    });
    expect(only(`https://etherscan.io/tx/${HASH.slice(2)}`, 'hash32')).toMatchObject({ hash: HASH, chainId: 1 });
  });
});

describe('documents', () => {
  it('are understood: a JSON-RPC transaction', () => {
    const text = JSON.stringify({
      blockHash: OTHER,
      blockNumber: '0x10d4f',
      from: LOWER,
      gas: '0x5208',
      hash: HASH,
      input: `0xa9059cbb${BARE.padStart(64, '0')}${'1'.padStart(64, '0')}`,
      nonce: '0x15',
      r: THIRD,
      s: FOURTH,
      to: null,
      value: '0xde0b6b3a7640000',
    });
    expect(
      detectLiterals(text).map(subject => [
        subject.kind,
        subject.kind === 'hash32' ? (subject.hint?.kind ?? null) : null,
      ]),
    ).toEqual([
      ['hash32', 'block'],
      ['address', null],
      ['hash32', 'hash'],
      ['data', null],
      ['hash32', null],
      ['hash32', null],
    ]);
  });

  it('a receipt log, pretty-printed', () => {
    const text = JSON.stringify(
      {
        logs: [
          {
            address: LOWER,
            topics: [TRANSFER, `0x${BARE.padStart(64, '0')}`, `0x${'5'.padStart(64, '0')}`],
            data: '0x',
            transactionHash: HASH,
            logsBloom: `0x${'00'.repeat(256)}`,
          },
        ],
      },
      null,
      2,
    );
    expect(detectLiterals(text).map(subject => subject.kind)).toEqual([
      'address',
      'topic',
      'paddedAddress',
      'word',
      'hash32',
      'data',
    ]);
  });

  const kindsIn = (text: string, fileName?: string) =>
    detectLiterals(text, { fileName }).map(subject =>
      subject.kind === 'hash32' ? (subject.secretWord ?? subject.hint?.kind ?? 'hash32') : subject.kind,
    );

  it('the log of a Hardhat node', () => {
    const text = [
      'eth_sendRawTransaction',
      '  Contract deployment: Lock',
      `  Contract address:    ${LOWER}`,
      `  Transaction:         ${HASH}`,
      `  From:                ${LOWER}`,
      '  Value:               0.001 ETH',
      `  Block #1:            ${OTHER}`,
    ].join('\n');
    expect(kindsIn(text)).toEqual(['address', 'transaction', 'address', 'block']);
  });

  it('the output of Anvil at start', () => {
    const text = [
      'Available Accounts',
      '==================',
      '',
      `(0) ${ADDRESS} (10000.000000000000000000 ETH)`,
      `(1) ${LOWER} (10000.000000000000000000 ETH)`,
      '',
      'Private Keys',
      '==================',
      '',
      `(0) ${HASH}`,
      `(1) ${OTHER}`,
      `(2) ${ANVIL_KEY}`,
      '',
      'Chain ID',
      '==================',
      '',
      '31337',
    ].join('\n');
    expect(kindsIn(text)).toEqual(['address', 'address', 'private keys', 'private keys', 'developmentKey']);
    expect(kindsIn(text.replaceAll('\n', '\r\n'), 'anvil.log')).toEqual([
      'address',
      'address',
      'private keys',
      'private keys',
      'developmentKey',
    ]);
  });

  it('a receipt printed by cast, and one as YAML', () => {
    const text = [
      `blockHash               ${OTHER}`,
      'blockNumber             1',
      'contractAddress         ',
      `from                    ${ADDRESS}`,
      `root                    ${OTHER}`,
      `transactionHash         ${HASH}`,
    ].join('\n');
    expect(kindsIn(text)).toEqual(['block', 'address', 'hash', 'transaction']);
    expect(
      kindsIn(
        `- address: ${ADDRESS}\n  blockHash: ${OTHER}\n  topics: [\n  \t${TRANSFER}\n  \t${HASH}\n  ]\n  transactionHash: ${HASH}`,
      ),
    ).toEqual(['address', 'block', 'topic', 'topic', 'transaction']);
  });

  it('are understood: an error of a library, in one line', () => {
    const text = `Error: transaction execution reverted (action="sendTransaction", data=null, receipt={ "_type": "TransactionReceipt", "blockHash": "${OTHER}", "from": "${ADDRESS}", "hash": "${HASH}" }, transactionHash="${HASH}", code=CALL_EXCEPTION)`;
    expect(kindsIn(text)).toEqual(['block', 'address', 'hash', 'transaction']);
    expect(kindsIn(`level=info, msg="tx sent, ok", hash=${HASH}, from=${ADDRESS}`)).toEqual(['hash', 'address']);
    expect(
      kindsIn(
        `INFO [11-20|10:00:00.000] Submitted transaction                    hash=${HASH} from=${ADDRESS} nonce=0`,
      ),
    ).toEqual(['hash', 'address']);
  });

  it('are understood: a broadcast file of Foundry', () => {
    const text = JSON.stringify(
      {
        transactions: [
          {
            hash: HASH,
            transactionType: 'CREATE',
            contractAddress: LOWER,
            transaction: { from: LOWER, input: `0x6080604052${'60'.repeat(40)}` },
          },
        ],
        receipts: [{ transactionHash: HASH, blockHash: OTHER, logsBloom: `0x${'00'.repeat(256)}` }],
        commit: BARE.slice(0, 7),
      },
      null,
      2,
    );
    expect(kindsIn(text)).toEqual(['hash', 'address', 'address', 'data', 'transaction', 'block', 'data']);
  });

  it('are understood: a configuration of Hardhat', () => {
    const text = `networks: {
      sepolia: {
        url: 'https://rpc.example/tx',
        accounts: [process.env.KEY ?? '${HASH}'],
      },
      local: {
        accounts: [
          { privateKey: '${OTHER}', balance: '1' },
        ],
      },
    },`;
    expect(kindsIn(text)).toEqual(['env key', 'private key']);
  });

  it('returns the same literal at every offset in it', () => {
    const text = `privateKey: '${HASH}', txHash: '${OTHER}', to: "${ADDRESS}", sel 0xa9059cbb\n${BARE} /block/5`;
    const all = detectLiterals(text);
    for (let offset = 0; offset <= text.length; offset++) {
      const expected =
        all.find(({ start, end }) => start <= offset && offset < end) ?? all.find(({ end }) => end === offset) ?? null;
      expect(detectLiteralAt(text, offset)).toEqual(expected);
    }
  });
});
