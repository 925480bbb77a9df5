// Tells whether code passes a literal to what shows, links, stores or excludes transactions by their hash.
import { HEX } from './owners.ts';
import { findOpenerBefore } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, mentionsAccount } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

const REACH = 400;
/** Nothing so near is about accounts or keys. */
const NEAR = 1_000;
/** An argument, a field, an attribute or a value of a list. */
const ENDS = /(?:[(,\s]|\bhash(?:["']?: ?|=\{?)|\bdata: )["'`]?$/i;
const MAX_END = 12;

/** `explorerUrl(1, '0x…')`, `getExplorerLink(10, "0x…", "transaction")`, `txLink("0x…")`, `toExplorerLink({ type: "tx", hash: "0x…" })` */
const LINK =
  /\b\w{0,20}(?:explorer|etherscan|blockscout|(?:tx|transaction)_?(?=url|link|href))\w{0,20}\((?:(?:[A-Za-z][\w.]{0,30}|\d{1,9}n?|["'][\w-]{1,20}["']),\s?){0,2}(?:\{\s?type: ["'](?:tx|transaction)["'], hash: )?["'`]$/i;
/** `addTransaction({ chainId: 1, hash: "0x…" })`, `prisma.transaction.createMany({ data: [{ hash: "0x…" }] })`, unlike `sendTransaction({` */
const STORED =
  /\b(?:(?:add|insert|upsert|update|save|store|track|record|watch|finali[sz]e|confirm|remove|delete)_?(?:pending|new|l[12])?(?:transactions?|txs?)|transactions?\.(?:create(?:_?many)?|insert(?:_?many)?|upsert|update|add))\(\s?[[{][^();]{0,300}[{,]\s{0,12}["']?hash["']?: ?["'`]$/i;
/** `<TransactionCard hash="0x…"`, also below its name: one that shows what was sent. */
const SHOWN =
  /<(?:tx|transaction|receipt|block)(?:card|row|links?|toast|details?|items?|status|view|summary|preview|badge|hash|trace|page|info|modal|notification|timeline)?(?:\s{1,12}[a-z]\w{0,20}(?:=(?:"[^"<>\n]{0,60}"|\{[^<>{}\n]{0,60}\}))?){0,6}\s{1,12}hash=\{?["'`]$/i;
/** `useWriteContract: () => ({ data: '0x…' })` of a test. */
const RETURNED = /\buse(?:Write|Deploy)Contract: \(\) => \(\{ (?:\w{1,20}: [\w.()]{1,30}, ){0,3}data: ["'`]$/;
/** `and tx_hash not in (` above its values. */
const EXCLUDED = /\b(?:where|and|or)\s[^;()]{0,100}\b(?:tx|transaction)_?hash\s{1,4}(?:not\s)?in\s?$/i;

/** Whether a literal is the hash of a transaction that a component shows, a function links or stores, or a query names in a list. */
export function isInCodeOfTransactions(text: string, { start, end }: ScannedLiteral): boolean {
  if (!ENDS.test(text.slice(Math.max(0, start - MAX_END), start))) return false;
  const before = text.slice(Math.max(0, start - REACH), start);
  const isOfKeys = () =>
    mentionsAccount(splitWords(text.slice(Math.max(0, start - NEAR), end + NEAR).replace(HEX, ' ')), false);
  const code = [LINK, STORED, SHOWN, RETURNED].map(expression => expression.exec(before)?.[0]).find(Boolean);
  if (code !== undefined) return !isAccountName(splitWords(code.replace(/\bfrom: /g, ''))) && !isOfKeys();
  if (!/[(,]\s{0,12}["'`]?$|\n\s{0,12}["'`]?$/.test(before)) return false;
  const opener = findOpenerBefore(text, start, REACH);
  return text[opener] === '(' && EXCLUDED.test(text.slice(Math.max(0, opener - REACH), opener)) && !isOfKeys();
}
