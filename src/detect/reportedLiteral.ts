// Tells whether the text reports what became of a literal: fields of receipts and blocks, what tools print.
import type { HashClaim, Line } from './hashClaim.ts';
import { OBJECT } from './lookedUpLiteral.ts';
import { findObjectStart } from './nodeRecords.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { splitWords, wordSet } from './splitWords.ts';

type Range = Pick<ScannedLiteral, 'start' | 'end'>;

/** As Anvil, Forge, Hardhat and Ganache print transactions, also in a list and in bold. */
export const PRINTED =
  /^(?:\s*(?:Error: |[-*>]\s)?[*_]{0,2}Transaction[*_]{0,2}:[*_]{0,2}|\s*✅\s{1,4}(?:\[Success\] ?)?Hash:)\s+`?$/;
/** Nothing is printed behind it but where it is and what it took. */
export const AFTER_PRINTED =
  /^`?[,.;]?\s{0,4}(?:$|\r?\n|[({[]?(?:block|gas|status|nonce|https?:|success|fail|revert|on |in |at |mined|confirmed|attempt|view|see|from|#?\d|[─│|✓✔✅❌]))/i;

/** `Token: 0xaddress (tx 0x…`, `checked live (tx 0x…`, `pool.pause()` — tx 0x…`, whose line names no account. */
export const CITED =
  /(?:(?:[\p{L}\d`'")\]]|(?<=\S)\*)[ ,—-]{1,3}[(@]|\)`? [—–-]{1,2} )(?:tx|txn|transaction)(?: hash)?:? [`"']?$/iu;

/** `pool.grantRole(ADMIN)` as code. */
export const CODE_SPAN = /`[\w.]{1,60}\([^`\n]{0,120}\)`/g;

/** `<Toast :tx="'0x…'"`: an element of a page that shows it. */
export const COMPONENT =
  /<(?:[A-Z]\w{1,40}|[a-z]{1,30}(?:-[a-z]{1,30}){1,4})(?:\s[^<>]{0,120})?\s[:]?(?:tx|txn|hash|id|transaction|block|value)\w{0,12}=["'{`]{1,3}$/;

/** Whether it is the `hash` of a transaction or block: `{ tx: { hash: `, `<block><hash>`. */
export function isOfObject(text: string, { start }: ScannedLiteral, containers: HashClaim['containers']): boolean {
  const around = containers[text[start - 1] === '>' ? 1 : 0]; // the first is its own element
  return around !== undefined && OBJECT.test(around.join(' '));
}

/** The object around a literal, and the lines next to its own, are read as far as this. */
const REACH = 600;

/** Fields that a node reports of transactions and blocks, unlike those that configure them: gas price, confirmations. */
const REPORTED =
  /"type":\s?"hexlens"|\b(?:block[ _]?(?:number|num|hash|height)|gas[ _]?used|gas usage|transaction[ _]?(?:index|type|hash)|tx[ _]?hash|log[ _]?index|parent[ _]?hash|contract (?:call|deployment|created|address|name))["']?(?:\s?[:=]|\s{2})|\bgas=\d|\bnetworkInteractionId\b|\beth_get\w+|\bstatus["']?\s?[:=]\s?["']?(?:(?:0x)?[01s]|success|reverted)\b|\bnot found\b|\(block #?\d+\)|\b(?:vm_status|event_root_hash)["']?\s?:|\b(?:number|block|height|slot)["']?\s?[:=]\s?["']?(?:(?!0x)\d|0x[\da-f]{1,10}\b)|\bcurrency["']?\s?[:=]|\btimestamp["']?\s?[:=]\s?\d|\btransaction="|\bTransaction\w{0,30}Error\b|\bran out of gas\b|\bblock {2,20}\d|\bstate_change_hash\b/i;

/** What becomes of transactions and blocks, in sentences. */
const EVENT = wordSet(
  'mined confirmed reverted failed dropped pending included processed indexed imported submitted sent reorg replaced success performed deploying deployed upgraded waiting published executed stuck synced committed produced finalized ' +
    'fails reverts succeeded detected evicted mempool underpriced orphaned replay replays replayed regression',
);

/** The name in a line of a report, such as `Gas used: 21000`, also of the request above it. */
const FIELD = /^(?:.{0,80}[\]|:]\s)?\s*(?:-\s)?(?:((?:[\w#]{1,20} ){0,2}[\w#]{1,30})(?::\s|\s{2})|eth_get\w+$)/;

/** The same in TOML. */
const TOML_FIELD = /^\s*([\w-]{1,30})\s=\s/;

/** Lines of a report above and below the literal that are read. */
const MAX_FIELDS = 6;

/** Whether `block: 5000000` and `"address": "0x…"` are beside the transaction that created it, in its block of lines. */
function isOfDeployment(text: string, { start, end }: Range, line: Line): boolean {
  if (!/^\W{0,40}\w+["']?\s?[:=]/.test(line.before)) return false;
  const before = text.slice(Math.max(0, line.start - REACH), start);
  const after = text.slice(end, end + REACH).split('\n\n', 1)[0];
  const block = `${before.slice(before.lastIndexOf('\n\n') + 1)} ${after}`;
  const isDeployed = DEPLOYED_BY.test(line.before);
  return (isDeployed && DEPLOYED_AT.test(block)) || (AT_ADDRESS.test(block) && (isDeployed || AT_BLOCK.test(block)));
}

const DEPLOYED_BY = /\b(?:deploy|creation)\w{0,4}_?(?:tx|transaction)\w{0,10}["']?\s?[:=]\s?["']?$/i;

const DEPLOYED_AT = /\bdeployed_?at["']?\s?[:=]\s?["']?(?!0x)\d/i;

const AT_BLOCK = /(?:\b|_|[a-z](?=B))(?<!start_?)block(?:[_-]?(?:number|height))?["']?\s?[:=]\s?["']?(?!0x)\d/i;

const AT_ADDRESS = /(?:^|[\s"'{,_-])address["']?\s?[:=]\s?["']?0x[\da-f]{40}\b/i;

export function isInReportedObject(text: string, { start, end }: Range): boolean {
  const opener = findObjectStart(text, start);
  return text[opener] === '{' && REPORTED.test(text.slice(opener, end + REACH).split('}', 1)[0] ?? '');
}

/** What a `hash` is of: a number, a status or a time beside it may be of anything. */
const OF_CHAIN =
  /\b(?:tx|txn|txs|transactions?|blocks?|receipts?|heads?|headers?|segment|payload|batch|checkpoints?|genesis|forks?|parent|uncles?|finali[sz]ed|reorg|canonical|gas used|contract (?:creation|deployment|call)|eth (?:get|subscribe|send)|status (?:pending|confirmed|mined|reverted|dropped|replaced)|deposit|withdraw(?:al)?|swap|transfer|mint|burn|approval)\b/;
/** The message ends with who makes blocks and sends transactions, or with what has a key: `Loaded block producer hash=`. */
const OF_ACTOR =
  /\b(?:producer|proposer|builder|validator|miner|sealer|sequencer|batcher|author|sender|keeper|oracle|relayer|coinbase|etherbase|manager|key)s?["']?,?\s{1,40}\(?hash\s?[=:]\s?["'`]?$/i;

/**
 * Whether the line, the object or the lines of a report around the literal tell what became of it. Around a `hash` they name a
 * transaction or block too.
 */
export function isReported(
  text: string,
  { start, end }: ScannedLiteral,
  line: Line,
  isPlain: boolean,
  containers: HashClaim['containers'],
): boolean {
  const toText = (part: string) => splitWords(part).join(' ');
  const isOfActor = isPlain && OF_ACTOR.test(line.before);
  const tells = (part: string, isEvent: boolean) =>
    isEvent && (!isPlain || (!isOfActor && OF_CHAIN.test(`${containers.flat().join(' ')} ${toText(part)}`)));
  if (tells(line.other, REPORTED.test(line.statement) || splitWords(line.other).some(word => EVENT.has(word))))
    return true;
  const opener = findObjectStart(text, start);
  if (
    tells(text.slice(Math.max(0, opener), end + REACH).split('}', 1)[0] ?? '', isInReportedObject(text, { start, end }))
  )
    return true;
  const readField = (of: string) => FIELD.exec(of) ?? (isPlain ? TOML_FIELD.exec(of) : null);
  const own = readField(line.before);
  if (isOfDeployment(text, { start, end }, line)) return true;
  if (own?.[1] === undefined || !/^\s*["'`]?$/.test(line.before.slice(own[0].length))) return false;
  const above = text
    .slice(Math.max(0, line.start - REACH), line.start)
    .split('\n')
    .slice(-MAX_FIELDS - 1);
  const below = text
    .slice(end, end + REACH)
    .split('\n')
    .slice(1, MAX_FIELDS + 1);
  const lines = [...above, ...below];
  return tells(
    lines.join('\n'),
    lines.some(near => readField(near) !== null && REPORTED.test(near)),
  );
}
