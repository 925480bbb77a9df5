// Imports and exports of the address book: what tools and spreadsheets write, what they must not be made to run.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatBookCsv, formatBookJson, importBookCsv, importBookJson } from '../../../src/addressBook/bookFormats.ts';
import type { Entry } from '../../../src/addressBook/entry.ts';
import { importFoundry, importIgnition } from '../../../src/addressBook/importDeployments.ts';
import { detectImportSource, importFile, isImportCandidate } from '../../../src/addressBook/importFile.ts';
import { planImport } from '../../../src/addressBook/importPlan.ts';
import { joinImportResults } from '../../../src/addressBook/importResult.ts';
import { parseEntry } from '../../../src/addressBook/validateEntry.ts';
import { measureGrowth } from '../../support/measureGrowth.ts';
import { scaleRounds } from '../../support/rounds.ts';
import { addressOf, anyEntry, entries } from './bookArbitraries.ts';
import { type Folder, hardhatDeployFolder, ignitionFolder } from './deploymentFolders.ts';

const one = addressOf(1);
const two = addressOf(2);
const asIs = (address: string) => address;

describe('CSV', () => {
  test.each([
    ['the plain form', `address,name,tag\n${one},Treasury,cold\n${two},Hot,\n`],
    ['no header', `${one},Treasury,cold\n${two},Hot`],
    ['a byte order mark and Windows line ends', `\ufeffaddress,name,tag\r\n${one},Treasury,cold\r\n${two},Hot,\r\n`],
    ['semicolons', `address;name;tag\n${one};Treasury;cold\n${two};Hot;\n`],
    ['tabs', `address\tname\ttag\n${one}\tTreasury\tcold\n${two}\tHot\t\n`],
    ['another order and columns of others', `Name,Balance,ADDRESS,Tags\nTreasury,"1,5",${one},cold\nHot,2,${two},\n`],
    [
      'quotes everywhere and old Mac line ends',
      `"address","name","tag"\r"${one}","Treasury","cold"\r"${two}","Hot",""\r`,
    ],
    ['empty lines', `\n\naddress,name,tag\n\n${one},Treasury,cold\n,,\n${two},Hot\n\n`],
  ])('reads %s', (_, text) => {
    const { entries: read, rejected } = importBookCsv(text);
    expect({ entries: read, rejected }).toEqual({
      entries: [
        parseEntry({ address: one, name: 'Treasury', tags: ['cold'] }),
        parseEntry({ address: two, name: 'Hot' }),
      ],
      rejected: [],
    });
  });

  test('reads quotes, line breaks and several tags in cells', () => {
    const { entries: read } = importBookCsv(
      `address,name,tag,notes\n${one},"The ""big"", one","a;b, c","first\nsecond"`,
    );
    expect(read).toEqual([
      parseEntry({ address: one, name: 'The "big", one', tags: ['a', 'b', 'c'], notes: 'first\nsecond' }),
    ]);
  });

  test('reports the invalid line and reads the others', () => {
    const { entries: read, rejected } = importBookCsv(
      `address,name\n"x\ny",Wrong\n${one},\n${two},Right\n${one},"open`,
    );
    expect(read.map(({ name }) => name)).toEqual(['Right']);
    expect(rejected.map(({ location }) => location)).toEqual(['line 2', 'line 4', 'line 6']);
    expect(rejected[0]?.message).toMatch(/Enter 0x and 40 hex digits/);
    expect(rejected[2]?.message).toMatch(/quoted value is not closed/);
  });

  test('rejects a file without a column of addresses', () => {
    expect(importBookCsv('who,what\na,b').rejected[0]?.message).toMatch(/no column "address"/);
    expect(importBookCsv('')).toEqual({ entries: [], rejected: [] });
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x")', "'=1", '＝1'])(
    'writes %s as a text, and reads it back',
    name => {
      const text = formatBookCsv([parseEntry({ address: one, name })], asIs);
      const row = text.split('\r\n')[1] ?? '';
      expect(row.split(',')[1]).toMatch(/^"?'/);
      expect(importBookCsv(text).entries[0]?.name).toBe(name);
    },
  );

  test('no exported cell starts a formula, and every export is imported unchanged', () => {
    fc.assert(
      fc.property(entries({ maxLength: 12 }), list => {
        const text = formatBookCsv(list, asIs);
        // Of a quoted cell only its start can be a formula.
        const starts = text.replace(/"((?:[^"]|"")*)"/g, (_, inner: string) => `"${inner.slice(0, 1)}`);
        expect(starts).not.toMatch(/(^|[,\n])"?[=+\-@\t\uff1d\uff0b\uff0d\uff20]/);
        expect(importBookCsv(text)).toEqual({ entries: list, rejected: [] });
      }),
      { seed: 7, numRuns: scaleRounds(50) },
    );
  });

  test('never throws, whatever the text', () => {
    const bits = fc.constantFrom(',', ';', '"', '""', '\n', '\r', '\t', ' ', 'address', 'name', one, 'x');
    fc.assert(
      fc.property(fc.array(fc.oneof(bits, fc.string()), { maxLength: 30 }), parts => {
        const { entries: read } = importBookCsv(parts.join(''));
        for (const entry of read) expect(parseEntry(entry)).toEqual(entry);
      }),
      { seed: 8, numRuns: scaleRounds(75) },
    );
  });

  test('reads fifty thousand lines within a second, and no more', () => {
    const lines = Array.from({ length: 50_010 }, (_, at) => `${addressOf(at)},name ${at}`);
    const { entries: read, rejected } = importBookCsv(lines.join('\n'));
    expect(read).toHaveLength(50_000);
    expect(rejected).toHaveLength(1);
  });
});

describe('JSON', () => {
  test('every export is imported unchanged', () => {
    fc.assert(
      fc.property(entries({ maxLength: 12 }), list => {
        expect(importBookJson(formatBookJson(list, []))).toEqual({ entries: list, rejected: [] });
      }),
      { seed: 9, numRuns: scaleRounds(40) },
    );
  });

  test('imports a plain list of entries, and rejects anything else', () => {
    expect(importBookJson(JSON.stringify([{ address: one, name: 'One' }, 5])).rejected).toEqual([
      { location: 'entry 2', message: 'An entry must be an object with address and name.' },
    ]);
    expect(importBookJson('{"a": 1}').rejected[0]?.message).toMatch(/no list named addresses/);
    expect(importBookJson('not json').rejected.length).toBeGreaterThan(0);
  });
});

describe('deployments', () => {
  test('ignores failed creations, separates chains, names libraries', () => {
    const create = (address: string, hash: string) => ({
      hash,
      transactionType: 'CREATE',
      contractName: null,
      contractAddress: address,
      additionalContracts: [],
    });
    const run = (chain: number) => ({
      chain,
      transactions: [create(one, '0x1'), create(two, '0x2')],
      receipts: [
        { transactionHash: '0x1', status: '0x1' },
        { transactionHash: '0x2', status: '0x0' },
      ],
      libraries: [`src/Lib.sol:Lib:${addressOf(3)}`],
    });
    const text = JSON.stringify({ deployments: [run(31337), run(11155111)] });
    const { entries: read } = importFoundry(text, '/p/broadcast/multi/Deploy.s.sol-latest/run.json');
    expect(read.map(({ name, chains, notes }) => [name, ...chains, notes])).toEqual([
      ['Unnamed contract', 'local', 'Deployed by Deploy.s.sol'],
      ['Lib', 'local', 'Deployed by Deploy.s.sol'],
      ['Unnamed contract', 'sepolia', 'Deployed by Deploy.s.sol'],
      ['Lib', 'sepolia', 'Deployed by Deploy.s.sol'],
    ]);
  });

  test('names a proxy of a broadcast by its implementation, also behind a beacon', () => {
    const [logic, beacon] = [addressOf(3), addressOf(4)];
    const create = (contractAddress: string, contractName: string, args: readonly string[] | null) => ({
      hash: contractAddress,
      transactionType: 'CREATE',
      contractName,
      contractAddress,
      arguments: args,
    });
    const transactions = [
      create(logic, 'Vault', null),
      create(one, 'ERC1967Proxy', [logic.toUpperCase().replace('0X', '0x'), '0x']),
      create(beacon, 'UpgradeableBeacon', [logic, one]),
      create(two, 'BeaconProxy', [beacon, '0x']),
      create(addressOf(5), 'TransparentUpgradeableProxy', [addressOf(6), one, '0x']),
    ];
    const text = JSON.stringify({ chain: 31337, transactions, receipts: [] });
    const { entries: read } = importFoundry(text, '/p/broadcast/Deploy.s.sol/31337/run-latest.json');
    expect(read.map(({ name }) => name)).toEqual([
      'Vault',
      'Vault (proxy)',
      'Vault (beacon)',
      'Vault (proxy)',
      'TransparentUpgradeableProxy',
    ]);
  });

  test('Ignition: names of futures, chain from the journal or the folder, incomplete journal', () => {
    const addresses = JSON.stringify({ 'Token#Coin': one, 'Token#proxy': two });
    const journal = [
      '{"chainId":8453,"type":"DEPLOYMENT_INITIALIZE"}',
      '{"artifactId":"Token#proxy","contractName":"TransparentProxy","futureId":"Token#proxy","type":"DEPLOYMENT_EXECUTION_STATE_INITIALIZE"}',
      '{"futureId":"Token#pro',
    ].join('\n');
    const path = '/p/ignition/deployments/chain-31337/deployed_addresses.json';
    expect(importIgnition(addresses, path).entries.map(({ name, chains }) => [name, ...chains])).toEqual([
      ['Coin', 'local'],
      ['proxy', 'local'],
    ]);
    const imported = importIgnition(addresses, path, journal).entries;
    expect(imported.map(({ chains, notes }) => [...chains, notes])).toEqual([
      ['0x2105', 'Deployed as Token#Coin'],
      ['0x2105', 'TransparentProxy. Deployed as Token#proxy'],
    ]);
  });

  /** What the importer makes of a folder, as the preview shows it. */
  const planned = async (folder: Folder) => {
    const paths = Object.keys(folder).filter(path =>
      ['ignition', 'hardhat-deploy'].includes(detectImportSource(path) ?? ''),
    );
    const parts = await Promise.all(
      paths.filter(isImportCandidate).map(path =>
        importFile({
          path,
          text: folder[path] ?? '',
          readSibling: async name => folder[path.replace(/[^/]*$/, name)] ?? null,
        }),
      ),
    );
    const { entries: read, rejected } = joinImportResults(parts);
    expect(rejected).toEqual([]);
    return planImport({ entries: [], folders: [] }, read).map(({ entry: { name, chains, notes } }) => [
      name,
      chains.join(' '),
      notes,
    ]);
  };

  test('an Ignition folder: a proxy is one contract, an attached contract is not called deployed', async () => {
    expect(await planned(ignitionFolder([31337]))).toEqual([
      ['MathLib', 'local', 'Deployed as Main#MathLib'],
      ['Box', 'local', 'Deployed as ProxiedBox#Box'],
      ['Counter', 'local', 'Deployed as Main#Counter'],
      ['SecondCounter', 'local', 'Counter. Deployed as Main#SecondCounter'],
      ['BoxThroughProxy', 'local', 'Deployed as ProxiedBox#SimpleProxy\nBox. Used as ProxiedBox#BoxThroughProxy'],
      ['MadeChild', 'local', 'Child. Used as Main#MadeChild'],
    ]);
  });

  test('an Ignition folder of two chains: the same address of the same name is one entry for both', async () => {
    const both = await planned(ignitionFolder([11155111, 31337]));
    expect(both).toHaveLength(6);
    expect(new Set(both.map(([, chains]) => chains))).toEqual(new Set(['sepolia local']));
  });

  test.each([
    ['text (hardhat-deploy 1)', { '.chainId': '11155111' }],
    ['JSON (hardhat-deploy 2)', { '.chain': '{"chainId":"11155111","genesisHash":"0x25a5"}' }],
  ])(
    'a hardhat-deploy folder with its chain as %s: a proxy goes by the name of what is behind it',
    async (_, chain) => {
      const proxy = 'Proxy of 0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9';
      expect(await planned(hardhatDeployFolder('sepolia', chain))).toEqual([
        ['Box', 'sepolia', `Deployed on sepolia\n${proxy}`],
        ['Box_Implementation', 'sepolia', 'Deployed on sepolia'],
        ['Counter', 'sepolia', 'Deployed on sepolia'],
        ['DefaultProxyAdmin', 'sepolia', 'Deployed on sepolia'],
        ['MathLib', 'sepolia', 'Deployed on sepolia'],
      ]);
    },
  );

  test('hardhat-deploy folders of two chains: one entry says both, and a proxy whose other file is gone keeps its name', async () => {
    const both = {
      ...hardhatDeployFolder('sepolia', { '.chainId': '11155111' }),
      ...hardhatDeployFolder('localhost', { '.chainId': '31337' }),
    };
    expect((await planned(both)).find(([name]) => name === 'Counter')).toEqual([
      'Counter',
      'sepolia local',
      'Deployed on sepolia\nDeployed on localhost',
    ]);
    const { '/p/deployments/x/Box.json': _, ...alone } = hardhatDeployFolder('x', { '.chainId': '1' });
    expect((await planned(alone)).map(([name]) => name)).toContain('Box_Proxy');
  });

  test.each([
    '',
    'x',
    'null',
    '[]',
    '{"transactions": {"a": 1}, "receipts": 5}',
    '{"address": {}}',
    '['.repeat(100_000),
  ])('never throws: %s', async text => {
    for (const path of [
      '/broadcast/a.s.sol/1/run-latest.json',
      '/ignition/deployments/x/deployed_addresses.json',
      '/deployments/x/A.json',
    ])
      expect((await importFile({ path, text, readSibling: async () => '{' })).entries).toEqual([]);
  });

  test.each([
    ['/p/broadcast/Deploy.s.sol/1/run-latest.json', 'foundry', true],
    ['/p/broadcast/multi/Deploy.s.sol-latest/run.json', 'foundry', true],
    ['/p/broadcast/Deploy.s.sol/1/dry-run/run-latest.json', 'foundry', false],
    ['/p/broadcast/Deploy.s.sol/1/run-17.json', 'json', true],
    ['/p/lib/dep/broadcast/X.s.sol/1/run-latest.json', 'foundry', false],
    ['/p/ignition/deployments/chain-1/deployed_addresses.json', 'ignition', true],
    ['/p/ignition/deployments/chain-1/artifacts/A.json', null, true],
    ['/p/deployments/sepolia/Vault.json', 'hardhat-deploy', true],
    ['/p/deployments/sepolia/.migrations.json', 'json', true],
    ['/p/deployments/sepolia/solcInputs/a.json', 'json', false],
    ['/p/list.CSV', 'csv', true],
    ['/p/readme.md', null, true],
  ])('%s is of %s', (path, source, offered) => {
    expect(detectImportSource(path)).toBe(source);
    expect(isImportCandidate(path)).toBe(offered);
  });
});

describe('plan', () => {
  const treasury = parseEntry({ address: one, name: 'Treasury', folder: 'Money', tags: ['cold'], chains: ['eth'] });
  const plan = (...incoming: object[]) => planImport({ entries: [treasury], folders: [] }, incoming.map(parseEntry));

  test('distinguishes new, updated and unchanged entries', () => {
    const states = plan(
      { address: two, name: 'New' },
      { address: one, name: 'Treasury', chains: ['eth'] },
      { address: one, name: 'Other', chains: ['polygon'] },
    );
    expect(states.map(({ state, entry }) => [state, entry.name])).toEqual([
      ['new', 'New'],
      ['same', 'Treasury'],
      ['new', 'Other'],
    ]);
  });

  test('preserves fields that the import leaves empty, and merges tags and chains', () => {
    const [planned] = plan({
      address: one,
      name: 'Treasury',
      tags: ['foundry'],
      chains: ['sepolia'],
      kind: 'contract',
    });
    expect(planned).toEqual({
      state: 'updated',
      before: treasury,
      entry: { ...treasury, kind: 'contract', tags: ['cold', 'foundry'], chains: ['eth', 'sepolia'] },
    });
  });

  test('is for all chains when one of both is, and stays a contract', () => {
    const everywhere = plan({ address: one, name: 'Treasury' })[0];
    expect(everywhere?.entry.chains).toEqual([]);
    const contract = parseEntry({ address: two, name: 'Vault', kind: 'contract' });
    const [planned] = planImport({ entries: [contract], folders: [] }, [
      parseEntry({ address: two, name: 'Vault', kind: 'wallet', chains: ['eth'] }),
    ]);
    expect(planned?.entry).toMatchObject({ kind: 'contract', chains: [] });
  });

  test('appends imported notes to existing ones, without duplicates', () => {
    const noted = { ...treasury, notes: 'ask Ann' };
    const again = (notes: string, existing: Entry) =>
      planImport({ entries: [existing], folders: [] }, [parseEntry({ ...treasury, notes })])[0];
    expect(again('Deployed by X', noted)).toMatchObject({ entry: { notes: 'ask Ann\nDeployed by X' } });
    expect(again('ask Ann', noted)).toMatchObject({ state: 'same' });
  });

  test('merges several entries for one address', () => {
    expect(plan({ address: two, name: 'A' }, { address: two, name: 'B', tags: ['t'] })).toEqual([
      { state: 'new', before: null, entry: parseEntry({ address: two, name: 'B', tags: ['t'] }) },
    ]);
  });

  test('an import of existing entries changes nothing', () => {
    fc.assert(
      fc.property(entries({ maxLength: 10 }), list => {
        for (const { state } of planImport({ entries: list, folders: [] }, list)) expect(state).toBe('same');
      }),
      { seed: 10, numRuns: scaleRounds(40) },
    );
    expect(
      planImport({ entries: [], folders: [] }, fc.sample(anyEntry, { numRuns: 5, seed: 1 })).length,
    ).toBeGreaterThan(0);
  });
});

test.each([
  ['different names', (at: number) => `Name ${at}`],
  ['one name', () => 'Name'],
])('an import of one address with %s on many chains takes linear time', (_what, getName) => {
  const createEntries = (size: number) =>
    Array.from({ length: size }, (_, at) =>
      parseEntry({ address: one, name: getName(at), chains: [`0x${(at + 1).toString(16)}`], notes: `Line ${at}` }),
    );
  const run = (entries: readonly Entry[]) => planImport({ entries: [], folders: [] }, entries);
  expect(measureGrowth(createEntries, run, 500)).toBeLessThan(16);
});
