// A bare `tx` or `block` also names programs, sections and accounts: tells where it may not mean the hash next to it.
import { isHashName, isLookupName } from './hintWords.ts';
import { findLogTagEnd, type Label } from './labels.ts';
import { findLineStart } from './readBackwards.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { isAccountName, isActionName, mentionsAccount } from './secretWords.ts';
import { splitWords } from './splitWords.ts';

/** Files of settings, commands and modules, where a bare word names a section, a variable, a program or a number. */
const CONFIGURATION =
  /\.(?:ya?ml|toml|ini|cfg|conf|config|properties|env|service|tf|tfvars|hcl|xml|plist|move|sh|bash|zsh|fish|ps1|bat|cmd)$|(?:^|[\\/])(?:\.env[\w.-]*|dockerfile|containerfile|procfile[\w.]*|makefile|justfile|package\.json|launch\.json|tasks\.json|[\w.]*history)$/i;
/** `TX=`, `"TX": `, `${tx:`, and `tx=` alone on its line. */
const VARIABLE =
  /(?:(?<![\w.])[A-Z][A-Z0-9_]*(?:["']?:\s?|=)|\$\{[\w.]{1,60}:|\benv:\w{1,60}\s?=\s?|(?:^(?:[^A-Za-z-]|-\s){0,60}|\+\s)(?:export )?[A-Za-z][\w.-]{0,60}=)["']?$/;
const LOWER_CASE = /(?<![\w.-])[a-z][\w.-]{0,60}=["']?$/;
/** A prompt, a program or a path at the start, or an option before the literal. */
const COMMAND =
  /^[\s#*/>`"'-]{0,40}(?:[$+%]\s|\.{0,2}\/\w|(?:sudo|npx|npm|pnpm|yarn|bun|bunx|node|deno|tsx|python\d?|pip|ruby|go|cargo|make|just|docker|kubectl|sh|bash|env|exec)\s)|(?:^|\s)--?[\w-]+(?:\s|$)|\/\w+\s$/;

/** Names of hashes (`txHash`), look-ups (`getTransaction`) and paths (`/tx/`). */
export function isCertainLabel({ role, words }: Label): boolean {
  return isHashName(words) || isLookupName(words) || role === 'path' || words.at(-2) === 'cast' || words[0] === 'vm';
}

/** Whether the words of `label` may name something else than the literal. */
export function isAmbiguousLabel(
  text: string,
  scanned: ScannedLiteral,
  fileName: string | undefined,
  label: Label,
): boolean {
  // `/tx/0x…/sign`
  if (label.role === 'path')
    return isActionName(splitWords(/^\/\w{1,40}/.exec(text.slice(scanned.end, scanned.end + 41))?.[0] ?? ''));
  if (isCertainLabel(label)) return false;
  const { role, words } = label;
  if (role === 'argument' || !/^0x/i.test(scanned.text) || CONFIGURATION.test(fileName ?? '')) return true;
  if (words.includes('env') || words[0] === 'for' || words[0] === 'of' || isAccountName(words) || isActionName(words))
    return true;
  const line = text.slice(findLineStart(text, scanned.start, 0), scanned.start);
  const before = line.slice(findLogTagEnd(line));
  const after = /^[^\n]{0,300}/.exec(text.slice(scanned.end, scanned.end + 300))?.[0] ?? '';
  if (mentionsAccount(splitWords(`${before} ${after}`.replace(/0[xX][0-9a-fA-F]+/g, ' ')))) return true;
  if (VARIABLE.test(before) && !(LOWER_CASE.test(before) && /[=\w]{2}/.test(after))) return true;
  return role === 'prose' && COMMAND.test(before);
}
