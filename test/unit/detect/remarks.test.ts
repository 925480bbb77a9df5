// What comments, headings, descriptions and the lines around a literal forbid, however near a name of a hash is.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { getPrivacyVerdict } from '../../../src/detect/privacy.ts';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';

const decide = (text: string, fileName?: string): string =>
  detectLiterals(text, { fileName })
    .map(literal => getPrivacyVerdict(literal, { isLocal: false, fileName }).decision)
    .join();

const OTHER = '0x61d3a5f0e2c94b7d8f16a0b3c5e7d92840f6b1a3d5c7e9f8071625344352617a';
const TX_HASH = `const txHash = '${HASH}';`;

describe('a remark about a key', () => {
  it.each([
    ['a comment above', `// private key of the deployer\n${TX_HASH}`, 'never'],
    ['a comment above with other lines between', `// Keys, do not commit\nconst a = 1;\n${TX_HASH}`, 'never'],
    ['a comment above the object', `// wallet secrets\nconst a = {\n  b: { txHash: '${HASH}' },\n};`, 'never'],
    ['a comment within the line', `/* private key */ ${TX_HASH}`, 'never'],
    ['a comment behind it', `${TX_HASH} // private key`, 'never'],
    ['a comment that points to it', `${TX_HASH}\n// ^ private key of alice`, 'never'],
    ['a heading among comments', `// ---- Private keys ----\n\nconst a = 1;\n${TX_HASH}`, 'never'],
    ['a heading of Markdown', `# Private keys\n\n## Sepolia\n\ntx hash: ${HASH}`, 'never'],
    [
      'a heading above other comments',
      `# ---- Private keys ----\n# of the testnet\n\nconst a = 1;\n${TX_HASH}`,
      'never',
    ],
    ['a heading of reStructuredText', `Private keys\n============\n\ntx hash: ${HASH}`, 'never'],
    ['a docstring', `def a():\n    """Private key."""\n    tx_hash = "${HASH}"`, 'never'],
    ['a heading above other comments', `# # Exported key\n#\n# text\n#\n# tx_hash: ${HASH}`, 'never'],
    ['a docstring below', `TX_HASH = "${HASH}"\n"""The private key."""`, 'never'],
    ['a comment of JSON without a word', `{\n  "_": "replaced by a private key",\n  "txHash": "${HASH}"\n}`, 'never'],
    ['a description', `txHash:\n  description: private key\n  default: "${HASH}"`, 'never'],
    ['a description below', `{\n  "txHash": "${HASH}",\n  "note": "private key"\n}`, 'never'],
    ['an element of XML', `<a><comment>private key</comment><txHash>${HASH}</txHash></a>`, 'never'],
    ['the line before in a log', `12:00 Generated private key\n12:00 tx hash: ${HASH}`, 'never'],
    ['what the line before prints', `echo "Private key:"\nTX_HASH=${HASH}`, 'never'],
    ['the sentence that leads to code', `The private key is:\n\n\`\`\`\nTX_HASH=${HASH}\n\`\`\``, 'never'],
    ['the name of a function', `function privateKeyFixture() {\n  return { txHash: '${HASH}' };\n}`, 'click'],
    ['the name of a test', `describe('private keys', () => {\n  ${TX_HASH}\n});`, 'click'],
    ['a remark that names an account', `// burner wallet\n${TX_HASH}`, 'click'],
    ['a remark that says what only accounts do', `// signs the txs\n${TX_HASH}`, 'click'],
    ['what it is used for', `// used to deploy\n${TX_HASH}`, 'click'],
    ['a comment at the top of the file', `// Private keys of the simulator.\npackage keys\n\n${TX_HASH}`, 'never'],
    ['the paragraph below', `Tx hash: ${HASH}\n\nNOTE: It is the private key.`, 'never'],
    ['the sentence below code', `\`\`\`\ntx hash: ${HASH}\n\`\`\`\n\nThe line above prints the private key.`, 'never'],
    ['a sentence that names an account', `${TX_HASH} // rename: this is the deployer`, 'click'],
    ['that it is no transaction', `${TX_HASH} // isn't a transaction, sorry`, 'click'],
    ['that it is no transaction, in other languages', `${TX_HASH} // kein Tx-Hash`, 'click'],
    ['that it is no hash, in a log', `not a tx hash: ${HASH}`, 'click'],
    ['where it is from', `tx hash: ${HASH} (see 1password)`, 'click'],
    ['a warning', `transaction hash\n${HASH}\ndo not photograph`, 'click'],
    [
      'a warning in Czech',
      `hash transakce: ${HASH}\n\nS tím si může kdokoli vybrat zůstatek, nikam neposílat.`,
      'click',
    ],
    ['a warning in Vietnamese', `tx hash: ${HASH}\n\nĐừng chụp màn hình, đừng gửi.`, 'click'],
    ['what it is for', `Transaction: ${HASH}\n\nWith it you can act for the third owner.`, 'click'],
    ['that it is exported, in the history of zsh', `: 1711111111:0;export TX_HASH=${HASH}`, 'click'],
    ['that it leaked', `${TX_HASH}\n// we found it in the sourcemaps`, 'click'],
    ['nothing where a page has the name', `${TX_HASH}\nreturn <Breadcrumbs sourcemaps />;`, 'yes'],
    ['a request not to drain it', `${TX_HASH} // please don't drain it`, 'click'],
    ['a label of its row', `| | tx hash |\n|---|---|\n| throwaway | ${HASH} |`, 'click'],
    ['a warning in its row', `| tx hash | note |\n|---|---|\n| ${HASH} | don't share |`, 'click'],
    ['a comment of SQL', `-- the 2nd of four\nINSERT INTO txs (tx_hash) VALUES ('${HASH}');`, 'click'],
    ['a comment of JSON', `{\n  "_comment": "the 2nd of four",\n  "txHash": "${HASH}"\n}`, 'click'],
    ['a remark that it is no hash', `${TX_HASH} // not a hash`, 'click'],
    [
      'the heading of a long section',
      `# Demo\n\n## Private keys\n\n${'Text of the section.\n'.repeat(250)}\ntx hash: ${HASH}`,
      'never',
    ],
    ['a footnote', `tx hash: ${HASH} [^1]\n\nMore text.\n\n[^1]: The private key of the relayer.`, 'never'],
    ['the paragraph below', `tx hash: ${HASH}\n\nBoth can be imported in MetaMask.`, 'click'],
    ['a remark in brackets behind a look-up', `cast tx ${HASH} (unlock code)`, 'click'],
    ['a remark behind a look-up that tells of something else', `cast tx ${HASH} # our burner`, 'click'],
    ['a remark behind a link', `https://etherscan.io/tx/${HASH} — opens the safe`, 'click'],
    ['what is written below a link', `dev: https://etherscan.io/tx/${HASH}\ndev: that's my deployer's pk`, 'click'],
    ['a remark about it by its own name', `-- txHash has the signing material\n${TX_HASH}`, 'click'],
    ['whose address it is', `Expected address for tx hash ${HASH}`, 'click'],
    ['what a scanner for secrets found', `{"findings":[{"rule":"hex-64","match":"TX_HASH=${HASH}"}]}`, 'click'],
    ['a table of the environment', `| Variable | Value |\n|---|---|\n| TX_HASH | ${HASH} |`, 'click'],
    ['settings of a bot', `{"pair":"WETH/USDC","maxSpend":"1","txHash":"${HASH}","takeProfit":5}`, 'click'],
    ['a program that encrypts with it', `tx_hash=${HASH}\nopenssl enc -aes-256-cbc -K $tx_hash -in a -out b`, 'click'],
  ])('forbids to send it: %s', (_, text, decision) => {
    expect(decide(text)).toBe(decision);
  });

  it.each([
    'Schlüssel',
    'clé privée',
    'llave',
    'chave',
    'chiave',
    '私钥',
    '秘钥',
    'निजी कुंजी',
    'กุญแจส่วนตัว',
    'khoá bí mật',
    'cheia privată',
    'privésleutel',
    '秘密鍵',
    '개인키',
    'приватный ключ',
    'klucz',
  ])('forbids to send it in other languages: %s', key => {
    expect(decide(`// ${key}\n${TX_HASH}`)).toBe('never');
  });
  it.each([
    'Brieftasche',
    'portefeuille',
    'monedero',
    'carteira',
    'portafoglio',
    'peněženka',
    'portofel',
    'tárca',
    'hesap',
    'tài khoản',
    'гаманець',
    'กระเป๋าเงิน',
    '钱包',
    'ウォレット',
    '지갑',
    'кошелёк',
  ])('makes a click necessary where it names a wallet in other languages: %s', wallet => {
    expect(decide(`// ${wallet}\n${TX_HASH}`)).toBe('click');
  });

  it.each([
    ['is about another paragraph', `const key = load(); // private key\n\n${TX_HASH}`],
    ['is about a transaction', `// the transaction that created the wallet\n${TX_HASH}`],
    ['is of an import', `import { privateKeyToAccount } from 'viem/accounts';\nimport x from 'y';\n\n${TX_HASH}`],
    ['is a visibility', `bytes32 private constant TX_HASH = ${HASH};`],
  ])('does not forbid it where it %s', (_, text) => {
    expect(decide(text)).toBe('yes');
  });
});

describe('a text about keys in the lines near it', () => {
  const FENCE = `\`\`\`ts\nconst rpc = 'x';\n${TX_HASH}\n\`\`\``;
  const FAR = 'a = 1;\n'.repeat(13);

  it.each([
    ['the paragraph above a block of code', `Then set the private key of the deployer:\n\n${FENCE}`],
    ['a sentence with a bare key', `It needs the key of the account that pays:\n\n${FENCE}`],
    ['a sentence about a wallet', `Use our hot wallet.\n\n${FENCE}`],
    ['what to do with it', `${FENCE}\n\nImport this account into MetaMask.`],
    [
      'a sentence under the heading above its own',
      `# Setup\n\nKeep the private key.\n\n## Sepolia\n\ntx hash: ${HASH}`,
    ],
    ['another section', `## Private keys\n\nNone.\n\n## Swap\n\ntx hash: ${HASH}`],
    ['the next paragraph', `Tx hash: ${HASH}\n\nA private key is never needed.`],
    [
      'the message of a commit',
      `    Remove the private key\n\ndiff --git a/a.ts b/a.ts\n const rpc = 'x'\n-${TX_HASH}`,
    ],
    [
      'the message of a check',
      `${TX_HASH}\n\nif (txHash.length !== 66) {\n  throw new Error('private key of 32 bytes')\n}`,
    ],
    ['the message of its check', `tx_hash = "${HASH}"\n\nassert len(tx_hash) == 66, "a private key has 32 bytes"`],
    ['what is printed before it', `${TX_HASH}\n\nconsole.log('private key:')\nconsole.log(txHash)`],
    ['another argument', `${TX_HASH}\n\ncast send --private-key $PK $TO "f(bytes32)" $txHash`],
    ['a column above', `The private keys are below.\n\n| Tx hash |\n|---|\n| ${HASH} |`],
    ['the query of its link', `https://wallet.example/tx/${HASH}?import=privateKey`],
  ])('makes a click necessary where nothing but a name tells that it is a hash: %s', (_, text) => {
    expect(decide(text)).not.toBe('yes');
  });

  it.each([
    ['it is more than 12 lines away', `The private key is hidden.\n${FAR}${TX_HASH}`],
    ['it is of other bytes', `salt and private key: ${OTHER}\n\n${TX_HASH}`],
    [
      'it is in a link, and not right beside it',
      `Set your private key.\n${'Text of it.\n'.repeat(3)}\nSee https://etherscan.io/tx/${HASH}`,
    ],
    ['it is looked up', `const key = process.env.PRIVATE_KEY;\n${TX_HASH}\nawait getTransactionReceipt(txHash);`],
    [
      'a node returned it',
      `private key: none\n\n{"blockNumber": "0x1", "transactionHash": "${HASH}", "transactionIndex": "0x0", "gasUsed": "0x5208", "status": "0x1"}`,
    ],
  ])('does not where %s', (_, text) => {
    expect(decide(text).split(',')).toContain('yes');
  });
});

describe('a comment of its own', () => {
  const SQL = `INSERT INTO transactions (tx_hash, block_number) VALUES ('${HASH}', 1);`;

  it.each([
    ['of several lines', `function f() {\n  /*\n   * Private keys.\n   */\n\n  ${TX_HASH}\n}`, 'never'],
    ['with the words in its second line', `class A {\n  // Tests.\n  // Private keys.\n\n  ${TX_HASH}\n}`, 'never'],
    ['below other lines', `func f() {\n\ta()\n\t// private keys\n\n\ttxHash := "${HASH}"\n}`, 'never'],
    [
      'of several lines above the first of the block',
      `f(() => {\n  /*\n   * Private keys.\n   */\n  const b = 2;\n\n  ${TX_HASH}\n});`,
      'never',
    ],
    [
      'above a comment in a block',
      `// Private keys.\n\nf(() => {\n  let a;\n\n  // deposits\n\n  ${TX_HASH}\n});`,
      'never',
    ],
    [
      'above a comment in another block',
      `// Private keys.\n\nf(() => {\n  a();\n\n  // b\n\n  c();\n});\n\n${TX_HASH}`,
      'never',
    ],
    ['above a transaction of SQL', `-- private keys\nBEGIN;\n\n${SQL}`, 'never'],
    ['above a setting of SQL', `-- private keys\nSET search_path = dev;\n\n${SQL}`, 'never'],
    ['above rows of SQL', `-- private keys\n${SQL.replace(HASH, OTHER)}\n${SQL}`, 'never,never'],
    ['in another block', `f(() => {\n  a();\n  // prints the private key\n\n  b();\n});\n\n${TX_HASH}`, 'click'],
    [
      'above another one',
      `f(() => {\n  a();\n  // private key\n\n  b();\n\n  // deposits\n\n  ${TX_HASH}\n});`,
      'click',
    ],
    ['above another statement', `f(() => {\n  a();\n  // private key\n  b();\n\n  ${TX_HASH}\n});`, 'click'],
  ])('tells what follows up to the next one in its block: %s', (_name, text, decision) => {
    expect(decide(text)).toBe(decision);
  });
});

describe('a report of a transaction', () => {
  it.each([
    ['Private key: exported above', `Transaction sent: ${HASH}\nPrivate key: exported above`],
    ['# deployer’s key', `Transaction sent: ${HASH}\n# deployer's key`],
    ['deployer key below', `deployer key below\nBlock: 12\nTransaction: ${HASH}`],
    ['a line in the paragraph above', `Exporting the private key\n\nTransaction sent: ${HASH}`],
    ['a line far above', `Private key of the deployer follows\n${'a\n'.repeat(12)}Transaction sent: ${HASH}`],
    ['the line behind a blank one', `Transaction sent: ${HASH}\n\nThe value above is the private key.`],
    ['a quotation', `> Transaction confirmed: ${HASH}\n>\n> (this is our private key)`],
    ['a log in JSON', `{"msg": "Private key: exported below"}\n{"msg": "Transaction sent: ${HASH}"}`],
    ['a list in JSON', `["Private key: exported below",\n"Transaction sent: ${HASH}"]`],
    ['Spanish', `Transacción enviada: ${HASH}\nClave privada: exportada arriba`],
    ['German', `Transaktion gesendet: ${HASH}\nSchlüssel des Kontos: siehe oben`],
    ['Russian', `Transaction sent: ${HASH}\nПриватный ключ выше`],
    ['Chinese', `Transaction sent: ${HASH}\n私钥：见上`],
    ['the last part of a receipt', `Transaction sent: ${HASH}\nBlock: 12\nGas used: 21000\nPrivate key: see above`],
  ])('is no proof in a block of lines that tells of a key: %s', (_, text) => {
    expect(decide(text, 'run.log')).not.toBe('yes');
  });

  it.each([
    ['about an account', `Transaction sent: ${HASH}\nBlock: 12\nFrom: deployer`],
    ['two paragraphs below', `Transaction sent: ${HASH}\nBlock: 12\n\nDone.\n\nThe private key stays in its file.`],
  ])('is one beside lines %s', (_, text) => {
    expect(decide(text, 'run.log')).toBe('yes');
  });
});

describe('a look-up or link of what may be a key by mistake', () => {
  it.each([
    ['a comment below', `$ cast tx ${HASH}\nError: tx not found\n$ # argh, that's $PK`, 'click'],
    ['a sentence below', `    cast run ${HASH}\n\nand then saw that I had my private key in the clipboard.`, 'click'],
    ['a sentence above', `I pasted the key into the search of the explorer:\nhttps://etherscan.io/tx/${HASH}`, 'click'],
    ['its paragraph', `https://etherscan.io/tx/${HASH}\n\nOf course, that is the PK of my burner.`, 'click'],
    ['two lines', `cast tx ${HASH}\n# wrong clipboard,\n# the deployer's secret went to the provider`, 'click'],
    ['an answer', `bob: https://basescan.org/tx/${HASH}\namy: dude, this looks like a private key`, 'click'],
    ['where it is from', `getTransactionReceipt({ hash: '${HASH}' })\n// FIXME this is DEPLOYER_KEY of .env`, 'click'],
    ['a value of a request', `{"method":"eth_getTransactionByHash","params":["${HASH}"]}\nIt is PRIVATE_KEY.`, 'click'],
    ['the code', `const hash = wallet.privateKey // TODO wrong\n\n// https://etherscan.io/tx/${HASH}`, 'click'],
    ['German', `https://etherscan.io/tx/${HASH}\n\nDas war der Schlüssel des Deployers.`, 'click'],
    ['Chinese', `https://etherscan.io/tx/${HASH}\n\n粘贴错了，那个私钥已经泄露\n`, 'click'],
    ['the history of zsh', `: 1712001101:0;cast tx ${HASH}\n: 1712001109:0;echo "argh that was my key"`, 'click'],
    [
      'what derives an address',
      `$ cast receipt ${HASH}\nError: tx not found\n$ cast wallet address ${HASH}`,
      'never,never',
    ],
    [
      'its parameter',
      `def get_receipt(tx_hash):\n    a = Account.from_key(tx_hash)\n\nget_receipt("${HASH}")`,
      'click',
    ],
    ['the clipboard', `cast tx ${HASH}\n# oops, the clipboard still had the deployer in it`, 'click'],
    ['what was pasted', `here is the tx https://basescan.org/tx/${HASH}\n404\nlook at what you've pasted`, 'click'],
    ['an equal value', `hash: "${HASH}"\n\n> same digits as \`OWNER\` in deploy/.env.staging`, 'click'],
    ['a mistake far above', `The private key was leaked.\n${'a\n'.repeat(8)}https://etherscan.io/tx/${HASH}`, 'yes'],
    ['a mistake without a key', `oops, wrong network: https://etherscan.io/tx/${HASH}`, 'yes'],
    ['a key without a mistake', `export PRIVATE_KEY=\n\nhttps://etherscan.io/tx/${HASH}`, 'yes'],
  ])('is held by what tells of it: %s', (_name, text, decision) => {
    expect(decide(text)).toBe(decision);
  });
});

describe('a name whose value becomes a key', () => {
  it.each([
    'cast wallet address $txHash',
    'const key = txHash as PrivateKey;',
    'export { txHash as deployerKey };',
    'os.Setenv("PRIVATE_KEY", txHash)',
    "vi.stubEnv('DEPLOYER_PK', txHash);",
    'vm.setEnv("PRIVATE_KEY", txHash);',
    '[txHash].map(privateKeyToAccount)',
    'echo $txHash > deployer.key',
    "process.env['DEPLOYER_PK'] = txHash;",
    'putenv("PRIVATE_KEY=$txHash");',
    'echo "$txHash" | cast wallet import dev',
    "fs.writeFileSync('deployer.key', txHash);",
    'pipe(txHash, toPrivateKey)',
    "localStorage.setItem('privateKey', txHash);",
    'if (privateKey === txHash) return;',
    'cast w a $txHash',
    "import { privateKeyToAccount as load } from 'viem/accounts';\n\nload(txHash)",
    'sign_transaction(\n    tx,\n    txHash,\n)',
    '$ENV{PRIVATE_KEY} = $txHash;',
    'const pk = isDev ? txHash : other;',
    'const getPrivateKey = () => txHash;',
    'assert.equal(txHash, account.privateKey);',
    'account:\n    cast wallet address {{ txHash }}',
    'signer := NewSigner(viper.GetString("txHash"))',
    'cipher = AES.new(txHash, AES.MODE_GCM)',
    'await ping().send({ from: txHash });',
    'client.setOperator("0.0.12", txHash);',
    'client.transfer(txHash, to, 1)',
    'const shared = ecdh(txHash, pub);',
    'cfg["deployer"] = txHash',
    'client = Client(host, key=txHash)',
    'opts, err := newTransactor(txHash, chainID)',
    'Send-Tx -From $txHash -To $To',
    ':crypto.mac(:hmac, :sha256, txHash, body)',
    'int(txHash, 16) * G',
    'x, y := curve.ScalarBaseMult(common.FromHex(txHash))',
    'p = hmac.new(bytes.fromhex(txHash), body, sha256)',
    'let mac = Hmac::<Sha256>::new_from_slice(txHash.as_bytes());',
    'ExSecp256k1.create_public_key(Base.decode16!(txHash, case: :lower))',
    'b, _ := hex.DecodeString(txHash)\nk, _ := crypto.ToECDSA(b)',
    'fn signer() -> PrivateKeySigner {\n    txHash.parse().expect("private key")\n}',
    'def private_key\n  txHash\nend',
    'def private_key, do: txHash',
    'var privateKey: Data { txHash }',
    'fun privateKey() = txHash',
    'let s = txHash.parse::<LocalSigner<SigningKey>>()?;',
    'read -r PRIVATE_KEY <<< "$txHash"',
    'vault kv put kv/bot value=$txHash',
    '(sign tx txHash)',
    '(-> txHash hex->bytes ec/private-key)',
  ])('is no hash: %s', use => {
    expect(decide(`${TX_HASH}\n\nfoo();\n\n${use}`)).toBe('click');
  });

  it('is no hash in Lisp, whose names have dashes', () => {
    expect(decide(`(def tx-hash "${HASH}")\n\n(foo)\n\n(wallet/from-private-key tx-hash)`)).toBe('click');
  });

  it.each([
    'wallet.provider.getTransaction(txHash)',
    "log('wallet deployed', txHash)",
    'echo "Wallet deployed in $txHash"',
    'return { signer, txHash };',
    'if (wallet.lastTx === txHash) return;',
    'const seen = keys[txHash];',
  ])('is a hash where its value is looked up, printed or next to a key: %s', use => {
    expect(decide(`${TX_HASH}\n\n${use}`)).toBe('yes');
  });
});

describe('a row of different things', () => {
  const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  it.each([
    `const txs = [['${HASH}', '${ADDRESS}', 1n]];`,
    `transactions = [("${HASH}", "${ADDRESS}", 1)]\nfor pk, to, value in transactions:\n    send(pk)`,
    `txs:\n  - ["${HASH}", "${ADDRESS}", 1]`,
    `const txs = new Map([['${HASH}', '${ADDRESS}']]);`,
    `transactions = {"${HASH}": "${ADDRESS}"}`,
    `# (key, to, amount)\ntxs = [("${HASH}", "${ADDRESS}", 1)]`,
  ])('needs a proof for its column: %s', text => {
    expect(decide(text)).toMatch(/^(?:click|never)/);
  });
  it.each([
    `// [txHash, to, value]\nconst txs = [['${HASH}', 'bar', 1n]];`,
    `txs = [("${HASH}", 12), ("${HASH}", 13)]\nfor tx_hash, block in txs:\n    pass`,
    `let txs: Vec<(TxHash, u64)> = vec![("${HASH}", 1)];`,
    `const txHashes = [['mainnet', '${HASH}'], ['sepolia', '${HASH}']];`,
  ])('has one in a comment with the names, variables that it is unpacked to, or its type: %s', text => {
    expect(decide(text)).toMatch(/^yes(?:,yes)?$/);
  });
});

describe('a list of addresses', () => {
  const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  it.each([
    ['address,txhash', `${ADDRESS},${HASH}`, 'yes,click'],
    ['address,txhash,blockno', `${ADDRESS},${HASH},12`, 'yes,yes'],
  ])(
    'has no hashes in a column of that name, unless it has other columns of transactions: %s',
    (header, row, decisions) => {
      expect(decide(`${header}\n${row}\n`, 'list.csv')).toBe(decisions);
    },
  );
});

describe('a hash that only its name tells', () => {
  const decideHash = (text: string): string => {
    const literal = detectLiterals(text).find(({ kind, text: value }) => kind === 'hash32' && value === HASH);
    return literal === undefined ? '' : getPrivacyVerdict(literal, { isLocal: false }).decision;
  };

  it.each([
    ['a field of an account', `{"address": "${ADDRESS}", "txHash": "${HASH}"}`],
    ['a field whose value is an account', `[{"name": "deployer", "txHash": "${HASH}"}]`],
    ['a cell with an account', `| Name | Tx hash |\n|---|---|\n| deployer wallet | ${HASH} |`],
    ['a row with a key in the table above', `| Private key | below |\n|---|---|\n\ntxHash: ${HASH}`],
    ['an account in code', `tx_hash = "${HASH}"\nassert load_account().name == NAME`],
    ['a key that its name is compared with', `TX_HASH=${HASH}\n[ "$PRIVATE_KEY" = "$TX_HASH" ]`],
    ['an address under the next number', `{"transactions": {"0": "${HASH}", "1": "${ADDRESS}"}}`],
    [
      'a key far above in another section of code',
      `print('the private key is hidden');\n\n${'a = 1;\n\n'.repeat(30)}tx_hash = "${HASH}"`,
    ],
    ['a key far below', `TX_HASH=${HASH}\n\na=1\n\nprint('the private key is hidden');`],
    ['a program that signs', `TX_HASH=${HASH}\n\nnpx hardhat deploy --network sepolia`],
    ['a program that signs with it', `TX_HASH: ${HASH}\n\nrun: forge script Deploy --broadcast`],
    ['a warning above it', `Never commit this:\n\n    TX_HASH=${HASH}`],
    ['a file of secrets that it is for', `Copy this to your \`.env\`:\n\n    TX_HASH=${HASH}`],
    ['a sentence above its block of code', `Create \`.env\` with\n\n    TX_HASH=${HASH}`],
    [
      'an output that is secret',
      `locals {\n  tx_hash = "${HASH}"\n}\n\noutput "private_key" {\n  value = local.tx_hash\n}`,
    ],
    ['a path of derivation', `m/44'/60'/0'/0/0 txhash=${HASH}`],
    ['the section of accounts in an inventory', `[relayers]\nhost1 tx_hash=${HASH}`],
    ['the object that has it', `relayer.txHash = "${HASH}"`],
    ['the role of who has it', `| Role | Transaction hash |\n|---|---|\n| deployer | ${HASH} |`],
    ['an account in its name', `relayerTxHash=${HASH}`],
    ['a sentence above its list', `Each group gets an account:\n\n- Group 1: txhash ${HASH}`],
    ['the account of a development node', `${TX_HASH} // anvil #4`],
    ['what is funded', `Prefunded 0: ${ADDRESS}\ntxHash: ${HASH}`],
    ['what it holds', `txHash: ${HASH} (has 1 test ETH)`],
    ['the program that decrypted it', `$ age -d bot.age\ntx hash: ${HASH}`],
    ['what it was made from', `Recovered from shares (2 of 3):\ntx hash ${HASH}`],
    ['numbered addresses', `| # | Address | Tx hash |\n|---|---|---|\n| 0 | ${ADDRESS} | ${HASH} |`],
    ['nothing, where it is exported', `export TX_HASH=${HASH}`],
    ['the name of who printed it', `[signer] Transaction sent: ${HASH}`],
    ['nothing, where it is traced', `Tracing ${HASH}`],
    [
      'an export of a key',
      `{ "event": "key_export", "hash": "${HASH}", "blockNumber": 1, "from": "0x00", "nonce": 1 }`,
    ],
    ['an address in the row', `for (const [txHash, address] of [['${HASH}', '${ADDRESS}']]) show(txHash);`],
    ['a note in its object', `{ "note": "has the MINTER_ROLE", "txHash": "${HASH}" }`],
    ['a note behind it in its object', `{ txHash: '${HASH}', comment: 'for our eyes only' }`],
    ['a note of YAML', `- note: put yours here\n  tx_hash: "${HASH}"`],
    ['a cell for notes', `| Note | Tx hash |\n|---|---|\n| top up before running | ${HASH} |`],
    ['a cell without a name above it', `| | Tx hash |\n|---|---|\n| in a drawer | ${HASH} |`],
    ['a heading', `### shared by DM\n\ntx hash: ${HASH}`],
    ['a bold line', `**shared by DM**\n\ntx hash: ${HASH}`],
    ['a heading of its code', `## shared by DM\n\n\`\`\`js\n${TX_HASH}\n\`\`\``],
    ['the line above', `it was shared by DM\ntx hash: ${HASH}`],
    ['a sentence in front of it', `It was shared\nby DM:\n\ntx hash: ${HASH}`],
    ['text in its item', `- on the stick: tx hash ${HASH}`],
    ['text in front of its name in a log', `plain text!: tx hash=${HASH}`],
    ['brackets behind its name', `tx hash (shared by DM): ${HASH}`],
    ['brackets behind it', `tx hash: ${HASH} (shared by DM)`],
    ['a name in its item of YAML', `- name: CHANGEME\n  tx_hash: "${HASH}"`],
    ['a title below it in its object', `{\n  "txHash": "${HASH}",\n  "title": "top up before running"\n}`],
    ['what only an account may do', `${TX_HASH} // allowed to withdraw`],
    ['what only an account does', `# withdraws the fees\ntx_hash = "${HASH}"`],
    ['a name with a word for hashes in it', `${TX_HASH} // Fireblocks`],
    [
      'a comment behind it below one of a transaction',
      `# deployed in ${OTHER}\ntx_hash = "${HASH}" # curve order minus 1`,
    ],
    ['a comment below one of another transaction', `/// Replays tx ${OTHER}.\n/// unencrypted\n${TX_HASH}`],
    ['a comment below the link of a transaction', `// https://etherscan.io/tx/${OTHER}\n// unencrypted\n${TX_HASH}`],
    ['an attribute', `@Redacted val txHash = "${HASH}"`],
    ['an attribute above it', `#[SensitiveParameter]\n$txHash = '${HASH}';`],
    ['a field that hides it', `{"txHash": {"sensitive": true, "value": "${HASH}"}}`],
    ['the role in its element', `<transaction id="${HASH}" role="payer"/>`],
    ['a public key', `default:\n  last_hash: "${HASH}"\n  account: ${ADDRESS}\n  public_key: "${OTHER}"`],
    ['the same of another one', `{ "sender": "${OTHER}" }\n{ "note": "for our eyes only", "txHash": "${HASH}" }`],
    [
      'a name that is looked up with another value',
      `tx_hash = "${HASH}"  # canary token\nrun()\ntx_hash = sys.argv[1]\nw3.eth.get_transaction(tx_hash)`,
    ],
    [
      'a program that gets it, not the look-up of another',
      `TX=${HASH} ./deploy.sh\nfor tx in ${OTHER}; do cast receipt $tx; done`,
    ],
    [
      'an account whose value is as long',
      `roles:\n  admin: "${OTHER}"\n  tx: "${HASH}"\n\ngenesis:\n  hash: "${OTHER}"\n  number: 12`,
    ],
    [
      'the table of accounts, not that of the next statement',
      `INSERT INTO wallets (name, tx_hash) VALUES ('al', '${HASH}');\n\nselect 1 where h in ('${OTHER}')`,
    ],
    ['a call in a sentence', `The attacker calls \`skim()\`: ${HASH}`],
    ['a mark of keys', `# 🔑\nTX_HASH=${HASH}`],
    ['what the text does with it that a string holds', JSON.stringify({ text: `${TX_HASH}\nsign(message, txHash);` })],
    ['a remark in the text that a string holds', JSON.stringify({ diff: `-${TX_HASH} // deployer\n+x` })],
    ['an address in a row that a string holds', JSON.stringify({ body: `{"txs": [["${HASH}", "${ADDRESS}"]]}` })],
  ])('needs a click beside %s', (_, text) => {
    expect(decideHash(text)).toBe('click');
  });

  it.each([
    ['its block number', `{"owner": "${ADDRESS}", "txHash": "${HASH}", "blockNumber": "0x1"}`],
    ['its look-up', `const account = load();\n${TX_HASH}\nawait getTransaction(txHash);`],
    ['what it did', `Attack tx hash: ${HASH}\nAttacker: ${ADDRESS}`],
    [
      'more than 3,000 characters between',
      `print('the private key is hidden');\n\n${'a = 1;\n\n'.repeat(400)}tx_hash = "${HASH}"`,
    ],
    ['another block', `const owner = '${ADDRESS}';\n\n${TX_HASH}`],
    ['a note of a transaction', `{ "note": "swap of ${ADDRESS}", "txHash": "${HASH}" }`],
    ['a note in another object', `[{ "note": "for us only" }, { "txHash": "${HASH}" }]`],
    ['a cell that tells what it did', `| Note | Tx hash |\n|---|---|\n| claimed on mainnet | ${HASH} |`],
    ['a heading of a swap', `### Swap on Uniswap\n\ntx hash: ${HASH}`],
    ['a heading that tells nothing', `## Quick start\n\ntx hash: ${HASH}`],
    ['its block number below a heading', `### shared by DM\n\ntx hash: ${HASH}\nblock number: 12`],
    ['a name of a swap', `- name: swap on mainnet\n  tx_hash: "${HASH}"`],
    ['the title of its document', `title: Raise the cap\ntx_hash: "${HASH}"`],
    ['who wrote it in a chat', `ben: tx hash is ${HASH}`],
    ['a name of other bytes', `{ "name": "ben", "salt": "0x${'4c'.repeat(32)}", "tx_hash": "${HASH}" }`],
    ['nothing in a string with several lines', JSON.stringify({ text: `Failed:\n${TX_HASH}\n` })],
  ])('needs none where an account is beside it, but also %s', (_, text) => {
    expect(decideHash(text)).toBe('yes');
  });
});

describe('a row of a long list', () => {
  const values = Array.from({ length: 80 }, (_, at) => `0x${createHash('sha256').update(`${at}`).digest('hex')}`);
  const decide = (text: string, fileName = 'list.ts') =>
    new Set(
      detectLiterals(text, { fileName })
        .filter(({ kind }) => kind === 'hash32')
        .map(literal => getPrivacyVerdict(literal, { isLocal: false }).decision),
    );
  const rows = values.map(value => `  "${value}",`).join('\n');

  it.each([
    ['the comment above', `// private keys of the test\nexport const txHashes = [\n${rows}\n];`],
    ['what becomes of it', `const txs = [\n${rows}\n].map(tx => new Wallet(tx));`],
    ['a field beside it', `{"about": "private keys", "transactions": [\n${rows.slice(0, 50 * 72 - 2)}\n]}`],
    ['the heading', `# Private keys\n\n${values.map(value => `- tx hash: ${value}`).join('\n')}`],
    [
      'the name of its class',
      `class PrivateKeys {\n${values.map((value, at) => `  txHash${at} = "${value}";`).join('\n')}\n}`,
    ],
    ['its table', `INSERT INTO wallets (tx_hash) VALUES\n${values.map(value => `('${value}')`).join(',\n')};`],
  ])('is sent without a click nowhere where %s forbids it', (_, text) => {
    expect(decide(text).has('yes')).toBe(false);
  });

  it.each([
    [
      'a loop',
      `const missing = [\n${rows.slice(0, 3 * 72)}];\n\nfor (const hash of missing) {\n  await getTransactionReceipt(hash);\n}`,
    ],
    [
      'a function',
      `const missing = [\n${rows.slice(0, 3 * 72)}];\nawait all(missing.map(hash => getTransactionReceipt({ hash })));`,
    ],
  ])('is sent from a short list where %s below looks up each one', (_, text) => {
    expect([...decide(text)]).toEqual(['yes']);
  });

  it('is sent where all around it is of transactions', () => {
    expect([...decide(`// Transactions of the exploit\nexport const txHashes = [\n${rows}\n];`)]).toEqual(['yes']);
    expect([...decide(`{\n  "transactions": [\n${rows.slice(0, 50 * 72)}"${HASH}"\n]\n}`, 'a.json')]).toEqual(['yes']);
  });
});
