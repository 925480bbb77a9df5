// Every place that sends a value to a node or host, or makes a link to a website of it, decides by checkDisclosure or says why not.
import { describe, expect, test } from 'vitest';
import { readFiles } from '../../scripts/findFiles.ts';

/** Lookups that take nothing from the user's files: blocks, tokens and media that a page shows, the state of nodes. */
const HARMLESS_LOOKUPS = [
  'chainStatus',
  'aptosStatus',
  'probeNode',
  'blockSummary',
  'mediaPreview',
  'tokenUnit',
  'knownTokens',
];

/** Starts of requests and links. */
const EXITS = [
  new RegExp(`\\blookup\\(\\s*'(?!(?:${HARMLESS_LOOKUPS.join('|')})')`),
  /\b(?:getExplorerUrl|getAptosExplorerUrl|createExplorerLink|createAptosExplorerLink)\(/,
  /\bopenExternal\(/,
  /commandIds\.inspect\b/,
  /\bopenTarget\(/,
  /\b(?:fetchAsJson|createClient)\(/,
  /\b(?:fetchTransactionSource|fetchStateChanges|fetchTransactionGas)\(/,
];

const DECIDES =
  /\b(?:checkDisclosure|checkAptosDisclosure|checkLookUpItem|detectHashAtCursor|isSecretLiteral|findSecretReason|requireHash)\(/;

/** Places that need not decide, and why. */
const REASONS: Readonly<Record<string, string>> = {
  'src/extension/activity/activityTree.ts': 'Opens rows from the chain and watched addresses, which are public.',
  'src/extension/activity/pollChain.ts':
    'Requests what is new of watched addresses, on chains that the watcher allows.',
  'src/extension/activity/watcher.ts': 'Polls chains of this machine, and those of hosts in a setting of its own.',
  'src/extension/abi/contractFunctions.ts': 'Reads what kind of contract one is that a page or a hover may look up.',
  'src/extension/abi/describeFailure.ts':
    'Reads the calls of a failed transaction that a hover or a page has looked up.',
  'src/extension/abi/identifyContract.ts': 'Reads code of contracts that a hover, a page or a definition may look up.',
  'src/extension/addressBook/developmentChains.ts':
    'Reads code of contracts that imported files name, on chains that only this machine knows.',
  'src/extension/addressBook/findDeployedContracts.ts':
    'Reads code of contracts that files of a tool name, on chains that only this machine knows.',
  'src/extension/commands/explorerPages.ts':
    'Opens what toExplorerTarget allows, or what a hover has looked up before.',
  'src/extension/hover/contractValues.ts': 'Reads functions without arguments of a contract that the hover looked up.',
  'src/extension/hover/transactionCalls.ts': 'Reads the calls of a transaction that the hover looked up.',
  'src/extension/http/httpService.ts': 'Opens the reference of the service on this machine.',
  'src/extension/inspector/callFailures.ts': 'Reads why transactions failed that the inspector shows.',
  'src/extension/inspector/contractState.ts':
    'Reads slots of a contract that a page shows, after a click where the node is not of this machine.',
  'src/extension/inspector/creationDetails.ts': 'Queries only chains that only this machine knows.',
  'src/extension/inspector/logEmitters.ts': 'Reads the trace of a transaction that the inspector shows.',
  'src/extension/inspector/pageRequests.ts': 'Requests what the inspector and resolveLookUp have checked.',
  'src/extension/inspector/tableExport.ts': 'Continues the request of a target that the inspector has checked.',
  'src/extension/inspector/registerInspector.ts': 'Passes the argument to the inspector, which checks it.',
  'src/extension/links/literalLinks.ts': 'Links what findLinkableLiterals allows.',
  'src/extension/lookUp/lookUpBox.ts': 'Opens only items that LookUpPreviews.isSecret allows.',
  'src/extension/operations/jsonResults.ts': 'Sends parameters that the user entered for an operation.',
  'src/extension/sidebar/sectionSource.ts': 'Requests rows of entries of the address book, which are public.',
  'src/extension/sidebar/sidebarActions.ts': 'Opens entries of the address book and rows from the chain.',
  'src/extension/siwe/siweVerification.ts': 'Sends the sign-in message that the user chose to verify.',
  'src/extension/source/deploymentLenses.ts': 'Inspects contracts that DeployedContracts has found, which decides.',
  'src/extension/source/gasView.ts': 'Queries only chains that only this machine knows.',
  'src/extension/source/runDiffView.ts': 'Queries only chains that only this machine knows.',
  'src/extension/source/snapshots.ts': 'Queries only the chain of runDiffView by the number of a block.',
  'src/extension/source/sourceValues.ts': 'Reads contracts that DeployedContracts has found, which decides.',
  'src/extension/source/storageKeys.ts':
    'Reads slots of a contract that a page or sourceValues reads, which have decided.',
  'src/extension/source/workspaceSources.ts': 'Reads the code of a transaction that a hover or a page has looked up.',
  'src/extension/worker/fetchEnsName.ts':
    'Asks about addresses that a hover or a page has looked up, by a setting of its own.',
  'src/view/hover/aptosSummaryHover.ts': 'Links what the network has just shown.',
  'src/view/hover/hoverLinks.ts': 'Makes the links that the others ask for.',
  'src/view/literalLinkTarget.ts': 'Leads where findLinkableLiterals allows.',
  'src/view/hover/summaryHover.ts': 'Links what the chain has just shown.',
};

const files = readFiles(['src/{extension,mcp,view}/**/*.ts', 'src/extension.ts']);
const exits = files.filter(({ text }) => EXITS.some(pattern => pattern.test(text)));

describe('the project', () => {
  test('decides at every exit by checkDisclosure, or has a reason not to', () => {
    const undecided = exits.filter(({ path, text }) => !DECIDES.test(text) && !Object.hasOwn(REASONS, path));
    expect(undecided.map(({ path }) => path)).toEqual([]);
  });

  test('has no reason for a file that needs none', () => {
    const needed = new Set(exits.filter(({ text }) => !DECIDES.test(text)).map(({ path }) => path));
    expect(Object.keys(REASONS).filter(path => !needed.has(path))).toEqual([]);
  });

  test('asks getPrivacyVerdict nowhere else', () => {
    const callers = files.filter(({ text }) => /\bgetPrivacyVerdict\(/.test(text)).map(({ path }) => path);
    expect(callers).toEqual(['src/view/checkDisclosure.ts']);
  });

  test('decides by the path of a file, whose folder may say that it holds keys', () => {
    const withoutFolder = files.filter(({ text }) => /fileName = [^;]*\.uri\.path\.split/.test(text));
    expect(withoutFolder.map(({ path }) => path)).toEqual(['src/extension/checksums/checksumDiagnostics.ts']);
  });

  test('knows the exits that it is about', () => {
    const paths = exits.map(({ path }) => path);
    for (const path of [
      'hover/chainHovers',
      'hover/aptosHovers',
      'lookUp/resolveLookUp',
      'uris/handleUri',
      'links/literalLinks',
    ])
      expect(paths).toContain(`src/extension/${path}.ts`);
    expect(paths).toContain('src/extension/tools/languageModelTools.ts');
  });
});

/** Uses of all saved addresses in files with a list to choose from that do not make items of them, and why they need no mark. */
const UNMARKED: Readonly<Record<string, string>> = {
  'src/extension/addressBook/addressBookCommands.ts: const byId = new Map(this.#deps.book.entries().map(entry => [entry.id, entry]));':
    'Finds the entries that a command is called for.',
  'src/extension/addressBook/addressBookCommands.ts: const all = book.entries();':
    'Lists the places where entries are stored, with how many there are.',
  'src/extension/addressBook/addressBookCommands.ts: const entriesById = new Map(book.entries().map(entry => [entry.id, entry]));':
    'Finds the entries that the command is called for.',
  'src/extension/addressBook/importEntries.ts: const existing = book.entries().filter(entry => isSameStorage(entry.storage, storage));':
    'Compares them with what is imported; the list shows the imported ones.',
  'src/extension/sidebar/folderCommands.ts: const entries = book.entries().filter(entry => isInFolder(entry.folder, folder));':
    'Counts the entries of a folder.',
};

const PICKERS = /\b(?:showQuickPick|createQuickPick|showStep)\b/;
const ENTRIES = /^.*\bbook\s*\.entries\(\)[^;]*/gm;

/** The first line of each use, with its statement. */
const entryUses = files
  .filter(({ text }) => PICKERS.test(text))
  .flatMap(({ path, text }) =>
    [...text.matchAll(ENTRIES)].map(([use]) => ({
      key: `${path}: ${(use.includes('\n') ? use.slice(0, use.indexOf('\n')) : `${use};`).trim()}`,
      isMarked: use.includes('toEntryChoice('),
    })),
  );

describe('a list of saved addresses', () => {
  test('to choose from marks the names of a workspace that is not trusted', () => {
    expect(entryUses.filter(({ isMarked }) => isMarked).length).toBeGreaterThanOrEqual(2);
    const unmarked = entryUses.filter(({ key, isMarked }) => !isMarked && !Object.hasOwn(UNMARKED, key));
    expect(unmarked.map(({ key }) => key)).toEqual([]);
  });

  test('has no reason for a use that needs none', () => {
    const needed = new Set(entryUses.filter(({ isMarked }) => !isMarked).map(({ key }) => key));
    expect(Object.keys(UNMARKED).filter(key => !needed.has(key))).toEqual([]);
  });
});
