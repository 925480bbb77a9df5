// Tells whether a literal is what a function, a command or a query looks up.
import { MAX_LINE_LENGTH } from './hashClaim.ts';
import { isConversion, isLookupName } from './hintWords.ts';
import { findCalleeStart, findOpenerBefore } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { splitWords } from './splitWords.ts';

type Range = Pick<ScannedLiteral, 'start' | 'end'>;

/** `evm-trace --tx 0x…` */
export const OPTION_OF_LOOKUP =
  /(?:^|[\s/-])(?:trace|decode|replay|debug|inspect|explain|receipt|lookup|backfill|status)\w{0,10}\b[^|;&\n]{0,100}\s--?(?:(?:from-)?tx|txn|transaction|block|hash)(?:-?id)?[\s=]["']?$|\b(?:rpc|query|get|show) (?:tx|transaction|receipt|block) --hash[\s=]["']?$|\btransaction show --(?:transaction-)?hash[\s=]["']?$|\bcast (?!send|mktx|wallet|w )[\w-]{2,20} (?:[^|;&\n]{1,120} )?--(?:from-|to-)?block[ =]["']?$|(?:^|[\s`])(?:npx\s|bunx\s|\.\/)?[\w-]{0,20}(?:decode|trace|replay|inspect|receipt|lookup|explain|verify|show|get|debug|simulate|check|fetch)(?:-(?:tx|txn|transaction))\s["']?$|^[ \t]{0,8}(?:\$ )?[a-z][\w./-]{2,30} receipt ["']?$/;

/** `SELECT * FROM transactions WHERE hash = `, `swaps(where: { transaction: `, `get("/label", params={"tx": "`, `def replay(tx: str = ` */
export const QUERY =
  /\.get\(["']\/(?:label|tx|trace|decode|explain|receipt|status|transaction)s?["'], params=\{["']tx["']: ["']$|\(\w{0,20}:(?:Transaction|Tx|Block)\s?\{\s?(?:\w{1,12}_?)?hash:\s?["']$|\bfrom\s[\w."`-]{0,80}(?:txs|transactions|blocks|receipts|logs)["`\s][^;]{0,80}\bwhere\s[^;]{0,160}$|\bupdate\s[\w."`]{0,40}(?:txs|transactions|blocks|receipts)["`\s][^;]{0,80}\bwhere\s[^;]{0,80}$|\b(?:txs|transactions|blocks|receipts)\.find\w{0,10}\(\{[^{};]{0,40}$|\bwhere:\s?\{[^{};]{0,80}$|\b(?:def|function|fn|func|fun)\s\w{0,20}(?:replay|trace|decode|inspect|explain)\w{0,20}\((?:tx|txn|transaction|hash)(?:\s?:\s?[\w.]{1,20})?\s?=\s?["'`]$/i;

/** Objects whose `hash` or `id` is their own, and calls whose `hash` is what they look up. */
export const OBJECT =
  /^(?:(?:use |const )?(?:tx |transaction |deploy |deployment |last |latest |parent |safe |finalized )?(?:tx|transaction|block|receipt|head|header)s?|(?:l |eth ){0,2}block (?:id|ref|info|header)|attribute dict)$/;

const LOOKUP_NAME =
  /^(?:is|was|has) (?:(?:tx|transaction|been) )?(?:mined|confirmed|finalized|reverted)$|^expect hash\b|\b(?:tx|transaction|block|receipt) get hash\b|\b(?:by hash\b|(?:transaction|user operation|user op) receipt\b|(?:get|fetch|wait|find|load|inspect|expect) (?:for )?(?:tx|transaction|receipt)(?: confirmations)?$)/;

/** The object around a literal, and the lines next to its own, are read as far as this. */
const REACH = 600;

const MAX_DEPTH = 5;

/** Whether the function that is called with the literal is `getTransactionReceipt({ hash: ` or similar; `null` outside of calls. */
export function isArgumentOfLookup(text: string, { start }: Range): boolean | null {
  let at = start;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    at = findOpenerBefore(text, at, REACH);
    if (at < 0 || (text[at] === '{' && /(?:=>|\))\s?$/.test(text.slice(at - 3, at)))) return null; // a body
    const callee = text[at] === '(' ? splitWords(text.slice(findCalleeStart(text, at, 0), at)) : [];
    if (callee.length === 0 || isConversion(callee)) continue;
    const name = callee.join(' ');
    return isLookupName(callee) || OBJECT.test(name) || LOOKUP_NAME.test(name);
  }
  return null;
}

/** Whether it is the only argument of a conversion whose result is looked up: `transactionReceipt(Data.fromHex("0x…"))`. */
export function isConvertedForLookup(text: string, { start }: Range): boolean {
  const opener = findOpenerBefore(text, start, MAX_LINE_LENGTH);
  const callee = findCalleeStart(text, opener, 0);
  const conversion = splitWords(text.slice(callee, opener));
  if (text[opener] !== '(' || !isConversion(conversion) || (conversion.includes('hash') && conversion[0] !== 'tx'))
    return false;
  if (!/^\((?:\w{1,20}: ?)?["'`]?$/.test(text.slice(opener, start)) || text[callee - 1] !== '(') return false;
  const name = splitWords(text.slice(findCalleeStart(text, callee - 1, 0), callee - 1));
  return isLookupName(name) || LOOKUP_NAME.test(name.join(' '));
}
