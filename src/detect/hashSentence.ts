// Tells whether a sentence or expression does with a literal what is done with the hashes of transactions.
import { isOnlyOfTransaction } from './phrases.ts';
import { findLineStart, findOpenerBefore } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

type Range = Pick<ScannedLiteral, 'start' | 'end'>;

/** What is below a trace is read as far as this. */
const REACH = 600;

/** The values of a list before its last one. */
export const LISTED = /["'`]?0[xX][0-9a-fA-F]{64}["'`]?(?:,\s?(?:and )?| and )/g;

/** The line before a literal; the one above it too where a sentence continues on this one. */
function readLineBefore(text: string, start: number): string {
  const lineStart = findLineStart(text, start, Math.max(0, start - 160));
  const line = text.slice(lineStart, start);
  if (/[^\s#/*>`"'(-]/.test(line) || lineStart < 2) return line;
  const above = text.slice(findLineStart(text, lineStart - 1, Math.max(0, lineStart - 160)), lineStart - 1);
  return above.length >= MIN_WRAPPED && WRAPPED.test(above) && !isAccountName(splitWords(above))
    ? `${above} ${line.replace(/^[\s#/*>-]+/, '')}`
    : line;
}
/** A shorter line is a title of what is below it. */
export const MIN_WRAPPED = 40;
const WRAPPED = / (?:tx|txn|transaction|block)(?: hash)?,?$/i;

/** Whether a sentence does with it what is done with transactions: `waiting for 0x… to be mined`, `tracing 0x… fails`, `deployed in 0x…`. */
export function isInSentence(text: string, { start, end }: Range): boolean {
  const before = readLineBefore(text, start);
  const after = text.slice(end, end + 60);
  const subject = LABEL.exec(before)?.[1];
  if (subject !== undefined && !isOnlyOfTransaction(subject)) return false;
  if (/(?:^\s*|[(,]\s?)["']?$/.test(before) && isInSqlList(text, start)) return true;
  return (
    VERB_BEFORE.test(before.replace(LISTED, '')) ||
    isReturnedOrReplaced(before, after) ||
    (IS_PARENT.test(before) && PARENT.test(text.slice(Math.max(0, start - MAX_PARENT), start))) ||
    (/\b(?:sent|submitted) [`"']?$/i.test(before) && /^[`"']? \(?nonce[ =:]{1,2}\d/.test(after)) ||
    (AWAITED.test(before) && VERB_BEHIND.test(after)) ||
    (TRACE.test(before) && PART_OF_TRACE.test(text.slice(end, end + REACH).split('\n\n', 1)[0] ?? '')) ||
    ON_EXPLORER.test(after) ||
    METHOD_WITH.test(before) ||
    (SOURCE.test(before) && (before.includes('0x') || DESTINATION.test(after))) ||
    ((/\b(?:tx|transaction|why) [`"'*(]{0,3}$/i.test(before) ||
      /^\W*(?:so |and |but )?this transaction, $/i.test(before)) &&
      (DID.test(after) || FROM_TO.test(text.slice(end, end + MAX_FROM_TO))))
  );
}
/** `where tx_hash in (` above its values. */
const isInSqlList = (text: string, start: number): boolean => {
  const opener = findOpenerBefore(text, start, REACH);
  return /\bwhere\s[^;]{0,100}\b(?:tx|transaction|block)_?hash\s{1,4}in\s?$/i.test(
    text.slice(Math.max(0, opener - 160), opener),
  );
};
/** Whether it is the answer to `can you share the tx hash?` in the line above. */
export function isAnswer(text: string, { start, end }: Range): boolean {
  if (!/^[`"']{0,2}(?:\r?\n|$)/.test(text.slice(end, end + 3))) return false;
  const [own = '', ...above] = text
    .slice(Math.max(0, start - REACH), start)
    .split('\n')
    .reverse();
  const lines = above.filter(line => line.trim() !== '' && !WRITTEN_BY.test(line));
  const question = (lines[0] ?? '').trimEnd().replace(AUTHOR, '');
  return own.replace(AUTHOR, '').length <= 2 && QUESTION.test(question) && !isAccountName(splitWords(question));
}
/** `[10:13] ana: `, and the same in a line of its own. */
const AUTHOR = /^(?:\[[^\]\n]{3,40}\] ?)?(?:<?[\w.-]{1,30}(?:>|:) ?)?/;
const WRITTEN_BY = /^\[[^\]\n]{3,40}\] \S{1,40}\s{0,2}$/;
const QUESTION =
  /\b(?:share|send|post|paste|have|give|drop|got|need|what(?:['’]s| is| was)|which(?: is| was)?) (?:me |us )?(?:the |a |your |that |this )?(?:(?:failed|failing|swap|approve|approval|deposit|withdrawal|transfer|mint|deploy|bridge|stuck|pending|last|first) )?(?:(?:tx|txn|transaction)(?: hash| id)?|hash of (?:the|that|your) \w{3,12})(?: (?:too|please|pls|again|here|there|then)){0,2} ?\?$/i;
/** `Form submitted: 0x…` is of a form. */
const LABEL =
  /(?:^|[:：.,;|(\]] )([^:：.,;|()\]]{0,80}\b(?:submitted|mined|confirmed|executed|settled|finalized))[:：] {0,4}[`"'*(]{0,3}$/i;
/** What tools print above a trace, and what is below it or follows in a sentence: alone it may be of anything. */
const TRACE = /\b(?:call trace:|tracing|traces? (?:of|for)) {1,4}[`"'*(]{0,3}$/i;
const PART_OF_TRACE =
  /^[`"'*)]{0,3} (?:is|was|shows|ends|fails|crashes|reverts|takes|hangs)\b|\bgas\b[^\n\d]{0,12}\d|\d gas\b|^\s{0,8}(?:\w{1,12} )?contracts?:|[├└]|\w::\w|\w\.\w{1,60}\s{1,4}\d{1,6}:\d{1,6}\b|^\s{0,8}(?:static|delegate)?call\b/im;
/** `0x… on Etherscan`, `transaction 0x… drained the pool` */
const ON_EXPLORER =
  /^[`"'*)]{0,3},? (?:on|in|at) (?:\w{2,12}scan|blockscout|tenderly|phalcon|the (?:block )?explorer)\b/i;
const DID =
  /^[`"'*)]{0,3},? (?:is the one that |(?:(?:which|that|has|had|then|also) ){0,2})(?:drained|called|transferred|emitted|paid|took|minted|burned|swapped|stole|created|upgraded|withdrew|deposited|moved|reverted|triggered|changed|used|cost|ran|spent|consumed)\b/i;
/** `` `trace_replayTransaction` with `["0x…" `` */
const METHOD_WITH =
  /`(?:debug_trace|trace_(?:replay)?|eth_get)(?:Transaction|Block)\w{0,20}` (?:with|for|of|on) `?\["$/;
/** `source tx 0x… -> destination tx 0x…` */
const SOURCE =
  /\b(?:source|src|origin) tx $|\b(?:source|src|origin) tx 0x[\da-f]{64} (?:->|→|=>) (?:dest|dst|destination|target) tx $/i;
const DESTINATION = /^ (?:->|→|=>) (?:dest|dst|destination|target) tx 0x/i;
/** As nodes print what transactions move and need. */
const FROM_TO = /^,? (?:from 0x[\da-f]{40} to 0x[\da-f]{40}\b|(?:gas|block|status)[ =:]{1,2}\d)/i;
const MAX_FROM_TO = 110;
const VERB_BEHIND =
  /^[`"'*)]{0,3}(?: ?[-–—:,?](?: it)?)? (?:ran )?(?:(?:to be|to get|was|is|has been|got|not|yet|been) ){0,2}(?:still pending|out of gas|\.\.\. done|emit|revert|fail|mined(?! (?:a |the )?blocks?\b)|confirmed|reverted|included|dropped|replaced|finalized|with `?cast (?:run|tx|receipt))\b/;
const AWAITED =
  /(?:\b(?:wait(?:ing|ed)? for|debug|look(?:ing)? at|(?:why|when|how|which \w{3,12}) (?:did|does|has)|reorg:) |\[(?:tx|txs|txmgr|transactions?)\] |^[\s#*/>-]*|^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]{1,40}:)[`"'*(]{0,3}$/i;
/** What happens to contracts, tokens and money. */
const HAPPENED =
  '(?:(?:un)?paus|(?:up|down)grad|(?:re)?deploy|exploit|attack|hack|drain|mint|burn|creat|execut|transferr|deposit|bridg|swapp|liquidat|claim|repay|borrow|(?:un|re)?stak|slash|revok|grant|approv|chang|renounc|initiali[sz]|migrat|includ|min|confirm|revert|fail|emitt|resum|restart|patch|trigger|call|mov|rescu|refund|reimburs|propos|queu|cancel+|enact|(?:de)?activat|disabl|enabl|remov|replac|updat|rais|lower|settl|finali[sz]|open|clos|trad|fill|airdropp|distribut|happen|occurr|wrapp|seiz|redeem)ed|handed over|proven|paid|repaid|frozen|stolen|swept|withdrawn|seen|done|sent back|upgrade';
const VERB_BEFORE = new RegExp(
  `(?:${[
    String.raw`\b(?:replaying|replays|re-?executing|traces?(?:\.\w{2,3})?)`,
    // Nothing happens in a key: `paused in`, `sent back in a single transaction,`
    String.raw`\b(?:\w{3,20}ed|proven|withdrawn|seen|done|sent(?: back)?|upgrade|block|deposit(?: #?\d{1,9})?),? in(?: (?:a|the|one|this)(?: single| same)? (?:tx|transaction|block)),?|\b(?:${HAPPENED}) in`,
    String.raw`\b(?:upgrade|deployment|exploit|attack|swap|mint|migration|deposit|withdrawal|transfer|drain|revert|liquidation) in|\b(?:single|same|one|another) (?:tx|transaction|block),(?: in)?`,
    String.raw`\b(?:deploy(?:ment)?|upgrade|mint|swap|tx|transaction|withdrawal|deposit|transfer|migration|approval) (?:is|was|went) (?:through|in|done|confirmed|mined),|\bsubmitted (?:deposit|withdrawal|message|batch|bundle|proposal) #?\d{1,12} in`,
    // A tag of what a log is about, unlike that of who sends: `[tx] sent 0x…`, `[relayer] sent 0x…`
    String.raw`\[(?:tx|txs|txmgr|transactions?)\] (?:sent|submitted|dropped|reverted|failed|pending|broadcast(?:ed)?)|\bfinalized (?:head|block)(?: of (?:the |this )?\w{1,12})?:|\b(?:first|last|previous|original|initial) deployment:`,
    String.raw`\b(?:block|parent|tx|transaction) ?hash (?:mismatch|differs|does not match)\b.{0,100}\b(?:expected|got|want|have|actual)|\bwhy (?:this|it|my (?:tx|swap)|the \w{3,12}) (?:reverted|failed|reverts|fails)[:,]?`,
    String.raw`^\s{0,40}(?:\/\/|#|\*|--) (?:right|just|shortly) (?:after|before)|\b(?:find|show|see|check) the (?:block|logs|events|trace) of`,
    String.raw`\b(?:mined|confirmed|executed|settled|finalized)(?: on[- ]?chain| on \w{2,20} in)?(?: (?:in|at) block #?\d[\d,_]{0,15})?:?`,
    String.raw`\b(?:tx|transaction) (?:sent|mined|confirmed|submitted|successful)[!:.](?: hash:)?`,
    String.raw`\b(?:tx|transaction) (?:was )?(?:sent|mined|confirmed|submitted|created|broadcast(?:ed)?|published|replaced|dropped|included|executed|failed|reverted|pending|queued|received|succeeded|completed|indexed|found|not found|timed out)(?: (?:to|from|in) (?:the )?mempool)?(?: \((?:nonce|block|gas|attempt)[ =]?\d{1,9}\))?:`,
    // What becomes of a transaction or block, or is done with its hash.
    String.raw`\b(?:dropp?|reject|retry|replac|reproduc|process|execut|fetch|index|skipp?|ignor|simulat|verify|decod|evict|revert|unpack|analy[sz])(?:e?d|e?s|e|ing)? (?:the |this |that )?(?:(?:broken|failed|failing|stuck|bad|invalid|offending) )?(?:tx|txn|transaction|block)(?: hash| #?\d[\d,_]{0,12})?:?`,
    String.raw`\b(?:(?:could|can|did|does)(?: ?not|n['’]t) (?:find|fetch|load|get|decode|trace|replay|index)|retried|verify|given|until|since|before|after|against|(?:taken|copied) from|(?:not found|no receipt|no logs) for) (?:the )?(?:tx|txn|transaction|block)(?: hash)?`,
    String.raw`^\W{0,12}(?:[✓✔✅☑✗✘❌]️?|\bok) (?:tx|transaction)(?: hash)?:?`,
    String.raw`\b(?:block|tx|transaction) #?\d[\d,_]{0,15} (?:has|had|with) (?:the )?hash|\bblock (?:has|had) the hash|\b(?:block|tx|transaction)['’]s hash (?:is|was):?|\bim block`,
    String.raw`\b(?:my|our|the|this) (?:tx|transaction) (?:is|was|has been|got) (?:still )?(?:stuck|pending|reverted|dropped)\b[^:.;]{0,40}:`,
    // What a transaction did: `the transaction that drained the pool: `
    String.raw`\b(?:tx|transaction) (?:that|which) (?:drained|deployed|created|upgraded|initiali[sz]ed|minted|burned|moved|caused|triggered|emitted|paused|reverted|failed|changed|broke)\b(?:(?! (?:using|with|by|for|as|from|through|via)\b)[^:,;.]){0,60}:`,
    String.raw`\b(?:broadcast(?:ed|ing)?|error sending) (?:tx|transaction)(?: #\d{1,4}:)?|^\W*pending`,
    String.raw`\b(?:look(?:ing)? (?:at|up)|open|see|check|inspect|view|decode|trace|replay|debug) (?:(?:the|this) )?(?:tx|txn|transaction|block)(?: hash)?:?`,
    String.raw`\b(?:missing|unknown|invalid|bad|orphaned) block|\bunknown (?:tx|transaction)|\bblock with hash|\b(?:in|of|at|from|(?:receipt|logs?|status|details|proof|data) for) (?:the )?(?:tx|txn|transaction|block)(?: hash)?|\b(?:missing|no|fetch(?:ed|ing)?|got|received|found) receipts? for`,
    // An amount that was moved.
    String.raw`\b(?:sent|transferred|paid|bridged|withdrew|withdrawn|received|moved|swapped|deposited|claimed|repaid|borrowed|staked|drained|stole)\b(?:(?!\b(?:using|with|by|for|as)\b)[^:]){0,30}\d[\d.,]{0,20} \w{2,8}\b(?:(?!\b(?:using|with|by|for|as)\b)[^:]){0,90}:`,
    String.raw`\b(?:receipts?|gas(?: \w{1,12})?|(?:decoded )?input|calldata|revert reason) of|\b(?:deployed|created|upgraded) [^.:;]{1,60} in|\bblock (?:is )?(?:number )?#?\d[\d,_]{0,15},? \(?(?:with )?hash|\b(?:expected|actual|received|got|computed|local|remote)(?: block| tx)? hash:?|\b(?:find|found|load|fetch|get|at) block`,
    // As Brownie and Ape print what they return.
    '<transaction(?: object)?',
    String.raw`\bhash (?:at|of|for) (?:block |height )?#?\d[\d,_]{0,15}:`,
    String.raw`\b(?:block|slot|height|head|tip):? {1,3}(?:number )?#?\d[\d,_]{1,15}(?= {1,3}[(\`"']{1,3}$| {2,3}$|[:,] )`,
    String.raw`\b(?:transaction|block)(?: hash)?,? (?:\(?e\.g\.|such as|for example|like)|\b(?:tx|receipt|block)\.\w{0,15}hash\)\.to (?:eq|be)`,
    String.raw`\bwhere (?:t|tx|txs|transactions?|blocks?|receipts?)\.hash =|\bfrom \w{0,20}(?:txs|transactions|blocks) where hash in`,
    String.raw`\bwhere [^;]{0,100}\b(?:tx|transaction|block)_?hash in`,
    String.raw`\b(?:new|imported|processed|indexed|sealed|synced|committed|produced) (?:(?:empty )?block )?#?\d[\d,]{0,12}\b(?:(?!\b(?:using|with|by|for|as)\b).){0,60}|\bblock #?\d{1,12} hash 0x[\da-f]{64} parent`,
    String.raw`(?:\b(?:the|my|our) |^(?:\[[^\]]{3,40}\] ?)?<\w{1,30}> )(?:tx|transaction)(?: hash)? (?:is|was):?|\bdeploy (?:tx|transaction):`,
    String.raw`\bnonce too (?:low|high) for|(?<!\bI )\bsubmitted(?: liquidation| bundle| batch)?:?|\bcalled \w{1,40}(?:\(\))? in`,
    String.raw`\b(?:sending|sent|submitted) (?:tx|transaction)(?:\.{2,3}|…)`,
    String.raw`\b(?:debug_trace|trace_|eth_get)(?:transaction|block)\w{0,20}.{0,40}|\bsame (?:calldata|logs|events|trace) as|^\W{0,12}(?:traced|replayed)`,
    String.raw`\b(?:fix|show|print|debug|reproduce)s? (?:the )?traces? (?:of|for)|^[\s/#*-]{0,20}(?:block|transaction) (?:with|after|before) the (?:first|last|next) \w{2,20}:`,
    // `I paid 80 gwei in 0x…`, `Swap sent 0x…`
    String.raw`\b(?:paid|spent|lost|burned|received) \d[\d.,]{0,20} \w{2,8} in|\b(?:swap|mint|approval|withdrawal|bridge|claim|upgrade|batch|bundle|liquidation|perform_?upkeep|harvest|rebalance) (?:sent|submitted|mined|confirmed):?`,
    // Of items of a changelog, and what a log calls the hash of a transaction that it sent again.
    String.raw`\((?:first )?(?:seen|reproduced|observed|noticed) (?:with|in|at)|^\W{0,6}(?:re)?(?:deployed|upgraded) (?:\`\w{1,40}\`|the \w{3,20})(?: on \w{3,20})?|^\W{0,3}(?:\S{1,60}[ :])?new hash:?`,
  ].join('|')}) {1,4}[\`"'*(]{0,3}$`,
  'i',
);

/** What a test returns from `sendTransaction`, what a log calls `old` and `new` in a reorg, `l2_head=0x…:1000` with its number. */
function isReturnedOrReplaced(before: string, after: string): boolean {
  if (MOCKED.test(before) || (/reorg|replac(?:ed|ing)|fork ?choice/i.test(before) && REORG.test(before))) return true;
  if (HASH_OF.test(before)) return true;
  return /^["']?:\d{1,12}(?![\w:])/.test(after) && BLOCK_NAME.test(before);
}
/** `existing tx (hash=0x…)` */
const HASH_OF =
  /\b(?:tx|txn|transaction|block)(?: \(|\s{1,12}(?=hash=))hash[=:] ?["']?$|\bTransaction HexBytes\(["']$/i;
/** Behind the block's own: `hash=0x… number=12 parent=0x…` */
const IS_PARENT = /\bparent(?:_?hash)?=$/i;
const MAX_PARENT = 300;
const PARENT = /\b(?:block|segment|header|head|chain)\b.{0,200}\bhash=0x[\da-f]{64}\b.{0,200}\bparent(?:_?hash)?=$/i;
const BLOCK_NAME = /(?:head|origin|block|safe|finalized|checkpoint|parent|l[12])["']?\s?[:=]\s?["']?$/i;
const REORG =
  /\breplac(?:ed|ing)\b.{0,40}\b(?:tx|transaction)\b.{0,120}["'](?:old|new|from|to)(?:_?hash)?["']:\s?["']$|\breorg\w{0,10}\b.{0,160}\b(?:old|new|from|to|expected|parent|got|was|now)(?:_?(?:hash|head|block))?[=: ] ?["'`(]?$|\bfork ?choice\b.{0,260}\b(?:head|safe|finali[sz]ed)(?:_?hash)?[=:] ?["']?$|\b(?:reorg\w{0,10}|block|tx|transaction)\b.{0,160}\breplaced (?:it )?by [`"'(]{0,3}$|\breplaced (?:the )?(?:block|tx|transaction) [`"']{0,2}0x[\da-f]{64}[`"']{0,2} (?:by|with) [`"']{0,2}$/i;
export const MOCKED =
  /(?:\.hash|\[["']hash["']\])(?:\.\w{2,12}\(\))?\s?[!=]==?\s?["'`]$|\bsend_?(?:raw_?)?transaction\.return_value = (?:HexBytes\()?["']$|\bexpect\((?:await )?[\w.]{0,60}(?:send_?(?:raw_?)?transaction|write_?contract|deploy_?contract)\([^\n]{0,160}\)\.(?:resolves\.|to\.)?\w{2,30}\([`"']{1,2}$|\bblockhash\([^()\n]{1,40}\),\s$|["']eth_sendRawTransaction["'],\s?(?:async )?(?:\(\w{0,20}\)|\w{0,20}) => ["'`]$|\b\w{0,20}(?:send|write|submit|broadcast)(?:raw)?_?(?:transaction|contract|tx|calls)["'`]?\)?(?:: (?:vi|jest)\.fn\(\))?\.mock(?:resolved|return)value(?:once)?\((?:\{ (?:data|hash): )?["'`]$|(?:get|read|fetch|load|find|wait)\w{0,16}(?:Tx|Transaction|Receipt|Block)\w{0,12}\)?\.mock(?:Resolved|Return)Value(?:Once)?\(\{ hash: ["'`]$|\)\.toHaveBeen(?:Last)?CalledWith\(\{ hash: ["'`]$|\bexpect\((?:[^()\n]|\([^()\n]{0,60}\)){1,120}\)\.(?:resolves\.)?(?:to(?:Strict)?Equal|toMatchObject|to\.deep\.equal)\(\{ hash: ["'`]$|\.On\("Send\w{0,3}Transaction"[^()\n]{0,60}\)\.Return\((?:[\w.]{0,20}HexToHash\()?"$|\w{0,8}Send(?:Raw)?Transaction\((?:any\w{0,20}\(\w{0,30}\))?\)\)\.thenReturn\((?:\w{1,20}\()?"$/i;
