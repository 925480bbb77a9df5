// Reads a command of Foundry's cast that sends or calls, as it is in a terminal.

export interface CastCommand {
  /** `withdraw(uint256)`, data as hex, or empty for a plain transfer. */
  readonly signature: string;
  readonly args: readonly string[];
  /** Receiver, sender, value, gas and block as `name: value`. */
  readonly fields: string;
}

const MAX_LENGTH = 100_000;
/** Options without a value. */
const FLAGS = new Set(
  '--unlocked --legacy --async --cast-async --trace --json -j --debug --ledger --trezor -l -t --browser --blob --labels --no-proxy --flashbots -k --insecure'.split(
    ' ',
  ),
);
const FIELDS: Readonly<Record<string, string>> = {
  '--from': 'from',
  '-f': 'from',
  '--value': 'value',
  '--gas-limit': 'gas',
  '--block': 'block',
  '-b': 'block',
};

/** The words of the command; what is in quotes is one. Lines that end with a backslash continue. */
function splitWords(text: string): readonly string[] {
  const words = text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)[0] ?? '';
  return [...words.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)].map(([word, double, single]) => double ?? single ?? word);
}

/** `null` where the text has none. */
export function readCastCommand(text: string): CastCommand | null {
  const [, rest] = /\bcast\s+(?:send|call|estimate|access-list|c|s)\s+([\s\S]*)/.exec(text.slice(0, MAX_LENGTH)) ?? [];
  if (rest === undefined) return null;
  const positional: string[] = [];
  const fields: string[] = [];
  const words = splitWords(rest);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (!/^--?[a-z]/i.test(word)) {
      positional.push(word);
      continue;
    }
    const [name = '', inline] = word.split('=', 2);
    const field = FIELDS[name];
    if (field === undefined && (inline !== undefined || FLAGS.has(name))) continue;
    const value = inline ?? words[++i] ?? '';
    if (field !== undefined) fields.push(`${field}: ${value}`);
  }
  const [to = '', signature = '', ...args] = positional;
  if (!/^0x[0-9a-f]{40}$/i.test(to)) return null;
  return { signature, args, fields: [`to: ${to}`, ...fields].join('\n') };
}
