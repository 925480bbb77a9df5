// Words that mark a private key or another secret: a literal next to them never leaves the machine.
import { wordSet } from './splitWords.ts';

const SECRET = wordSet(
  'prv privk pkey skey cred creds pw passcode getpass secret secrets mnemonic mnemonics seed seedphrase password passwords passwd passphrase pwd pk pks seckey priv privkey prvkey privkeys ' +
    'sk xprv wif credential credentials entropy ecdsa nsec bearer preimage preimages',
);
const KEY = wordSet('key keys');
/** `private` alone is a visibility in many languages; before these it means a secret. */
const AFTER_PRIVATE = wordSet('key keys hex value scalar exponent bytes material data');
/** Words before `key` that make it harmless. */
const HARMLESS_BEFORE_KEY = wordSet(
  'public pub pubkey storage primary foreign map mapping cache sort partition index lookup hash slot trie object dict json route role ' +
    'token pool position market order event topic tx transaction block query config translation unique composite group feature flag ' +
    'registry db row column idempotency record state field conduit',
);
/** Words after `key` that make it harmless: the hash of a key, its number, its name. */
const HARMLESS_AFTER_KEY = wordSet('hash hashes id ids index type name path length count prefix slot event press info');

/** `key`, `secret`, `private`, `password` and `mnemonic` in other languages, also within compounds. */
const FOREIGN_SECRET =
  /schl(?:ü|ue)ssel|sleutel|geheim|pass?wort|kennwort|^(?:cl[ée]s?|clefs?|claves?|llaves?|chaves?|chiavi|chiave|segret[oaie]|segredos?|secret[oa]s?|secr[eè]te?s?|klucz\p{L}*|klíč\p{L}*|ključ\p{L}*|nyckel\p{L}*|nøkkel\p{L}*|nøgle\p{L}*|avain|anahtar\p{L}*|kunci|kulcs|cheie|kho[áa]|khóa|privat[ăa]|privé\p{L}*|prywatn\p{L}*|privad[oa]s?|privat(?:er|es|en|[ai])?|privée?s?|contraseñas?|senhas?|wachtwoord\p{L}*|hasł\p{L}*|lösenord\p{L}*|şifre\p{L}*|parola|semillas?|sementes?)$|κλειδί|ключ|секрет|приватн|мнемони|парол|сид-?фраз|مفتاح|מפתח|कुंजी|กุญแจ|[私密秘][钥鑰鍵]|密[码碼]|助[记記][词詞]|鍵|キー|秘密|パスワード|シード|ニーモニック|키$|개인\s?키|비밀|암호|니모닉|시드/u;
/** `sign`, `account`, `wallet`, `deployer` and `sender` in other languages. */
const FOREIGN_ACCOUNT =
  /unterzeich|unterschr|^signatur$|konto(?:s|en)?$|^zugang|rekening(?:en)?$|^cuenta|^conta$|^compte|^firma|^signataire|^assina|^ondertek|^podpis|^imza|подпис|счет|счёт|签名|簽名|账[户号]|帳[戶號]|钱包|錢包|署名|口座|アカウント|ウォレット|財布|서명|계정|지갑|absender|^expéditeur|^remitente|^remetente|^mittente|отправител|аккаунт|кошел[ьеё]|发送|發送|送信|^auteur|^autor|brieftasche|geldb(?:ö|oe)rse|^portefeuilles?$|^portemonnees?$|^billeteras?$|^monederos?$|^carteiras?$|^carteras?$|^portafogli[o]?$|^portfel\p{L}*|^cüzdan\p{L}*|^plånbok\p{L}*|^lompakko|^dompet|^ví$|กระเป๋า|محفظة|ארנק|πορτοφόλι|वॉलेट|部署者|部署人|デプロイヤー|デプロイ担当|배포자|деплоер|разв[её]ртыва|^hesap|^akun$|^khoản$|^peněženk|^portofel|^tárca|портфейл|гаман[ец]|^d[ée]ployeur|^desplegador|^implantador|ausliefer/u;

/** The words in a name that mark a secret, as one phrase; `null` when there are none. */
export function findSecretWord(name: readonly string[]): string | null {
  for (const [i, word] of name.entries()) {
    const next = name[i + 1];
    if (SECRET.has(word) || FOREIGN_SECRET.test(word)) return word;
    if (word === 'private' && (next === undefined || AFTER_PRIVATE.has(next)))
      return next === undefined ? word : `${word} ${next}`;
    if (!KEY.has(word)) continue;
    const before = name[i - 1];
    if (
      (before !== undefined && HARMLESS_BEFORE_KEY.has(before)) ||
      (next !== undefined && HARMLESS_AFTER_KEY.has(next))
    )
      continue;
    return before === undefined ? word : `${before} ${word}`;
  }
  return null;
}

/** The same without API and access keys, which are no private keys: for what a text tells of a value or does with it. */
export const findKeyWord = (name: readonly string[]): string | null =>
  findSecretWord(name) === null
    ? null
    : findSecretWord(name.filter((word, at) => !(KEY.has(word) && /^(?:api|access)$/.test(name[at - 1] ?? ''))));

/** Functions whose argument is a secret: `signTransaction(`, `new Wallet(`, `vm.addr(`. */
const SECRET_CALLS = wordSet('sign signer signing wallet wallets keypair broadcast addr');
/** Like `findSecretWord`, for the name of a function that is called with the literal. */
export function findSecretCallWord(callee: readonly string[]): string | null {
  return findSecretWord(callee) ?? callee.find(word => SECRET_CALLS.has(word)) ?? null;
}

/** Words of JSON-RPC methods whose parameter is a key or a signed transaction, not the hash that they name. */
const SECRET_METHODS = wordSet('send import raw unlock fill');
/** Like `findSecretCallWord`, for the name of a JSON-RPC method: `eth_sendRawTransaction`. */
export function findSecretMethodWord(method: readonly string[]): string | null {
  const isRead = method.includes('get'); // `debug_getRawTransaction` takes a hash
  return findSecretCallWord(method) ?? (isRead ? null : (method.find(word => SECRET_METHODS.has(word)) ?? null));
}

const ACCOUNT = wordSet(
  'seeds account acct auth decrypt decrypted keystore keyring hd derivation bip cold eoa keychain metamask rabby mask login trezor burner custody custodian vanity superuser',
);
/** Words that also describe blocks and transactions. */
const MAYBE_ACCOUNT = wordSet('generated created imported validator identity authorization cookie argument');
/** Whether a line mentions accounts or keys, or with `maybe` what may be one. */
export function mentionsAccount(line: readonly string[], maybe = true): boolean {
  return (
    line.some(
      word =>
        hasWord(SECRET_CALLS, word) ||
        hasWord(ACCOUNT, word) ||
        FOREIGN_ACCOUNT.test(word) ||
        (maybe && hasWord(MAYBE_ACCOUNT, word)),
    ) || findKeyWord(line) !== null
  );
}

/** Whether the word or its singular is one of these. */
const hasWord = (words: ReadonlySet<string>, word: string) =>
  words.has(word) || (word.endsWith('s') && words.has(word.slice(0, -1)));

const ACTOR = wordSet(
  'actor creator sponsor initiator originator caller buyer seller deployer relayer sequencer proposer batcher keeper oracle bundler faucet admin owner operator attacker alice bob carol user player agent trader pauser upgrader treasurer executor ' +
    'challenger guardian minter funder from sender spender bot builder producer miner sealer submitter payer manager hot person people member staff',
);

/** Whether a name may be that of an account, whose value may be its key: `deployer`, `aliceWallet`. */
export function isAccountName(name: readonly string[]): boolean {
  return (
    name.some(
      (word, at) =>
        (hasWord(ACTOR, word) &&
          !isOperation(name[at + 1]) &&
          !(word === 'from' && OF_NUMBER.test(name[at + 1] ?? ''))) ||
        word === 'private',
    ) || mentionsAccount(name)
  );
}

/** Whose addresses and transactions are public, and whose keys the writer of a report does not have. */
export const isAttacker = (word: string): boolean => /^(?:attacker|exploiter|hacker)s?$/.test(word);

/** `fromBlock` */
const OF_NUMBER = /^(?:block|number|height|index)$/;

/** `userOperation` is no user. */
const isOperation = (word: string | undefined) => word === 'op' || word === 'operation';

const ACTION = wordSet(
  'set send sign submit execute broadcast pay fund relay propose produce build seal run invoke signed paid',
);
/** Whether a name or sentence is about doing something, as in `sends tx`: the value is what does it. */
export function isActionName(name: readonly string[]): boolean {
  return name.some(word => hasWord(ACTION, word));
}

/** Whether a text may have a word for an account or a secret: many times as fast as its words. */
export const mayNameOwner = (text: string): boolean => OWNER_PART.test(text);
/** Stems of foreign words that have no letter beyond ASCII. */
const FOREIGN_PART =
  'imza|hesap|akun|lompakko|portemonn|portofel|konto|zugang|rekening|cuenta|conta\\b|compte|firma|signat|unter(?:schr|zeich)|assina|podpis|portefeuille|billetera|monedero|carteira|cartera|portafogl|portfel|brieftasche|dompet|absender|remetente|remitente|schluessel|clave|llave|chave|chiave|klucz|sleutel|senha';
const OWNER_PART = new RegExp(
  `${[...SECRET, ...KEY, ...SECRET_CALLS, ...ACCOUNT, ...ACTOR, 'private', 'pub', 'balance'].join('|')}|${FOREIGN_PART}|[^\\0-\\x7f]`,
  'i',
);

/** Programs that store secrets. */
export const SECRET_STORE =
  /\b(?:vault\s(?:kv|write|view|read)|[ob][pw]\s(?:item|get|read)|(?:go)?pass\s(?:show|insert)|put-parameter|keyring|keychain|doppler|sops|ethkey|trufflehog|gpg(?=\s)|age(?=\s-)|secret-tool|keyctl|(?:secure|encrypted)_?(?:store|storage|prefs|preferences)|(?:vercel|netlify|heroku|railway|render|fly|gh|glab|supabase|eas|wrangler|amplify)\s(?:env|config|secrets?|variables?|vars?)[:\s](?:add|set|put|create|update))\b/i;

/** What tells of a secret without a word for it. */
export const WARNING = new RegExp(
  [
    // It is no hash.
    String.raw`\b(?:not|no|never|isn['’]?t|ain['’]?t|wasn['’]?t)(?: (?:really|actually|even|in fact|an?|the|any|valid|real|true|my|our)){0,3} (?:(?:txn?|transaction|block)(?: (?:hash|id))?|hash(?: of (?:an? |the )?\w{1,20})?|address)(?=\s{0,4}(?:$|[^\w\s]|(?:at all|but|sorry)\b))|\b(?:it['’]?s|is) not one\b`,
    String.raw`\bkeine? (?:tx|transaktion|hash|adresse)|\bn['’]est pas (?:une? |le |la |l['’])(?:transaction|hash)|\bno es (?:una? |el |la )(?:transacci|hash)|不是.{0,4}(?:交易|哈希)|не (?:х[еэ]ш|транзакц)|\bmis(?:named|nomer)|\bwrong name|\bold name\b|\bshould be (?:called|named|renamed)`,
    // Not to show it.
    String.raw`\b(?:never|not|don['’]?t|nicht|niemals|jamais|nunca|ne pas|no)\b.{0,40}\b(?:commit|share|publish|leak|push|paste|post|print|show(?! up)|reveal|disclose|forward|expose|lose|check in|reuse|photograph|drain|steal|use (?:it|this|them)|teilen|committen|weiter(?:geben|sagen|leiten)|partager|publier|compartir|publicar)`,
    String.raw`\b(?:ne küldd|neposílat|neposílej|nu(?:-l)? trimite|nie wysyłaj|não (?:envie|partilhe|compartilhe)|no (?:lo )?env[ií]es|non inviar|paylaşma|jangan (?:di)?(?:kirim|bagi|foto))|đừng (?:chụp|gửi|chia sẻ)|μην (?:το |την )?στείλεις|не (?:отправля|пересыла|показыва|публикуй|фотографируй|надсила)|不要(?:分享|发送|外传|截图|泄露)|(?:送|共有し)らないで|보내지 ?마|공유하지`,
    String.raw`\b(?:keep|store|stored)\b.{0,40}\b(?:safe|private|offline|secure|securely)\b`,
    String.raw`\b(?:remove|delete|drop|strip|revert)\b.{0,40}\b(?:before|prior to) (?:we |you |the )?(?:merg|commit|push|releas|deploy|publish|ship)`,
    String.raw`\b(?:secp256k1|ed25519|insecure|rotate|rotated|back ?up|write (?:it|this) down|sensitive\w{0,20}|confidential|leaked|compromised|no_?echo|secure_?string)\b`,
    // That it was shown.
    String.raw`\b(?:gitleaks|trufflehog|ggshield|gitguardian|detect-secrets|git-secrets|secret scanning)\b|\braw result:|\bleaks? (?:found|detected)\b|\b(?:please|pls) delete\b|\bhistory (?:(?:was|is|has been|must be) )?(?:rewritten|purged|cleaned)\b|\b(?:git )?filter-repo\b|\bpublic (?:fork|gist)\b|\bfunded one\b|\bphish\w*|\bin (?:the |our |its |a )?(?:public |sentry )?(?:docker image|breadcrumbs?|source ?maps?)\b|\b(?:took|stole|moved?|moves) everything\b|\bfunds? (?:is |are )?(?:still )?on it\b|\b(?:read|load|take|get) (?:it|this|them) from (?:the |an? )?(?:env|environment)\b`,
    // Where it is, and what it is made from.
    String.raw`\b(?:frase|phrase|frasi|frases) (?:de|di|of) (?:recuper|récup)|\bwiederherstellungs|\brecovery (?:phrase|words|code)|\bfraza odzysk|фраза восстанов|恢复短语|復元フレーズ|복구 문구`,
    String.raw`(?<![\w)\]'"?])\.env\b|\bm\/(?:44|49|84)['h]?\/`,
    String.raw`\b(?:re(?:stored|covered|built)|unlocked|decrypted|derived)(?: (?:the )?address(?: 0x\w{40})?:?)? (?:from|with|by)\b`,
    String.raw`(?:^|[$>]) ?(?:age|gpg|sops|pass|vault|op|bw) (?:-|kv|show|insert|item|read|get|write|view|decrypt|edit|unseal)|\bssss-|\bgpg: `,
    String.raw`\b(?:wallet|account|key|signer)s?[/_. -]{1,2}(?:import|unlock|restore|recover|login|loaded|ready\b)|\bimport[/_. -]?(?:wallet|account|key|signer)|\(?\bfor import\b|\bimport (?:this|it) (?:in|into|to)\b|\bto import it\b|\bfor importing\b|\bclick \W{0,3}import\b|\bunlocks?(?: code)?\b`,
    String.raw`\bwho (?:deploys|signs|sends|pays|mints)\b|\baccess to (?!external|the internet|a node|an? (?:archive|rpc))|\b(?:use|take|paste|load|try) mine\b|\blog(?:s|ged)? ?in (?:with|as|using)\b|\b(?:this|test\w{0,3}|demo|one|same|shared) identity\b|\b(?:run|start|act|connect|become|open) (?:it |this |the app )?as (?:the|an?|our|my)\b|\b(?:to )?play (?:it )?as\b`,
    String.raw`\b(?:send|pay|sign|deploy|transfer|spend|fund|mint|act)s? (?:it |them |this )?(?:from|with|as|using)\b|\bact (?:for|on behalf)\b`,
    String.raw`\bopenssl rand\b|\brandom_?bytes|\brandom(?:ly)? (?:32|generated|bytes)|\b32 random bytes|\btest test test junk|\bbitwarden\b|\b1password\b|\blastpass\b|\bkeepass|\byubikey|\b(?:kms|hsm)\b|\bmy ledger\b|\bsession_?key\b|\bp\.k\.|\bsigning material\b|\b(?:12|24|twelve) words\b|\bqr ?codes?\b|\bcipher(?:text|params)?\b|\bkdf(?:params)?\b|\bxxd -p\b|\bumask 0?77\b|\bchmod (?:0?[46]00|go-\w{1,3})\b`,
    // What was copied in its place.
    String.raw`\b(?:in|from) (?:the|my|your|his|her|their) clipboard\b|\bclipboard (?:still )?(?:had|has|held|contained)\b|\bwrong (?:clipboard|paste)\b|\bwhat you(?:['’]ve| have)? (?:just )?(?:pasted|posted)\b`,
    // What it gives access to.
    String.raw`\bcan_?spend\b|\bwith (?:it|this|that|these|those) (?:anyone|anybody|you|he|she|they) (?:can|could|may)\b|\bbárki .{0,12}(?:elkölt|elvi)|\bkdokoli .{0,12}vybrat|\boricine .{0,12}(?:gol|retrag|chelt)|ο καθένας .{0,12}(?:αδει|ξοδ)|\bsiapa (?:saja|pun) .{0,12}(?:kuras|menguras|menarik)|rút được hết|\bjeder .{0,12}(?:ausgeben|abheben)|\bn['’]importe qui peut|\bcualquiera puede|\bchiunque può|любой (?:может|сможет)|кто угодно|谁都(?:可以|能)|誰でも.{0,6}(?:引き出|使え)`,
    String.raw`\bthrow(?:n|ing)?[ -]?away|\bdisposable\b|\bephemeral\b|\b(?:real|no|mainnet) (?:money|funds)\b|\breal eth\b|\bbalance:? [\d.,]{1,12} ?(?:eth|ether)\b|\bdrained already\b|\b(?:well-known|known|default|first|second) (?:anvil|hardhat|ganache)\b`,
    String.raw`\b(?:anvil|hardhat|ganache|dev(?:net)?) ?(?:#|\(|account |no\.? ?)\d|\bpre-?funded\b`,
    String.raw`\b(?:it|this|that|which) (?:controls|owns|can (?:spend|move|drain|mint|upgrade|sign))\b|\bsweep(?:ing)?\b|\b(?:has|holds|with|contains) [\d.,]{1,12}k? (?:\w{1,20} )?(?:eth|wei|gwei|usdc|usdt|matic|pol|bnb|xdai)\b`,
    String.raw`\b[\d.,]{1,12} (?:eth|wei|gwei|usdc|usdt|matic|pol|bnb|xdai) (?:left|remaining|on it)\b|\bpays (?:for|gas|out|from|all|the)\b`,
    '🔑|🗝|🔐|🔒|🤫',
  ].join('|'),
  'i',
);
