// Tells what names of hashes, of settings and of files say: `depositTx`, `GENESIS_HASH`, `environment`, `wallets.json`.
import { type HashHint, isHashName, isLookupName, isPlainHash } from './hintWords.ts';
import type { Label } from './labels.ts';
import { findSecretWord, isAccountName, isActionName } from './secretWords.ts';
import { splitWords, wordSet } from './splitWords.ts';

/** Names of hashes (`txHash`), look-ups (`getTransaction`) and cheatcodes (`vm.rollFork`). */
export function isCertain({ words }: Label): boolean {
  return isHashName(words) || isLookupName(words) || words[0] === 'vm';
}

/** `depositHash`, `expected_hash` */
export const isCompoundHash = ({ role, words }: Label): boolean =>
  role === 'name' &&
  words.length > 1 &&
  !words.includes('where') &&
  words.length <= MAX_COMPOUND &&
  words.at(-1) === 'hash' &&
  !isActionName(words) &&
  !words.some(word => UNSPECIFIC.has(word));

const MAX_COMPOUND = 4;

const UNSPECIFIC = wordSet('private my our dev main default data local raw');

/** Whether a name is that of the hash of a transaction or block, or of something that happened: `txHash`, `depositTx`. */
export const namesHash = (label: Label, hint: HashHint): boolean =>
  (isHashName(label.words) && (isCompoundHash(label) || !isPlainHash(hint))) ||
  hasPurpose(label.words, false) ||
  isOfEvent(label.words, SETTING);

/** `getUncleCountByBlockHash(` */
export const isCall = ({ role, words }: Label): boolean => role === 'call' && isLookupName(words);

/** `GENESIS_HASH`, `forkBlockHash`: names of settings of a node, never of an account. */
export const isOfChain = (words: readonly string[]): boolean =>
  isHashName(words) &&
  (words.some(word => CHAIN_STATE.has(word)) ||
    /^(?:(?:start|end) block|last (?:tx|block)) hash$/.test(words.join(' '))) &&
  !isAccountName(words);

export const CHAIN_STATE = wordSet('genesis checkpoint fork finalized parent head section');

/** `env:`, `with:` of a workflow, `vars:` */
export function isSettings(name: readonly string[]): boolean {
  return name.some(word => SETTINGS.has(word)) || /^(?:with|inputs|(?:args ?)+|vars|variables)$/.test(name.join(' '));
}

/** Of a program, unlike an environment. */
export const CONFIGURATION = /^(?!.*\b(?:env|environ|storage|facts|vars)).*\bconfig(?:uration)?s?$/;

const SETTINGS = wordSet(
  'env environ environment environments config configuration cfg conf options opts settings facts storage',
);

const ACCOUNT_FILE =
  /(?:account|wallet|signer|keystore|keys?(?![a-z])|secret|credential)[^\\/]{0,60}[\\/]?[^\\/]{0,60}\.(?:jsonc?|csv|tsv|txt|log|xml|ya?ml|toml|ini)$/i;
/** `keys/index.ts`, `keys.test.ts`, `Keys.t.sol` */
const CODE_FILE = /(?:^|[\\/])([^\\/.]{1,60})(?:[\\/](?:index|base|main|mod|all|local)|\.(?:test|spec|t|d))?\.\w{1,5}$/;
/** `loadSigner.ts`, `hotWallets.go`, unlike `wallet.ts` */
const LOADS =
  /^(?:load|import|make|create|restore|burner|hot|cold|test|dev) (?:\w+ )?(?:signer|wallet|account)s?$|^(?:test |dev |my )?(?:signers|wallets|accounts|deployers|relayers|funders|burners)$|^key ?stores?$/;

/** Whether the name of a file says that it has accounts or keys: files of data, and those of code that are named after keys. */
export function isAccountFile(fileName = ''): boolean {
  const name = splitWords(CODE_FILE.exec(fileName)?.[1] ?? '');
  const isOfKeys = name.join(' ') !== 'seed' && findSecretWord(name) !== null;
  return isOfKeys || LOADS.test(name.join(' ')) || ACCOUNT_FILE.test(fileName);
}

/** Files of settings, unlike those of chains and tests. */
export const isSettingsFile = (fileName = ''): boolean => SETTINGS_FILE.test(fileName);
const SETTINGS_FILE =
  /(?:^|[\\/])(?:appsettings[^\\/]{0,40}\.json|[\w.-]{1,40}\.properties|launch\.json|workspace\.xml|cloudbuild\.ya?ml|env\.(?:sample|example|dist|template|default|txt)|environment|[\w.-]{1,40}\.conf)$/i;

/** What tools write about the transactions that they sent. */
export const RECORDS = /(?:^|[\\/])(?:deployments|broadcast|\.openzeppelin)[\\/].{1,200}\.jsonl?$/;

export const MANIFEST = /(?:^|[\\/])\.openzeppelin[\\/].{1,200}\.json$/;

/** What a transaction did, in its name: `attackTx`, `failed tx`. `deployTx` and `lastTx` may be settings of who sends it. */
export const PURPOSE = wordSet(
  'deployment concept poc liquidation claim attack exploit hack drain incident deposit deployed executed settled withdraw withdrawal approve approval transfer swap mint burn upgrade creation failed failing revert reverted mined',
);

/** `deployment tx`, or with `orPlural` also `transactions`. */
export function hasPurpose(words: readonly string[], orPlural = true): boolean {
  return (
    words.some(word => PURPOSE.has(word)) ||
    (orPlural &&
      (/^(?:txs|transactions|blocks|uncles|receipts)$/.test(words.at(-1) ?? '') || /\w by tx$/.test(words.join(' '))))
  );
}

/** Whether a name tells what the transaction did: `mintTx`, `deployTxHash`. */
export const tellsEvent = (words: readonly string[]): boolean =>
  hasPurpose(words, false) || (isHashName(words) && words.some(word => /^(?:deploy(?:ed)?|execution)$/.test(word)));

/** `paymentTx`, `l1 tx`, `deploy transaction`: not of an account, and no bare `lastTx`. */
export function isOfEvent(words: readonly string[], except: ReadonlySet<string> | null = null): boolean {
  const [kind, of, ...more] = words.filter(word => !OF_TYPE.has(word)).reverse();
  const isOfContract = more.length === 1 && CONTRACTS.has(more[0] ?? '');
  return (
    of !== undefined &&
    more.length < 2 &&
    /^(?:tx|txn|transaction)$/.test(kind ?? '') &&
    !isAccountName(words) &&
    !isActionName(words) &&
    ![of, ...more].some(
      word => NO_EVENT.has(word) && except?.has(word) !== true && !(word === 'deploy' && isOfContract),
    )
  );
}

/** `registryDeployTx` */
const CONTRACTS = wordSet(
  'vault token factory router proxy registry pool bridge market strategy governor implementation timelock quoter contract',
);

/** In front of the name of a constant. */
const OF_TYPE = wordSet('bytes string internal public private pub static b hash h hex final');

/** Of constants in code, and of settings of who sends it. */
export const SETTING = wordSet('deploy test last next first new old example sample other');

const NO_EVENT = wordSet(
  'deploy data test dev main local the my our this that a an last next first new old raw default example sample some any other tx txn transaction no your is by with for use const let var set env config export',
);
