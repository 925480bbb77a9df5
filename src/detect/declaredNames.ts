// Finds the name of a literal where the text gives it in another place: of an option, a field of a form, a parameter.
import { isOfEvent, SETTING } from './hashNames.ts';
import { isHashName } from './hintWords.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, mentionsAccount } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

/** Characters before a literal, and after it, in which its name is searched. */
const REACH = 300;
const OPTION_NAME = String.raw`["'\`](?:-\w, ?)?(?:--)?([A-Za-z][\w-]{1,40})(?: ?[<[=][\w.-]{1,30}[>\]]?)?["'\`]`;

/** The text before a literal, with its name. */
const DECLARED: readonly RegExp[] = [
  // `@click.option("--tx-hash", default="`, `parser.add_argument("-t", "--tx-hash", type=str, default="`
  new RegExp(
    String.raw`\b(?:option|add_argument|add_option|argument)\(\s{0,20}(?:["']-\w["'],\s?)?${OPTION_NAME}[^()\n]{0,160}\bdefault\s?=\s?["']$`,
  ),
  // `.option('--tx-hash <hash>', 'transaction to trace', '`, `.option('txHash', { type: 'string', default: '`
  new RegExp(String.raw`\boption\(\s{0,20}${OPTION_NAME},\s{0,20}["'\`][^"'\`\n]{0,120}["'\`],\s{0,20}["'\`]$`),
  new RegExp(String.raw`\boption\(\s{0,20}${OPTION_NAME},\s?\{[^{}]{0,200}\bdefault:\s?["'\`]$`),
  // `flag.String("tx-hash", "`, `flag.StringVar(&hash, "tx-hash", "`
  /\bflag\w{0,4}\.String(?:Var)?\((?:&\w{1,40}, ?)?"([\w-]{2,40})", "$/,
  // `variable "deploy_tx_hash" { default = "`, `output "tx_hash" { value = "`
  /\b(?:variable|output) "([\w-]{2,60})" \{\n(?:[ \t]{1,20}[^\n{}]{1,160}\n){0,5}[ \t]{1,20}(?:default|value)[ \t]{0,12}= "$/,
  // `getByPlaceholder("Transaction hash").fill("`, `getByLabelText("Transaction hash"), "`
  /\bgetBy(?:Placeholder|Label)(?:Text)?\(["'`]([\w -]{2,60})["'`]\)(?:\.fill\(|, )["'`]$/,
  // `def tx_hash():` above `return "`, `func txHash() string { return "`
  /\b(?:def|function|fn|func|fun|get)\s(\w{2,60})\([^()\n]{0,60}\)\s?(?:(?:->|:)?\s?[\w&'<>.]{1,30}\s?)?[:{=]\s{1,40}(?:return\s)?(?:[\w:.]{1,30}!?\()?["'`]$/,
  // `let(:tx_hash) { "`
  /\blet!?\(:(\w{2,60})\)\s?\{\s?["']$/,
  // `tx_hash = sys.argv[1] if len(sys.argv) > 1 else "`
  /(?:^|\n)[ \t]{0,40}(\w{2,60})(?:\s?:\s?\w{1,20})?\s?=\s?[^\n=]{1,140} else ["']$/,
  // `<Input label="Transaction hash" name="txHash" value="`, `<input placeholder="Transaction hash" value="`
  /<[A-Za-z][\w.-]{0,40}\s(?:[^<>]{0,200}\s)?(?:label|name|placeholder|title)=["']([\w -]{2,60})["'](?:\s[\w:-]{1,30}=["'{][^<>"'{}]{0,60}["'}]){0,6}\s(?:value|placeholder|default(?:Value)?)=["']$/,
  // `<tx-hash value="`
  /<([a-z]{1,20}(?:-[a-z]{1,20}){1,4}|[A-Z]\w{2,40})\s(?:value|content|text)=["']$/,
];
/** `getTransaction(process.argv[2] ?? "`, `<form action="/tx"> <input name="hash" placeholder="` */
const LOOKED_UP =
  /\b(?:get|fetch|wait_?for)_?(?:transaction|block)(?:_?receipt|_?by_?hash)?\(\s{0,8}(?:process\.argv|sys\.argv|args|argv|Deno\.args)\[\d\] (?:\?\?|\|\||or) ["'`]$|<form action="\/(?:tx|transaction|block)">\s{1,12}<input [^<>\n]{0,60}\b(?:placeholder|value)="$/i;
/** `let old_head = b256!("`, beside `let new_head = b256!("` */
const HEAD = /\blet (old|new)_(?:head|tip) = b256!\("$/;
/** `TX_HASHES=(0x… `, `tx_hashes = %w[0x… `, `txHashes := []string{"0x…", `: of lists of nothing else. */
const LIST =
  /(?:^|\n)[ \t]{0,20}(?:export |declare -a |readonly |var )?([A-Za-z_]\w{1,60})(?:=\(|\s?=\s?%w[[(]|\s?:?=\s?\[\]string\{)\s{0,20}(?:["']?0x[\da-f]{64}["']?(?:,\s{0,20}|\s{1,20})){0,4}["']?$/i;
const REST_OF_LIST = /^["']?(?:(?:,\s{0,20}|\s{1,20})["']?0x[\da-f]{64}["']?){0,40},?\s{0,20}[\])}]/i;
/** `["0x…"])("decodes transaction %s", (hash) =>` */
const EACH_OF_TESTS =
  /^["'`][\s\da-fx"'`,]{0,300}\]\)\(["'`][^"'`\n]{0,60}\b(?:tx|transaction|receipt) %s[^"'`\n]{0,40}["'`], (?:async )?\((?:tx|hash|txHash)\b/i;
/** `const [deployTx, upgradeTx] = ["`, behind as many values as names. */
const DESTRUCTURED =
  /[[(]([\w,\s]{5,200})[\])](?:\s?:\s?[^=\n]{1,60})?\s?=\s?[[(]\s{0,20}((?:["']0x[\da-f]{64}["'],\s{0,20}){0,6})["']$/i;
/** `const statusByTx: Record<string, string> = { "`, `var badBlocks = map[common.Hash]bool{ common.HexToHash("` */
const MAP_BY_HASH =
  /(?:\b(\w{0,40}?)_?by_?(tx|transaction|block)(?:_?hash)?(?:\s?:\s?[^=\n]{1,80})?\s?:?=\s?(?:new )?(?:Map\(\[?)?|(?:\b|(?<=\w))(tx|transaction|block)s\s?:?=\s?map\[common\.Hash\](?:\w{1,40}|struct\{\}))[{[]\s{0,20}(?:[^\s{},][^\n{},]{0,140}(?:\{\})?,(?: \/\/[^\n]{0,80}(?=\n))?\s{1,20}){0,6}(?:\w{1,20}\.HexToHash\(|\[)?["'`]$/i;
const BEHIND_KEY = /^["'`]\)?\]?(?::|\s=>|, )/;
/** What an option named `tx` is, behind its default: `"0x…", help="Transaction to trace"`. */
const DESCRIBED =
  /^["'`](?:, ?\w{1,12}=["']?\w{1,20}["']?){0,2},\s?(?:help\s?=\s?)?["'](?:tx|transaction)(?: hash)? (?:to|for|that|hash)\b/i;
/** `#[case("0x…", 18_000_000)]` above the function that gets both. */
const CASE = /(?:#\[case(?:::\w{1,60})?|\[(?:InlineData|TestCase|DataRow))\(([^()\n]{0,200})["']?$/;
const FUNCTION_BELOW =
  /^[^\n]{0,300}\]\n(?:[ \t]{0,20}#\[[^\n]{1,400}\n){0,20}[ \t]{0,20}(?:pub |async ){0,2}fn \w{1,80}\(([^()]{1,600})\)/;
/** The same below `[InlineData("0x…", 18_000_000)]` of C#. */
const METHOD_BELOW =
  /^[^\n]{0,300}\)\]\n(?:[ \t]{0,20}\[[^\n]{1,400}\n){0,20}[ \t]{0,20}public (?:async )?(?:Task|void) \w{1,80}\(([^()]{1,600})\)/;

/** Most literals have a name before a colon. */
const MAY_BE_DECLARED =
  /(?:default\w{0,6}|value|example)["']?\s{0,12}[:=]\s?["'`]$|[=,({]\s{0,8}["'`]$|\belse ["'`]$|[\s([{]["']?$/;

/** `tx hash` of `option('--tx-hash <hash>', 'transaction to trace', '0x…')`; `null` where no such name is that of a hash. */
export function findDeclaredName(text: string, { start, end }: ScannedLiteral): readonly string[] | null {
  if (!MAY_BE_DECLARED.test(text.slice(Math.max(0, start - 18), start))) return null;
  const before = text.slice(Math.max(0, start - REACH), start);
  const readAfter = () => text.slice(end, end + 3 * REACH);
  const list = /[\s([{]["']?$/.test(before.slice(-2)) ? LIST.exec(before)?.[1] : undefined;
  if (/\.each\(\[[^[\]]*$/.test(before) && EACH_OF_TESTS.test(readAfter())) return ['transaction', 'hash'];
  if (list !== undefined) return REST_OF_LIST.test(readAfter()) ? toHashName(list) : null;
  if (!/["'`]$/.test(before)) return null;
  if (LOOKED_UP.test(before)) return ['get', 'transaction'];
  const [, head] = HEAD.exec(before) ?? [];
  if (head !== undefined && /\blet (?:old|new)_(?:head|tip) = b256!\("/.test(head === 'new' ? before : readAfter()))
    return ['block', 'hash'];
  const [, names, firsts = ''] = DESTRUCTURED.exec(before) ?? [];
  const words = splitWords(names?.split(',')[firsts.split(',').length - 1] ?? '');
  if (isOfEvent(words, SETTING)) return [...words, 'hash'];
  const [, owner = '', of, listed] = BEHIND_KEY.test(text.slice(end, end + 4)) ? (MAP_BY_HASH.exec(before) ?? []) : [];
  const key = of ?? listed;
  if (key !== undefined && !isAccountName(splitWords(owner))) return [key.toLowerCase(), 'hash'];
  const declared = DECLARED.map(form => form.exec(before)?.[1]).find(name => name !== undefined);
  if (/^(?:tx|txn|transaction)$/.test(declared ?? '') && DESCRIBED.test(readAfter())) return ['transaction', 'hash'];
  if (declared !== undefined) return toHashName(declared);
  const values = CASE.exec(before)?.[1];
  return values === undefined ? null : toHashName(findParameterOfCase(values, readAfter()));
}

/** `null` for another name than that of a hash. */
function toHashName(name = ''): readonly string[] | null {
  const words = splitWords(name);
  return isHashName(words) && !isAccountName(words) ? words : null;
}

/** `["0x…", "0x…"].map((hash) => client.getTransactionReceipt({ hash }))` */
const MAPPED =
  /^[\s"'`,\da-fx]{0,2000}\]\)?\.map\((?:async )?\(?(\w{1,30})\)? ?=> ?(?:await )?[\w.]{0,40}(?:get|waitFor|fetch)(?:Transaction|Block)\w{0,20}\((?:\{ ?(?:\w{0,12}hash: ?)?)?\1\b/i;

/** The map that a literal is in: `samples: Record<string, Hash> = { mint: "`, `victims = { "` */
const MAP =
  /(?:^|\n)[ \t]{0,8}(?:export )?(?:const )?(\w{2,40})(?:: [^=\n]{1,60})? = \{\s{1,8}(?:[^\n{}]{1,140},\n\s{0,8}){0,6}(\w{1,40}: |"\w{1,40}": )?["']$/;
/** `for h, loss in victims.items():⏎ get_transaction(h)`, `for (const [name, hash] of Object.entries(samples)) {⏎ getTransactionReceipt({ hash })` */
const EACH_LOOKED_UP =
  /\bfor \(?(?:const )?\[?(\w{1,30})(?:, (\w{1,30}))?[\])]? (?:of|in) (?:Object\.(?:entries|values)\()?(\w{2,40})(?:\.(?:items|values|keys|iter)\(\))?\)?\)?(?: \{|:)\n[^\n]{0,60}?\b(?:(?:get|fetch|wait_?for)_?transaction\w{0,12}|debug_trace)\((?:\{ ?(?:hash: ?)?)?(\w{1,30})\b([^}]{0,200})/i;

/** Whether it is in a list or map of which each element is looked up. */
export function isMappedToLookup(text: string, { start, end }: ScannedLiteral): boolean {
  const near = text.slice(Math.max(0, start - 10), start);
  if (/[[,]\s{0,8}["'`]$/.test(near) && MAPPED.test(text.slice(end, end + 3 * REACH))) return true;
  if (!/(?:[({,]\s{0,8}|: )["']$/.test(near)) return false;
  const [, name, place = ''] = MAP.exec(text.slice(Math.max(0, start - 2 * REACH), start)) ?? [];
  const [, first, second, list, used, rest = ''] =
    name === undefined ? [] : (EACH_LOOKED_UP.exec(text.slice(end, end + 3 * REACH)) ?? []);
  const isValue = place.endsWith(' ') && second !== undefined;
  return (
    list !== undefined && list === name && used === (isValue ? second : first) && !mentionsAccount(splitWords(rest))
  );
}

/** `tx_hash` of `fn replays(#[case] tx_hash: &str, #[case] block: u64)`, by the values before it. */
function findParameterOfCase(values: string, after: string): string | undefined {
  const index = values.split(',').length - 1;
  const method = METHOD_BELOW.exec(after)?.[1]?.split(',')[index];
  if (method !== undefined) return /^\s{0,20}string (\w{2,60})$/.exec(method)?.[1];
  const parameters = (FUNCTION_BELOW.exec(after)?.[1] ?? '').split('#[case]').slice(1);
  return /^\s{0,8}(\w{2,60})\s?:/.exec(parameters[index] ?? '')?.[1];
}
