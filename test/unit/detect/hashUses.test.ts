// A name of a hash proves one only as long as the text uses its value like a hash.
import { expect, it } from 'vitest';
import { detectLiteralAt, detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { getPrivacyVerdict } from '../../../src/detect/privacy.ts';

const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';

const decide = (text: string): string =>
  detectLiterals(text)
    .map(literal => getPrivacyVerdict(literal, { isLocal: false }).decision)
    .join();

it.each([
  'await helper.fund(txHash);',
  'await sendTransaction(txHash, to, value);',
  'await sendTx(txHash, to, 1n);',
  'const exchange = new Exchange(txHash, url);',
  'const shares = shamir.split(txHash, 3);',
  'const shares = await split(hexToBytes(txHash), 5, 3);',
  'const bytes = hexToBytes(txHash); const pub = getPublicKey(bytes);',
  'const { wallet } = setup(txHash);',
  'const owner = getAddress(txHash);',
  'connect({ input: txHash });',
  'const event = finalizeEvent({ kind: 1 }, hexToBytes(txHash));',
  'run({ from: txHash });',
  'const me = load(txHash); console.log(me.address);',
  'const { address } = fromHex(txHash);',
  'module.exports.alice = txHash;',
  'export default { deployer: txHash };',
  "logger.info('wallet %s', txHash);",
  'const receipt = await client.getTransactionReceipt({ hash: txHash }); await helper.fund(txHash);',
])('a value of a name like that of a hash needs a click where the text passes it on: %s', use => {
  expect(decide(`const txHash = '${HASH}';\n${use}`)).toBe('click');
});

it.each(['./deploy.sh "$TX_HASH"', 'npx ts-node run.ts $TX_HASH', 'geth account import <(echo $TX_HASH)'])(
  'a variable of a shell needs a click where another program gets it: %s',
  use => {
    expect(decide(`TX_HASH=${HASH}\n${use}`)).toBe('click');
  },
);

it.each([
  'const receipt = await client.getTransactionReceipt({ hash: txHash });',
  "await client.request({ method: 'debug_traceTransaction', params: [txHash, {}] });",
  "await db.execute('SELECT * FROM swaps WHERE id = ?', [txHash]);",
  'const swap = createSwap(txHash, 1n);',
  'render({ txHash });',
  'notify({ hash: txHash }, 5);',
  'expect(events[0].id).toBe(`${chainId}-${txHash}`);',
  'const swap = parseSwap(txHash.toLowerCase());',
  'const bytes = hexToBytes(txHash); await client.getTransaction(bytes);',
  "it('reads a swap', async () => { assert.equal(seen, txHash); });",
  'function replay(txHash: Hash, depth = 1) { return txHash; }',
])('it does not where its uses are those of a hash: %s', use => {
  expect(decide(`const txHash = '${HASH}';\n${use}`)).toBe('yes');
});

it.each(['cast receipt $TX_HASH', './trace.sh "$TX_HASH"', 'node run.ts --tx "$TX_HASH"', 'echo "$TX_HASH"'])(
  'nor where a program for transactions gets it: %s',
  use => {
    expect(decide(`TX_HASH=${HASH}\n${use}`)).toBe('yes');
  },
);

/** More than the lines beside a literal that are read for texts about keys. */
const OTHER_LINES = Array.from({ length: 40 }, (_, at) => `step${at} = ${at};`).join('\n');

it.each([
  'export function getPrivateKey() {\n  return txHash;\n}',
  'const loadSignerKey = () => txHash;',
  'export const deployerKey = () => {\n  log.debug("loaded");\n  return txHash;\n};',
  'func PrivateKey() string {\n\treturn txHash\n}',
  'fn private_key() -> String {\n    txHash.to_string()\n}',
  'function privateKey() internal pure returns (bytes32) {\n    return txHash;\n}',
  'def private_key\n  txHash\nend',
  'fun privateKey() = txHash',
  'class Config {\n  get privateKey() {\n    return txHash;\n  }\n}',
  '// TODO rename txHash to deployerKey',
  '// rename PRIVATE_KEY to txHash',
])('a name whose value is a key in lines far below needs a click: %s', use => {
  expect(decide(`const txHash = '${HASH}';\n${OTHER_LINES}\n${use}`)).toBe('click');
});

it.each([
  'export function getLastTransaction() {\n  return txHash;\n}',
  'const loadCacheKey = () => txHash;',
  '// TODO rename txHash to depositTx',
])('a name whose value is no key there needs none: %s', use => {
  expect(decide(`const txHash = '${HASH}';\n${OTHER_LINES}\n${use}`)).toBe('yes');
});

it('is decided as on its own, whatever was classified before in the same rows', () => {
  const rows = ['creates', 'from', 'gas', 'gasPrice'].map(name => `"${name}" => "0x0",\n`).join('');
  const other = '0x61d3a5f0e2c94b7d8f16a0b3c5e7d92840f6b1a3d5c7e9f8071625344352617a';
  const text = `%{\n"blockHash" => "${other}",\n${rows}"hash" => "${HASH}",\n"nonce" => "0x0",\n"publicKey" =>\n`;
  const alone = detectLiteralAt(` ${text}`, 1 + text.indexOf(HASH));
  const [, second] = detectLiterals(text).filter(({ kind }) => kind === 'hash32');
  expect(second).toMatchObject({ kind: 'hash32', rule: 'report' });
  expect(alone).toMatchObject({ kind: 'hash32', rule: 'report' });
});
