// `npm run fuzz`: random hostile input for an hour, or `--minutes N`, `--only NAME`; prints its seed and how many inputs each target had.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { parseBookFile } from '../src/addressBook/bookFile.ts';
import { editBookFile } from '../src/addressBook/editBookFile.ts';
import { parseEntry } from '../src/addressBook/validateEntry.ts';
import { decodeCursor, encodeCursor } from '../src/api/wire/cursor.ts';
import { parseQueryString } from '../src/api/wire/queryString.ts';
import { decodeRequest } from '../src/api/wire/request.ts';
import { getRouteTemplates } from '../src/api/wire/routes.ts';
import { HexLensError } from '../src/base/errors.ts';
import { stringifyForTerminal } from '../src/cli/callCommand.ts';
import { detectLiterals } from '../src/detect/detectLiterals.ts';
import { getPrivacyVerdict } from '../src/detect/privacy.ts';
import { formatCastCommand } from '../src/extension/inspector/terminalCommands.ts';
import { parseInspectorTarget } from '../src/protocol/inspectorTarget.ts';
import { parsePageMessage } from '../src/protocol/parsePageMessage.ts';
import { findLinkableLiterals } from '../src/view/findLinkableLiterals.ts';
import { parseLookUp } from '../src/view/lookUp/parseLookUp.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string', default: '' },
  },
});
const seed = Number(options.seed);
const totalMs = Number(options.minutes) * 60_000;
/** Processor time of one input; a blocked editor is worse than a wrong word. */
const MAX_INPUT_MS = 1_000;

/** Characters of a failing input. */
const MAX_PRINTED = 2_000;

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Only errors that name what is wrong may be thrown. */
function allowFaults(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof HexLensError)) throw error;
    check(error.code !== 'internal', `an internal fault: ${error.message}`);
  }
}

const pieces = fc.constantFrom(
  ...[
    '0x',
    '0X',
    '"',
    "'",
    '`',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    ',',
    ';',
    ':',
    '=',
    '/',
    '//',
    '/*',
    '*/',
    '#',
  ],
  ...['\n', '\r\n', '\t', '  ', '…', '|', '@', '::', 'tx', 'hash', 'key', 'block', 'https://etherscan.io/tx/', '.eth'],
  ...[
    '<<<<<<< a',
    '>>>>>>> b',
    '\u202e',
    '\ud800',
    '\0',
    'é\u0301',
    '%00',
    '__proto__',
    'constructor',
    '\\',
    '-1',
    '1e999',
  ],
);
const hexDigits = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdefABCDEF'), { minLength: length, maxLength: length })
    .map(all => all.join(''));
const part = fc.oneof(
  { weight: 6, arbitrary: pieces },
  { weight: 2, arbitrary: fc.constantFrom(4, 39, 40, 41, 63, 64, 65, 136).chain(hexDigits) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(pieces, fc.integer({ min: 2, max: 3_000 })).map(([text, count]) => text.repeat(count)),
  },
);
const text = fc.array(part, { maxLength: 60 }).map(all => all.join(''));
const fileName = fc.constantFrom(
  'a.ts',
  'a.log',
  '.env',
  'a.csv',
  'a.md',
  'a.move',
  'a.py',
  'a',
  'a.sol',
  'a.json',
  'a.yaml',
);

const keys = readFileSync(new URL('./unit/detect/corpus/keys.txt', import.meta.url), 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map(block => block.slice(block.indexOf('\n') + 1))
  .filter(template => !template.includes('{same}') && !/^[\w ]+[,\t]/.test(template)); // tables depend on their file's name

function classify([source, name]: readonly [string, string]): void {
  for (const literal of detectLiterals(source, { fileName: name })) {
    check(
      literal.start >= 0 && literal.start < literal.end && literal.end <= source.length,
      'a literal outside its text',
    );
    const { decision, isSecret } = getPrivacyVerdict(literal, {
      isLocal: false,
      fileName: name,
      isUserRequested: true,
    });
    check(!isSecret || decision === 'never', 'a secret that may be sent');
  }
  findLinkableLiterals(source, name, 'plaintext');
  parseLookUp(source);
}

function keepKeys([template, name, indent, lineEnd, digits]: readonly [string, string, string, string, string]): void {
  const starts: number[] = [];
  let source = '';
  let last = 0;
  const indented = template.replace(/^/gm, indent).replaceAll('\n', lineEnd);
  for (const { 0: placeholder, index } of indented.matchAll(/\{(?:0x|64)\}/g)) {
    source += indented.slice(last, index);
    starts.push(source.length);
    const shift = starts.length % 64;
    source += `${placeholder === '{0x}' ? '0x' : ''}${digits.slice(shift)}${digits.slice(0, shift)}`;
    last = index + placeholder.length;
  }
  source += indented.slice(last);
  const literals = detectLiterals(source, { fileName: name });
  for (const start of starts) {
    const literal = literals.find(candidate => candidate.start <= start && candidate.end >= start + 64);
    const decision = literal && getPrivacyVerdict(literal, { isLocal: false, fileName: name }).decision;
    check(decision !== 'yes', `a key leaves: ${source.slice(Math.max(0, start - 80), start + 70)}`);
  }
}

function readBook(source: string): void {
  const file = parseBookFile(source);
  check(file.issues.length <= 201, 'too many issues');
  check(file.positions.length === file.state.entries.length, 'positions and entries differ');
  if (file.readOnlyReason !== null) return;
  const entry = parseEntry({ address: `0x${'1'.repeat(40)}`, name: 'Fuzz' });
  const change = { updates: new Map(), removals: new Set<number>(), additions: [entry], folders: null };
  const after = parseBookFile(editBookFile(source, change));
  check(after.state.entries.length === file.state.entries.length + 1, 'an entry was lost or not added');
}

/** What a command line prints, the links in a terminal, and commands that are copied into one. */
function useTerminal([source, parameters]: readonly [string, Readonly<Record<string, string>>]): void {
  const printed = stringifyForTerminal({ [source]: source }, 2);
  check(!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(printed.replaceAll('\n', '')), 'a terminal obeys or hides a character');
  check(JSON.parse(printed)[source] === source, 'other JSON than the value');
  for (const { start, end } of findLinkableLiterals(source, 'terminal.log', 'log'))
    check(start >= 0 && start < end && end <= source.length, 'a link outside its line');
  const target = parseInspectorTarget({ kind: 'operation', operation: 'contractLogs', parameters });
  if (target === null) return;
  const command = formatCastCommand(target, { getNodeUrl: () => source }) ?? '';
  const words = command.replace(/'[^']*'|\\'/g, "''");
  check(/^cast [\w' ./:=@%,+-]*$/.test(words), `a shell would interpret ${words}`);
  check(!/ -- .* --?rpc-url/.test(words) || command.includes("'"), 'an option after --');
}

const templates = getRouteTemplates();
const value = fc.oneof(
  text,
  fc.string(),
  fc.constantFrom('-1', '1e999', 'latest', 'eth', '0x', '1,2', 'null', '2024-13-45'),
);

interface Target {
  readonly name: string;
  readonly property: fc.IProperty<[unknown]>;
}

const createTarget = <T>(name: string, arbitrary: fc.Arbitrary<T>, run: (input: T) => void): Target => ({
  name,
  property: fc.property(arbitrary, input => {
    // The fastest of three, because compiling code and collecting garbage count too.
    let fastest = Number.POSITIVE_INFINITY;
    for (let count = 0; count < 3 && fastest > MAX_INPUT_MS; count++) {
      const before = process.cpuUsage();
      run(input);
      fastest = process.cpuUsage(before).user / 1_000;
    }
    check(fastest <= MAX_INPUT_MS, `one input took ${Math.round(fastest)} ms`);
  }) as unknown as fc.IProperty<[unknown]>, // each target has its own input
});

const bookText = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 6 }).map(json => JSON.stringify(json)),
  fc
    .array(
      fc.record(
        {
          address: fc.oneof(
            value,
            hexDigits(40).map(digits => `0x${digits}`),
          ),
          name: value,
          chains: fc.oneof(fc.array(value, { maxLength: 5 }), fc.jsonValue()),
          tags: fc.oneof(fc.array(value, { maxLength: 5 }), fc.jsonValue()),
          folder: value,
          notes: value,
          mark: value,
        },
        { requiredKeys: ['address', 'name'] },
      ),
      { maxLength: 20 },
    )
    .chain(addresses => {
      const whole = JSON.stringify({ version: 1, addresses }, null, 2);
      return fc.oneof(
        fc.constant(whole),
        fc.tuple(fc.nat(whole.length), part).map(([at, cut]) => whole.slice(0, at) + cut + whole.slice(at)),
        fc.nat(whole.length).map(at => whole.slice(0, at)),
      );
    }),
);

const messageValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record({
    type: fc.constantFrom('call', 'notify', 'reply', 'part', '__proto__', 'constructor'),
    id: fc.oneof(fc.integer(), fc.jsonValue()),
    method: fc.oneof(
      fc.constantFrom('operation', 'blocks', 'lookUp', 'navigate', 'ready', 'exportRows', '__proto__'),
      value,
    ),
    params: fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.record({
        target: fc.record({
          kind: fc.constantFrom('block', 'transaction', 'operation', 'address'),
          chain: value,
          hash: value,
          block: value,
          operation: value,
          parameters: fc.jsonValue(),
        }),
        where: value,
        text: value,
        chain: value,
      }),
    ),
  }),
);

const allTargets: readonly Target[] = [
  createTarget('classifier', fc.tuple(text, fileName), classify),
  createTarget(
    'keys',
    fc.tuple(
      fc.constantFrom(...keys),
      fileName.filter(name => name !== 'a.csv'), // its first line decides there
      fc.constantFrom('', '  ', '\t', '// ', '# ', '* ', '- ', 'anvil-1  | ', '[0] '),
      fc.constantFrom('\n', '\r\n'),
      hexDigits(64),
    ),
    keepKeys,
  ),
  createTarget('address book file', bookText, readBook),
  createTarget(
    'cursors',
    fc.oneof(
      text,
      fc.jsonValue().map(json => Buffer.from(`1.${JSON.stringify(json)}`).toString('base64url')),
      fc.tuple(fc.nat(60), part).map(([at, cut]) => {
        const cursor = encodeCursor({ filters: {}, key: [1, 'a'], page: 1, total: null });
        return cursor.slice(0, at) + cut + cursor.slice(at);
      }),
    ),
    cursor => allowFaults(() => decodeCursor(cursor, {})),
  ),
  createTarget(
    'HTTP parameters',
    fc.tuple(
      fc.nat(templates.length - 1),
      value,
      fc.array(
        fc.tuple(
          fc.oneof(value, fc.constantFrom('chain', 'limit', 'cursor', 'from_date', 'to_block', 'address')),
          value,
        ),
        { maxLength: 8 },
      ),
      fc.jsonValue(),
    ),
    ([at, parameter, pairs, body]) => {
      const { operation, base, template } = templates[at] as (typeof templates)[number]; // in range
      const { method } = operation;
      const filled = `${base}${template}`.replace(/[{:]\w+\}?/g, () => encodeURIComponent(parameter.toWellFormed()));
      const query = new URLSearchParams(pairs.map(([name, text]) => [name, text])).toString();
      allowFaults(() => decodeRequest(method, filled, parseQueryString(query), body));
      allowFaults(() => decodeRequest(method, parameter, parseQueryString(parameter), body));
    },
  ),
  createTarget(
    'terminal',
    fc.tuple(
      text,
      fc.record(
        { chain: value, address: value, topic0: value, fromBlock: value, toBlock: value },
        { requiredKeys: [] },
      ),
    ),
    useTerminal,
  ),
  createTarget('web view messages', messageValue, message => parsePageMessage(message)),
];

const targets = allTargets.filter(({ name }) => name.includes(options.only));
console.log(`Fuzzing ${targets.length} targets for ${options.minutes} minutes, seed ${seed}.`);
/** Targets take turns, so that a short run tries all of them. */
const ROUND_MS = Math.min(10_000, totalMs / targets.length);
const counts = new Map<string, number>(targets.map(({ name }) => [name, 0]));
const end = performance.now() + totalMs;
for (let round = 0; performance.now() < end; round++)
  for (const { name, property } of targets) {
    const details = await fc.check(property, {
      seed: seed + round,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: ROUND_MS,
    });
    counts.set(name, (counts.get(name) ?? 0) + details.numRuns);
    if (details.failed && details.counterexample !== null) {
      console.error(`${name} failed: node test/fuzz.ts --seed ${seed + round}`);
      console.error(String(details.errorInstance).slice(0, MAX_PRINTED));
      console.error(JSON.stringify(details.counterexample).slice(0, MAX_PRINTED));
      process.exit(1);
    }
  }
for (const [name, count] of counts) console.log(`${name.padEnd(20)} ${count.toLocaleString('en')} inputs, no failure`);
