// Whether a literal may be sent to a node or host: yes, after a click, or never, and why.
import { t } from '../base/localize.ts';
import type { HashLiteral, HexLiteral } from './hexLiteral.ts';
import { RULES, type RuleName } from './rules.ts';
import { findSecretWord } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

export type PrivacyDecision = 'yes' | 'click' | 'never';

export interface PrivacyVerdict {
  readonly decision: PrivacyDecision;
  /** One sentence for the hover. */
  readonly reason: string;
  /** It may be a private key or another secret: not even a user's click sends it. */
  readonly isSecret: boolean;
}

export interface PrivacyFacts {
  /** What is sent stays on this machine: no remote host and no upstream of a fork receives it. */
  readonly isLocal: boolean;
  /** Path or name of the file, with either slash. */
  readonly fileName?: string | undefined;
  /** The user clicked "look up" on exactly this literal. */
  readonly isUserRequested?: boolean | undefined;
}

const SECRET_FILE =
  /^(?:\.env(?:$|[.\-_]).*|.+\.env(?:\..*)?|env(?:\.(?:local|dev|development|test|staging|prod|production|sh))?|\.envrc(?:\..*)?|\.flaskenv|\.dev\.vars(?:\..*)?|\.?secrets?(?:\..*)?|\.private|\.npmrc|\.pypirc|\.netrc|\.pgpass|\.?git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:key|pk|privkey|pem|keystore|p12|pfx|tfvars)(?:\.(?:json|txt))?|.*\.enc\.(?:ya?ml|json|toml)(?:\.dec(?:rypted)?)?|keystore(?:\.json)?|utc--.*)$/i;
/** Folders that exist to hold secrets; Hardhat stores its variables in one of the user's. */
const SECRET_FOLDER = /(?:^|[\\/])(?:\.secrets?|keystores?|private[-_]?keys?|hardhat-nodejs)[\\/]/i;
/** Files of data, whose names may say that they hold keys. */
const DATA_FILE = /^([^.]*)(?:\.(?:jsonc?|csv|tsv|txt|log|xml|ya?ml|toml|ini|md|conf|cfg))?$/i;
/** `dex_trades_seed.csv`, with which dbt fills a database. */
const DATABASE_SEED = /^(?!.*(?:wallet|account|key|phrase|user))(\w{2,40}_\w{2,60})_seed(?=\.csv$)/i;
/** What editors, Git, merges and backups put around the name of a file: `.env~`, `.env.swp`, `#.env#`, `prod.env.git`. */
const COPY =
  /(?:~|#|\.(?:git|bak|backup|old|orig|org|save|sav|copy|tmp|temp|rej|mine|theirs|ours|base|remote|swp|swo|swn|un~|dist|\d{1,8})|[ ._-]copy(?: \d{1,3})?| \d{1,2}| \(\d{1,3}\))$/i;

/** The name of the file that a file is a copy of. */
function getOriginalName(fileName: string): string {
  let name = (fileName.split(/[\\/]/).at(-1) ?? '').replace(/^\.?#/, '');
  const isSwapFile = /\.sw[a-p]$/i.test(name);
  for (let match = COPY.exec(name); match !== null && match.index > 0; match = COPY.exec(name))
    name = name.slice(0, match.index);
  return isSwapFile ? name.replace(/^\.(?=[^.]{1,100}\.)/, '') : name;
}

/** Files that exist to hold secrets: `.env*`, `.dev.vars`, `secrets.*`, `private-keys.txt`, key stores, and copies of them. */
export function isSecretFile(fileName: string | undefined): boolean {
  if (fileName === undefined) return false;
  const name = getOriginalName(fileName);
  return (
    SECRET_FILE.test(name) ||
    SECRET_FOLDER.test(fileName) ||
    findSecretWord(splitWords(DATA_FILE.exec(name.replace(DATABASE_SEED, '$1'))?.[1] ?? '')) !== null
  );
}

const verdict = (decision: PrivacyDecision, reason: string): PrivacyVerdict => ({ decision, reason, isSecret: false });

const secret = (reason: string): PrivacyVerdict => ({ decision: 'never', reason, isSecret: true });

/**
 * The rule for what may be sent to nodes and hosts. What may be a secret is sent nowhere, not even to a node on this machine:
 * that may be a fork, which requests from its upstream what it does not know.
 */
export function getPrivacyVerdict(
  literal: HexLiteral,
  { isLocal, fileName, isUserRequested = false }: PrivacyFacts,
): PrivacyVerdict {
  switch (literal.kind) {
    case 'address':
    case 'paddedAddress': {
      if (!literal.canLookUp) return verdict('never', 'This address is not an account of any chain.');
      if (literal.kind === 'paddedAddress' && literal.secretWord !== null) return secretVerdict(literal.secretWord);
      if (isLocal) return LOOPBACK;
      if (literal.kind === 'address' || literal.isCertain) return verdict('yes', 'An address is public.');
      if (isSecretFile(fileName)) return secretFileVerdict();
      if (isUserRequested) return verdict('yes', 'You requested it.');
      return verdict('click', t('32 bytes may be a private key, and nothing here says that this is an address.'));
    }
    case 'aptosAddress': {
      if (literal.address === null) return verdict('never', 'No Move.toml assigns an address to this name.');
      if (literal.secretWord !== null) return secretVerdict(literal.secretWord);
      if (isLocal) return LOOPBACK;
      if (literal.hint.basis === 'syntax') return verdict('yes', 'An address is public.');
      if (isSecretFile(fileName)) return secretFileVerdict();
      if (literal.hint.basis === 'word') return verdict('yes', `It is an address: "${literal.hint.word}" says so.`);
      if (isUserRequested) return verdict('yes', 'You requested it.');
      return verdict(
        'click',
        literal.hint.basis === 'none'
          ? t('32 bytes may be a private key, and nothing here says that this is an address.')
          : t('32 bytes may be a private key, and "{0}" may name one.', literal.hint.word),
      );
    }
    case 'aptosType':
      return literal.path === null
        ? verdict('never', 'No Move.toml assigns an address to a name in it.')
        : verdict('yes', 'A type is public.');
    case 'aptosTransaction':
      if (isLocal) return LOOPBACK;
      if (literal.by === 'hash' && isSecretFile(fileName)) return secretFileVerdict();
      return verdict('yes', `It is a transaction: "${literal.word}" says so.`);
    case 'aptosBlock':
      return verdict('yes', 'A block height is public.');
    case 'blockNumber':
      return verdict('yes', 'A block number is public.');
    case 'hash32': {
      if (literal.lookupOrder.length === 0) return verdict('never', 'No node can find anything by this hash.');
      if (literal.secretWord !== null) return secretVerdict(literal.secretWord);
      if (isLocal) return LOOPBACK;
      if (isSecretFile(fileName)) return secretFileVerdict();
      if (literal.hint !== null) {
        const rule = RULES[literal.rule ?? 'hashName'];
        return verdict('yes', `It is a hash: "${literal.hint.word}" says so (rule ${rule}).`);
      }
      if (isRecorded(literal)) return verdict('yes', `A deployment tool has recorded it (rule ${RULES.recorded}).`);
      if (isUserRequested) return verdict('yes', 'You requested it.');
      return verdict('click', getClickReason(literal.rule));
    }
    case 'developmentKey':
      return secret(t('A private key is never looked up, not even a well-known one.'));
    case 'truncated':
      return verdict('never', 'Digits are missing, so there is nothing to look up.');
    case 'nearMiss':
      return verdict('never', 'It has the wrong number of digits, so there is nothing to look up.');
    case 'topic':
    case 'constant':
    case 'selector':
      return verdict('never', 'HexLens knows this one itself.');
    case 'word':
    case 'data':
      return verdict('never', 'It is a value, not something to look up on a chain.');
  }
}

/**
 * Whether a record of the same bytes proves that they are a hash: it outweighs all doubts but that other lines use the name for a
 * key.
 */
const isRecorded = ({ recordedAs, rule }: HashLiteral): boolean => recordedAs !== undefined && rule !== 'usedAsKey';

const secretFileVerdict = () =>
  secret(t('This file holds secrets, and 32 bytes may be a private key (rule {0}).', RULES.secretFile));

const LOOPBACK = verdict('yes', 'Only nodes on this machine receive it.');

function secretVerdict(word: string): PrivacyVerdict {
  return secret(t('"{0}" near it says that this may be a secret (rule {1}).', word, RULES.secretWord));
}

/** Why 32 bytes need a click, with the number of the rule in docs/security.md. */
function getClickReason(rule: RuleName = 'nothing'): string {
  const number = RULES[rule];
  switch (rule) {
    case 'accountRemark':
      return t(
        '32 bytes may be a private key, and what is written about it tells of accounts or keys, or of no hash (rule {0}).',
        number,
      );
    case 'usedAsKey':
      return t('32 bytes may be a private key, and other lines use its name for a key (rule {0}).', number);
    case 'aboutAccounts':
      return t('32 bytes may be a private key, and what it is in is about accounts or settings (rule {0}).', number);
    case 'oneOfSeveral':
      return t('32 bytes may be a private key, and not all values beside it are hashes (rule {0}).', number);
    case 'otherPlace':
      return t('32 bytes may be a private key, and it is where keys are written too (rule {0}).', number);
    default:
      return t('32 bytes may be a private key, and nothing here proves that this is a hash (rule {0}).', RULES.nothing);
  }
}
