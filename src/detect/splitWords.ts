// Splits names (`txHash`, `PRIVATE_KEY`, `--tx-hash`, `privatekey`) into lower-case words.

/** Words that are recognized without a separator too. Short words that occur inside others are left out. */
const PARTS = wordSet(
  'transaction transactions tx txs txn hash hashes block id ids key keys private priv secret public pub topic topics wallet account ' +
    'address addr contract seed phrase mnemonic password parent root receipt method selector sig sighash signature event node api ' +
    'fullhash 交易 哈希 雜湊 区块 區塊 トランザクション ハッシュ ブロック 트랜잭션 해시 블록 transaktions ' +
    'jwt deployer owner signer signing admin user test hex interface function func error storage state merkle code data old new seal head last genesis list internal',
);
const MAX_JOINED_LENGTH = 28;
/** `tx`, `transactions` */
const [MIN_PART, MAX_PART] = [2, 12];
/** Words whose digits are not an index. */
const WITH_DIGITS = wordSet('sha3 sha256 keccak256 bytes4 push4 4byte');

/** A set from words separated by blanks. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Names repeat in a text: these were split before. Longer ones are sentences. */
const split = new Map<string, readonly string[]>();
const [MAX_REMEMBERED, MAX_REMEMBERED_LENGTH] = [4_000, 40];

/** The words of `name` in order; numbers and an index at the end of a word (`topic0`) are dropped. */
export function splitWords(name: string): readonly string[] {
  const known = split.get(name);
  if (known !== undefined) return known;
  const spaced = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  const found: string[] = [];
  for (const piece of spaced.toLowerCase().split(/[^\p{L}\p{N}\p{M}]+/u)) {
    if (piece === '') continue;
    const word = WITH_DIGITS.has(piece) ? piece : piece.replace(/(?<!\d)\d+$/, '');
    if (word === '') continue;
    found.push(...(splitJoinedWord(word) ?? [word]));
  }
  if (name.length <= MAX_REMEMBERED_LENGTH) {
    if (split.size >= MAX_REMEMBERED) split.clear();
    split.set(name, found);
  }
  return found;
}

/** `word` as a sequence of `PARTS`; `null` if it is not one. */
function splitJoinedWord(word: string): string[] | null {
  if (PARTS.has(word)) return [word];
  if (word.length > MAX_JOINED_LENGTH) return null;
  for (let length = Math.min(word.length - MIN_PART, MAX_PART); length >= MIN_PART; length--) {
    const head = word.slice(0, length);
    if (!PARTS.has(head)) continue;
    const tail = splitJoinedWord(word.slice(length));
    if (tail !== null) return [head, ...tail];
  }
  return null;
}
