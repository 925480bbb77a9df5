// What may leave the machine, by literal, nodes, file and click.
import { describe, expect, it } from 'vitest';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { getPrivacyVerdict, isSecretFile, type PrivacyFacts } from '../../../src/detect/privacy.ts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';
const PADDED = `0x${ADDRESS.slice(2).padStart(64, '0')}`;
const ANVIL_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

function verdict(text: string, facts: Partial<PrivacyFacts> = {}) {
  const [subject] = detectLiterals(text, { fileName: facts.fileName });
  if (subject === undefined) throw new Error(`nothing in ${text}`);
  return getPrivacyVerdict(subject, { isLocal: false, ...facts });
}

const remote = {};
const loopback = { isLocal: true };
const clicked = { isUserRequested: true };
const remoteNodes: PrivacyFacts = { isLocal: false };

describe('getPrivacyVerdict', () => {
  it.each<[string, Partial<PrivacyFacts>, string]>([
    [ADDRESS, remote, 'yes'],
    [ADDRESS, { fileName: '.env' }, 'yes'],
    ['0x000000000000000000000000000000000000dEaD', remote, 'never'],
    ['0xffffffffffffffffffffffffffffffffffffffff', loopback, 'never'],
    ['https://etherscan.io/block/5', remote, 'yes'],
    ['https://explorer.aptoslabs.com/block/5', { fileName: '.env' }, 'yes'],
    ['https://explorer.aptoslabs.com/txn/123456', { fileName: '.env' }, 'yes'],
    [`https://explorer.aptoslabs.com/txn/${HASH}`, remote, 'yes'],
    [`https://explorer.aptoslabs.com/txn/${HASH}`, { fileName: '.env' }, 'never'],
    [`https://explorer.aptoslabs.com/txn/${HASH}`, { fileName: '.env', ...loopback }, 'yes'],
    // no evidence
    [HASH, remote, 'click'],
    [HASH, clicked, 'yes'],
    [HASH, loopback, 'yes'],
    [`const x = '${HASH}'`, remote, 'click'],
    [`accounts: ['${HASH}']`, remote, 'click'],
    // evidence
    [`txHash: ${HASH}`, remote, 'yes'],
    [`hash: ${HASH}, blockNumber: 5`, remote, 'yes'],
    [`https://etherscan.io/tx/${HASH}`, remote, 'yes'],
    [`accepted ${HASH}`, { fileName: '/var/log/node.log' }, 'click'],
    [`tx: ${HASH} confirmed`, remote, 'yes'],
    [`tx: ${HASH}`, remote, 'click'],
    [`hash: ${HASH}`, remote, 'click'],
    // a bare word names sections, programs and accounts too
    [`tx: ${HASH}`, { fileName: 'deploy.yaml' }, 'click'],
    [`txHash: ${HASH}`, { fileName: 'deploy.yaml' }, 'yes'],
    [`signers: { tx: '${HASH}' }`, remote, 'click'],
    [`keys: { txHash: '${HASH}' }`, remote, 'never'],
    [`const txs = ['${HASH}'].map(send)`, remote, 'click'],
    [`./tx ${HASH}`, remote, 'click'],
    [`[tx] ${HASH}`, { fileName: 'node.log' }, 'click'],
    // padded addresses
    [`topics: ['${PADDED}']`, remote, 'yes'],
    [`wallet = ${PADDED}`, remote, 'click'],
    [`wallet = ${PADDED}`, clicked, 'yes'],
    [`WALLET=${PADDED}`, { fileName: '.env' }, 'never'],
    // nothing to find
    [`topic1: ${HASH}`, remote, 'never'],
    [`stateRoot: ${HASH}`, loopback, 'never'],
    // secrets
    [`privateKey: ${HASH}`, remote, 'never'],
    [`privateKey: ${HASH}`, clicked, 'never'],
    [`privateKey: ${HASH}`, loopback, 'never'],
    [`sign(txHash, '${HASH}')`, remote, 'never'],
    [`new Wallet('${HASH}')`, clicked, 'never'],
    [`key: ${HASH}`, remote, 'never'],
    [`privateKey: ${PADDED}`, clicked, 'never'],
    [`generated key ${HASH}`, { fileName: 'node.log' }, 'never'],
    // files of secrets
    [`TX_HASH=${HASH}`, { fileName: '.env' }, 'never'],
    [`TX_HASH=${HASH}`, { fileName: '/home/me/app/.env.local', isUserRequested: true }, 'never'],
    [`X=${HASH}`, { fileName: 'C:\\app\\.env.production' }, 'never'],
    [`TX_HASH=${HASH}`, { fileName: '.env', isLocal: true }, 'yes'],
    [`TX_HASH=${HASH}`, { fileName: 'src/environment.ts' }, 'yes'],
    // what is not asked about
    [ANVIL_KEY, loopback, 'never'],
    [`tx: ${ANVIL_KEY}`, clicked, 'never'],
    ['0x1234…abcd', clicked, 'never'],
    [`txHash: ${HASH}0`, clicked, 'never'],
    ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', clicked, 'never'],
    ['0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc', loopback, 'never'],
    ['0xa9059cbb', loopback, 'never'],
    [`tx: 0x${'1'.padStart(64, '0')}`, loopback, 'never'],
    [`"input":"0xa9059cbb${'0'.repeat(128)}"`, loopback, 'never'],
  ])('of %s with %o is %s', (text, facts, answer) => {
    const { decision: given, reason } = verdict(text, facts);
    expect(given).toBe(answer);
    expect(reason).toMatch(/^\P{Ll}.{10,}\.$/u);
  });

  it('gives the reason', () => {
    expect(verdict(`PRIVATE_KEY=${HASH}`).reason).toBe(
      '"private key" near it says that this may be a secret (rule 1).',
    );
    expect(verdict(`txHash: ${HASH}`).reason).toBe('It is a hash: "tx" says so (rule 9).');
    expect(verdict(HASH).reason).toBe(
      '32 bytes may be a private key, and nothing here proves that this is a hash (rule 8).',
    );
    expect(verdict(`a=${HASH}`, { fileName: '.env' }).reason).toBe(
      'This file holds secrets, and 32 bytes may be a private key (rule 2).',
    );
  });
});

describe('a key among words about transactions does not leave without a click', () => {
  it.each([
    `TX_SIGNER=${HASH}`,
    `txSender: '${HASH}'`,
    `transactionAccount = "${HASH}"`,
    `blockProducer: ${HASH}`,
    `txNonceKey: ${HASH}`,
    `sign tx using ${HASH}`,
    `Send the transaction with ${HASH}`,
    `hash the account ${HASH}`,
    `sendTransaction('${HASH}')`,
    `deployTx("${HASH}", 1)`,
    `executeTransaction(${HASH})`,
    `web3.eth.accounts.signTransaction(tx, "${HASH}")`,
    `Transaction.sign("${HASH}")`,
    `getSigner("${HASH}").sendTransaction(tx)`,
    `accounts: ['${HASH}'], // sends tx`,
    `accounts: [\n  '${HASH}', // sends tx\n]`,
    `accounts: [\n  // used for transactions\n  '${HASH}',\n]`,
    `accounts:\n  # sends the transactions\n  - ${HASH}`,
    `networks: { local: { url: 'http://x/tx', accounts: ['${HASH}'] } }`,
    `// Broadcasts the tx\n'${HASH}'`,
    `This account sends every transaction of the test\n${HASH}`,
    `const [txHash, key] = ['0x00', '${HASH}']`,
    `const [txHash, signer] = ['0x00', '${HASH}']`,
    `key, tx_hash = "${HASH}", other`,
    `signer, tx_hash = "${HASH}", other`,
    `tx_hash, pk = other, "${HASH}"`,
    `address,private_key,tx_hash\n${ADDRESS},${HASH},0x00`,
    `address,signer,tx_hash\n${ADDRESS},${HASH},0x00`,
    `function sendTx() {\n  return '${HASH}'\n}`,
    `const sendTx = () => '${HASH}'`,
    `async function waitForTransaction(a = '${HASH}') {}`,
    `case 'tx':\n  return '${HASH}'`,
    `if (tx) v = '${HASH}'`,
    `tx; '${HASH}'`,
    `let tx = f()\n'${HASH}'`,
    `privateKeys: { tx: '${HASH}' }`,
    `secrets: { txHash: '${HASH}' }`,
    `privateKeys: [{ block: '${HASH}' }]`,
    `/tx/sign/${HASH}`,
    `https://host.example/tx/new?from=${HASH}`,
    `https://host.example/tx?key=${HASH}`,
    `cast send --from 0x00 --tx --key ${HASH}`,
    `forge script Tx.s.sol --private-key ${HASH}`,
    `echo tx | sign ${HASH}`,
    `geth --nodekeyhex ${HASH}`,
    `ganache --account="${HASH},1000"`,
    `tx from ${HASH}`,
    `tx: { from: '${HASH}' }`,
    `sendRawTx(${HASH}, key)`,
    `hashlock preimage ${HASH}`,
    `"mnemonic hash" seed ${HASH}`,
  ])('in %s', text => {
    for (const subject of detectLiterals(text)) {
      if (subject.kind !== 'hash32') continue;
      expect(getPrivacyVerdict(subject, remoteNodes).decision, JSON.stringify(subject)).not.toBe('yes');
    }
    expect(detectLiterals(text).some(subject => subject.kind === 'hash32')).toBe(true);
  });
});

describe('isSecretFile', () => {
  it.each([
    '.env',
    '.env.local',
    '.env-prod',
    '.env_test',
    'prod.env',
    '/a/b/.env',
    'C:\\a\\.env',
    '.envrc',
    '.dev.vars',
    '.secret',
    'secrets.json',
    'secret.yaml',
    'server.key',
    'id.pem',
    'UTC--2026-01-01T00-00-00Z--d8da',
    '.ENV',
    // the old side of a diff, backups, merges, swap files
    '/a/prod.env.git',
    '.envrc.git',
    '.dev.vars.git',
    'deployer.key.git',
    '.npmrc.git',
    '.env~',
    '.env.swp',
    '.deployer.key.swp',
    '#.env#',
    '.#secrets.json',
    'prod.env.orig',
    'deployer.key.bak',
    'secrets.yaml.bak~',
    'deployer.key copy',
    'prod.env (2)',
    // variants and other files of keys
    'prod.env.local',
    'env.production',
    'private-keys.txt',
    'mnemonic.txt',
    'values.enc.yaml', // of SOPS
    'tx.enc.yaml.dec',
    'keys.json',
    'id_ed25519',
    '.env 2',
    'env.bak',
    '.flaskenv',
    '.envrc.private',
    '.dev.vars.production',
    'account.key.json',
    'deployer.pk',
    'keystore.json',
    'prod.tfvars',
    '/w/.secrets/deployer',
    '/home/me/.config/hardhat-nodejs/vars.json',
    'C:\\w\\private-keys\\alice.json',
    '.netrc',
  ])('is true for %s', name => {
    expect(isSecretFile(name)).toBe(true);
  });
  it.each([
    undefined,
    '',
    'env.ts',
    'src/secrets/readme.md',
    'keystore.ts',
    'environment.json',
    'hash.txt',
    'key.ts',
    'secretary.md',
    '.environment',
    'a.env/b.ts',
    'env.d.ts',
    'README.md.git',
    'primary-key.md',
    'keys.ts~',
    '~',
    '#',
  ])('is false for %s', name => {
    expect(isSecretFile(name)).toBe(false);
  });
});
