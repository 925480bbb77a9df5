// Tells whether a literal is the topic of an event by what is around it.
import type { HashHint } from './hintWords.ts';
import { isTopicNear } from './keyNames.ts';
import type { Label } from './labels.ts';
import type { ScannedLiteral } from './scanLiterals.ts';

export const TOPIC: HashHint = { kind: 'topic', isUnsearchable: false, word: 'topic' };
/** The signature of an event or error before its hash, also within `keccak256("…")`, or what bindings for Go say; unlike ``calls `skim()`: ``. */
const SIGNATURE =
  /(?:["']|(?<!\w )`)\w{1,60}\([\w\s,[\]()]{0,120}\)["'`]\)?\s?(?::|=>|={1,3})\s?["'`]?$|\bcontract event $/;
/** `// keccak256("Paused(address)")` above `bytes32 constant PAUSED = 0x…`, also of roles and slots. */
const BELOW_SIGNATURE = /keccak256\(\s?["'][^"'\n]{1,80}["']\s?\)[^\n]{0,20}\n[^\n;]{0,80}$/;
/** `{ "0x…": "Transfer(address,uint256)" }` */
const BEFORE_SIGNATURE = /^["'`]?\s?(?::|=>)\s?["'`]\w{1,60}\([\w\s,[\]()]{0,120}\)["'`]/;
/** `log3(0x00, 0x20, 0x…`, `APPROVAL_EVENT_SIGNATURE =` above its value */
const OF_EVENT =
  /\blog[1-4]\((?:[^()\n,]|\([^()\n]{0,40}\)){1,40},(?:[^()\n,]|\([^()\n]{0,40}\)){1,40},\s?$|_EVENT_(?:SIGNATURE|HASH|TOPIC)\w{0,8}\s?=\s{0,40}$/;
const CASE = /\bcase\s["'`]?$/;
const SWITCH = /\bswitch\b/i;
/** Behind the `switch`: ` (log.topics[0]) {` */
const OF_TOPICS = /^[^\n{]{0,80}topic/i;

const isInSwitchOfTopics = (before: string): boolean => OF_TOPICS.test(before.split(SWITCH).slice(1).at(-1) ?? '');

/** `"Transfer(address,uint256)": "0x…"`, `switch (log.topics[0]) { case '0x…':`, `topics: [TRANSFER]` below its value. */
export function isTopic(text: string, scanned: ScannedLiteral, label: Label | undefined): boolean {
  if (label?.role === 'name' && isTopicNear(text, scanned, label)) return true;
  const textBefore = (length: number) => text.slice(Math.max(0, scanned.start - length), scanned.start);
  const before = textBefore(150);
  if (CASE.test(before) && isInSwitchOfTopics(textBefore(2_000))) return true;
  if (SIGNATURE.test(before) || BELOW_SIGNATURE.test(before) || OF_EVENT.test(before)) return true;
  return (
    /[: ]/.test(text.slice(scanned.end, scanned.end + 2)) &&
    BEFORE_SIGNATURE.test(text.slice(scanned.end, scanned.end + 200))
  );
}
