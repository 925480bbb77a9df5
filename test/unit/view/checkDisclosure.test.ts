// What may leave the machine by links, the look-up box, links to VS Code, language model tools and the explorer command.
import { describe, expect, test } from 'vitest';
import { addRecord } from '../../../src/detect/addRecord.ts';
import { detectDigitsAt, detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { checkDisclosure, findSecretReason, isSecretLiteral } from '../../../src/view/checkDisclosure.ts';
import { findLinkableLiterals } from '../../../src/view/findLinkableLiterals.ts';
import { createEntryRanking } from '../../../src/view/lookUp/entryRanking.ts';
import type { LookUpSource } from '../../../src/view/lookUp/lookUpItem.ts';
import { checkLookUpItem, getLookUpItems } from '../../../src/view/lookUp/lookUpItems.ts';

const KEY = `0x${'4c0883a69102937d6231471b5dbb6204fe512961708279f8b9a1d3d2c1a7e5f3'}`;
const DEV_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ADDRESS = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';

describe('links of documents and terminals', () => {
  const links = (text: string, fileName: string, languageId: string) =>
    findLinkableLiterals(text, fileName, languageId).map(({ kind }) => kind);

  test.each([
    [`DEPLOYER=${KEY}`, '.env', 'dotenv'],
    [`TX_HASH=${KEY}`, '.env.local', 'dotenv'],
    [`Private Keys\n==================\n\n(0) ${KEY}`, 'anvil.log', 'log'],
    [`const wallet = new Wallet('${KEY}')`, 'deploy.ts', 'typescript'],
    [`tx: ${DEV_KEY}`, 'notes.md', 'markdown'],
  ])('%j in %s has none', (text, fileName, languageId) => {
    expect(links(text, fileName, languageId)).toEqual([]);
  });

  test.each([
    [KEY, 'terminal.log', 'log'],
    [`(0) ${KEY}`, 'terminal.log', 'log'],
    [`tx ${KEY}`, 'terminal.log', 'log'],
    [`+ export DEPLOYER=${KEY}`, 'terminal.log', 'log'],
    [`hash: '${KEY}'`, 'terminal.log', 'log'],
    [`block hash: ${KEY}`, 'terminal.log', 'log'],
    [`const x = '${KEY}'`, 'deploy.ts', 'typescript'],
  ])('%j in %s has one that asks only chains of this machine', (text, fileName, languageId) => {
    expect(links(text, fileName, languageId)).toEqual(['hash']);
  });

  test('hashes that are named as such, and addresses, have one', () => {
    expect(links(`transactionHash         ${KEY}`, 'terminal.log', 'log')).toEqual(['tx']);
    expect(links(`✅  [Success] Hash: ${KEY}`, 'terminal.log', 'log')).toEqual(['tx']);
    expect(links(`const mintTx = '${KEY}'; const owner = '${ADDRESS}'`, 'a.ts', 'typescript')).toEqual([
      'tx',
      'address',
    ]);
  });
});

describe('a hash that a deployment tool has recorded', () => {
  const decide = (text: string, fileName: string) => {
    const [literal] = detectLiterals(text, { fileName });
    if (literal === undefined) throw new Error(`Nothing was found in ${text}.`);
    const recorded = addRecord(literal, { kind: 'transaction', chainId: 1 });
    const rules = { fileName, addressesOnClick: false };
    return checkDisclosure(recorded, { isLocal: false, isUserRequested: false }, rules).decision;
  };

  test.each([
    [`const x = '${KEY}';`, 'notes.ts'],
    [`tx: ${KEY}`, 'notes.md'],
    [`signers: { txHash: '${KEY}' }`, 'a.ts'],
    [`const txHash = '${KEY}'; // TODO: load from the HSM`, 'a.ts'],
    [`// burner wallet\nconst txHash = '${KEY}';`, 'a.ts'],
    [`const txs = [['${KEY}', 'alice', 1]];`, 'a.ts'],
    [`owners[txHash] = txHashes[${KEY}]`, 'a.ts'],
    [`forge verify ${KEY}`, 'deploy.sh'],
  ])('needs no click as %j in %s', (text, fileName) => {
    expect(decide(text, fileName)).toBe('yes');
  });

  test.each([
    [`PRIVATE_KEY=${KEY}`, 'notes.txt', 'never'],
    [`// key of the relayer\nconst txHash = '${KEY}';`, 'a.ts', 'never'],
    [`const wallet = new Wallet('${KEY}')`, 'deploy.ts', 'never'],
    [`TX_HASH=${KEY}`, '.env', 'never'],
    [`x: ${KEY}`, 'keystore/a.txt', 'never'],
    [`x: ${DEV_KEY}`, 'notes.md', 'never'],
    [`const tx = '${KEY}';\nconst account = privateKeyToAccount(tx);`, 'a.ts', 'click'],
    [`TX_HASH=${KEY}\ncast wallet address $TX_HASH`, 'a.sh', 'click'],
  ])('is sent nowhere as %j in %s, although a tool has recorded it', (text, fileName, decision) => {
    expect(decide(text, fileName)).toBe(decision);
    const links = findLinkableLiterals(text, fileName, 'plaintext', () => ({ kind: 'transaction', chainId: 1 }));
    expect(links).toEqual([]);
  });

  test.each([
    ['transaction', 'tx'],
    ['block', 'hash'],
  ] as const)('has a link as the %s that it is', (kind, link) => {
    const getRecord = (hash: string) => (hash === KEY ? { kind, chainId: 10 } : null);
    expect(findLinkableLiterals(`const x = '${KEY}'`, 'deploy.ts', 'typescript', getRecord)).toMatchObject([
      { kind: link, value: KEY, chainId: 10 },
    ]);
    const other = `0x${'5d'.repeat(16)}${'a7'.repeat(16)}`;
    expect(findLinkableLiterals(`const x = '${other}'`, 'deploy.ts', 'typescript', getRecord)).toMatchObject([
      { kind: 'hash', chainId: null },
    ]);
  });
});

describe('the look-up box', () => {
  const source = (text: string, fileName: string): LookUpSource => ({
    fileName,
    literals: [...text.matchAll(/[0-9a-f]{64}/gi)].flatMap(
      ({ index }) => detectDigitsAt(text, index, { fileName }) ?? [],
    ),
  });
  /** What each row with a destination sends after Enter, on a remote node. */
  const decide = (typed: string, from: LookUpSource | null) =>
    getLookUpItems(typed, {
      chains: [{ selector: 'eth', title: 'Ethereum', isOnLoopback: false }],
      registry: null,
      ranking: createEntryRanking([]),
      tokens: createEntryRanking([]),
      getName: () => null,
      getRecord: () => null,
      history: [],
      ensChain: 'eth',
      usesAptos: true,
      source: from,
    })
      .filter(({ target }) => target !== null && target.kind !== 'copy')
      .map(item => {
        const verdict = checkLookUpItem(item, { isLocal: false, isUserRequested: true }, false);
        return `${item.target?.kind} ${verdict?.isSecret ? 'stays' : 'is sent'}`;
      });

  const decideRecorded = (typed: string, from: LookUpSource | null, chainId: number | null) =>
    getLookUpItems(typed, {
      chains: ['eth', 'sepolia'].map(selector => ({ selector, title: selector, isOnLoopback: false })),
      ...{ registry: null, ranking: createEntryRanking([]), tokens: createEntryRanking([]), history: [] },
      ...{ getName: () => null, ensChain: 'eth', usesAptos: false, source: from },
      getRecord: () => ({ kind: 'transaction', chainId }),
    }).flatMap(item =>
      item.target?.kind === 'hash'
        ? `${item.target.chain} ${checkLookUpItem(item, { isLocal: false, isUserRequested: false }, false)?.decision}`
        : [],
    );

  test('sends a hash that a tool has recorded to the chain of the record without Enter', () => {
    expect(decideRecorded(KEY, null, 11_155_111)).toEqual(['eth click', 'sepolia yes']);
    expect(decideRecorded(KEY, null, null)).toEqual(['eth yes', 'sepolia yes']);
    expect(decideRecorded(KEY, null, 31_337)).toEqual(['eth click', 'sepolia click']);
  });

  test.each([
    [`const tx = '${KEY}';\nconst account = privateKeyToAccount(tx);`, 'a.ts', 'click'],
    [`PRIVATE_KEY=${KEY}`, 'deploy.sh', 'never'],
    [`DEPLOYER=${KEY}`, '.env', 'never'],
  ])('sends nothing that was selected in %j of %s, although a tool has recorded it', (text, fileName, decision) => {
    expect(decideRecorded(KEY, source(text, fileName), 1)).toEqual([`eth ${decision}`, `sepolia ${decision}`]);
  });

  test('sends a typed hash after Enter', () => {
    expect(decide(KEY, null)).toEqual(['hash is sent', 'aptosAccount is sent']);
  });

  test('sends no key whose name was selected with it', () => {
    expect(decide(`PRIVATE_KEY=${KEY}`, null)).toEqual(['hash stays']);
    expect(decide(`const wallet = new Wallet("${KEY}")`, null)).toEqual(['hash stays']);
    expect(decide(DEV_KEY, null)).toEqual([]);
  });

  test('sends no key that was selected without its name', () => {
    const stays = ['hash stays', 'aptosAccount stays'];
    expect(decide(KEY, source(`PRIVATE_KEY=${KEY}`, 'deploy.sh'))).toEqual(stays);
    expect(decide(KEY, source(`Private Keys\n====\n\n(0) ${KEY}`, 'anvil.log'))).toEqual(stays);
    expect(decide(KEY.toUpperCase().replace('0X', '0x'), source(`PRIVATE_KEY=${KEY}`, 'deploy.sh'))).toEqual(stays);
    expect(decide(KEY.slice(2), source(`PRIVATE_KEY=${KEY.slice(2)}`, 'deploy.sh'))).toEqual(stays);
  });

  test('sends nothing of 32 bytes from a file of secrets', () => {
    expect(decide(KEY, source(`DEPLOYER=${KEY}`, '.env'))).toEqual(['hash stays', 'aptosAccount stays']);
  });

  test('checks what is typed afterwards by itself', () => {
    const other = KEY.replace('4c', '5d');
    expect(decide(other, source(`DEPLOYER=${KEY}`, '.env'))).toEqual(['hash is sent', 'aptosAccount is sent']);
    expect(decide(ADDRESS, source(`DEPLOYER=${KEY}`, '.env'))).toEqual(['address is sent']);
  });
});

describe('text that the user confirmed', () => {
  test('is refused when it has a private key', () => {
    expect(findSecretReason([ADDRESS, `privateKey: ${KEY}`])).toMatch(/may be a secret/);
    expect(findSecretReason([DEV_KEY])).toMatch(/private key is never looked up/);
    expect(findSecretReason([KEY, ADDRESS, 'vitalik.eth', '', '17'])).toBeNull();
  });

  test.each([
    ['packed arguments of a call', `0x12345678${'ab'.repeat(21)}${DEV_KEY.slice(2)}00`],
    ['code', `0x60806040${DEV_KEY.slice(2).toUpperCase()}5b`],
  ])('is refused when it has a well-known key within %s', (_, data) => {
    expect(findSecretReason([data])).toMatch(/private key is never looked up/);
    expect(findSecretReason([data.replace(/ff80/i, 'ff81')])).toBeNull();
  });
});

test('a literal at the cursor is classified by its file and its name', () => {
  const isSecret = (text: string, fileName: string) => {
    const [literal] = detectLiterals(text, { fileName });
    return literal === undefined ? null : isSecretLiteral(literal, fileName);
  };
  expect(isSecret(`DEPLOYER=${KEY}`, '.env')).toBe(true);
  expect(isSecret(`relayerKey: ${KEY}`, 'a.yaml')).toBe(true);
  expect(isSecret(`x: ${KEY}`, 'a.yaml')).toBe(false);
  expect(isSecret(`owner: ${ADDRESS}`, '.env')).toBe(false);
});

test('says of a fork of this machine why it takes a click', () => {
  const [literal] = detectLiterals(`const value = '${KEY}'`);
  if (literal === undefined) throw new Error('There is no literal.');
  const reason = (isFork: boolean) =>
    checkDisclosure(
      literal,
      { isLocal: false, isUserRequested: false, isFork },
      { fileName: 'a.ts', addressesOnClick: false },
    ).reason;
  expect(reason(true)).toBe(`${reason(false)} A fork asks its source for what it does not know.`);
});
