// Checks what leaves the machine by realistic files: no private key without a click, and nearly all hashes without one.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectLiterals } from '../../../src/detect/detectLiterals.ts';
import { getPrivacyVerdict, type PrivacyDecision } from '../../../src/detect/privacy.ts';
import { scaleRounds } from '../../support/rounds.ts';

interface Snippet {
  readonly fileName: string;
  /** With placeholders for 32 bytes: `{0x}`, `{64}` without prefix, `{same}` for a repetition. */
  readonly template: string;
}

interface Case {
  readonly fileName: string;
  readonly line: string;
  /** `null` when nothing is detected, so that nothing can leave. */
  readonly decision: PrivacyDecision | null;
}

const PLACEHOLDER = /\{(?:0x|64|same)\}/g;

function readCorpus(name: string): readonly Snippet[] {
  const text = readFileSync(new URL(`./corpus/${name}.txt`, import.meta.url), 'utf8');
  return text
    .split(/^=== /m)
    .slice(1)
    .map(block => {
      const end = block.indexOf('\n');
      return { fileName: block.slice(0, end), template: block.slice(end + 1) };
    });
}

/** Numbers from 0 to 15 that only depend on the seed. */
function* createDigits(seed: number): Generator<number, never> {
  for (let state = seed | 1; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    yield (state >> 12) & 15;
  }
}

/** Fills the placeholders and decides about each of them. */
function decide({ fileName, template }: Snippet, seed = 1): readonly Case[] {
  const digits = createDigits(seed);
  const starts: number[] = [];
  let [text, last, value] = ['', 0, ''];
  for (const { 0: placeholder, index } of template.matchAll(PLACEHOLDER)) {
    text += template.slice(last, index);
    if (placeholder !== '{same}') {
      value = placeholder === '{0x}' ? '0x' : '';
      for (let count = 0; count < 64; count++) value += digits.next().value.toString(16);
    }
    starts.push(text.length);
    text += value;
    last = index + placeholder.length;
  }
  text += template.slice(last);
  const literals = detectLiterals(text, { fileName });
  return starts.map(start => {
    const literal = literals.find(candidate => candidate.start <= start && candidate.end >= start + 64);
    const decision = literal ? getPrivacyVerdict(literal, { isLocal: false, fileName }).decision : null;
    const lineEnd = text.indexOf('\n', start);
    return {
      fileName,
      line: text.slice(text.lastIndexOf('\n', start) + 1, lineEnd < 0 ? undefined : lineEnd),
      decision,
    };
  });
}

const keys = readCorpus('keys');
const hashes = readCorpus('hashes');
const leaks = (cases: readonly Case[]) =>
  cases.filter(({ decision }) => decision === 'yes').map(({ fileName, line }) => `${fileName}: ${line.trim()}`);

describe('private keys', () => {
  test('never leave the machine without a click', () => {
    const cases = [...keys, ...readCorpus('keysByText'), ...readCorpus('keysByFileName')].flatMap(snippet =>
      decide(snippet),
    );
    expect(cases.length).toBeGreaterThanOrEqual(7_400);
    expect(leaks(cases)).toEqual([]);
  });

  const WEAK_NAME =
    /(?<![\p{L}\w.#-])(?:tx|hash|id|data|value|salt|[xhHB]|TX|HASH|ID|DATA|Tx|Hash|tx_?hash|txHash|TX_HASH|TxHash|block_?[hH]ash)(?![\p{L}\w])/gu;
  /** The name in the case of the one that it replaces. */
  const toCase = (name: string, replaced: string): string => {
    const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    if (replaced === replaced.toUpperCase()) return snake.toUpperCase();
    if (replaced.includes('_')) return snake;
    return /^[A-Z]/.test(replaced) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  };

  test.each(['txHash', 'blockHash', 'transactionId', 'transferTx'])('stay where they are named %s', name => {
    // Those without a weak name stay as they are, as the test above has them.
    const cases = readCorpus('keysByText').flatMap(({ fileName, template }) => {
      const renamed = template.replace(WEAK_NAME, weak => toCase(name, weak));
      return renamed === template ? [] : decide({ fileName, template: renamed });
    });
    expect(cases.length).toBeGreaterThan(200);
    expect(leaks(cases)).toEqual([]);
  });

  const LOG_PREFIXES = [
    'anvil-1  | ',
    '[pod/anvil-7c9b5/anvil] ',
    '@acme/chain:dev: ',
    '0|anvil    | ',
    'Nov 22 10:00:00 devbox anvil[812]: ',
    '[chain] ',
    '2024-05-01T10:00:00.123Z ',
    '2024-05-01 10:00:00 INFO ',
    'chain:  ',
    '[0] ',
    '> ',
    '12:00:01 PM [node] ',
    '\u001b[36manvil |\u001b[0m ',
  ];

  test.each(LOG_PREFIXES)('stay in logs whose lines begin with %j', prefix => {
    for (const { fileName, template } of keys) {
      if (!/\.log$/.test(fileName)) continue;
      expect(leaks(decide({ fileName, template: template.replace(/^/gm, prefix) }))).toEqual([]);
    }
  });

  test('stay where the file is renamed, indented or has other line ends', () => {
    const names = fc.constantFrom(
      'notes.txt',
      'a.ts',
      'a.py',
      'a.go',
      'a.json',
      'a.yaml',
      'a.log',
      'a.md',
      'a',
      'a.csv',
      'a.move',
      'a.sol',
      'a.toml',
      '.env',
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...keys.filter(({ fileName }) => !/\.(?:[ct]sv)$/.test(fileName))),
        names,
        fc.constantFrom('', '  ', '\t', '// ', '# ', '* ', '- '),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 1_000_000 }),
        ({ template }, fileName, indent, lineEnd, seed) => {
          const text = template.replace(/^/gm, indent).replaceAll('\n', lineEnd);
          expect(leaks(decide({ fileName, template: text }, seed))).toEqual([]);
        },
      ),
      { numRuns: scaleRounds(150), seed: 1 },
    );
  });

  const VERBS = ['send', 'deploy', 'transfer', 'mint', 'submit', 'propose', 'relay', 'run', 'execute', 'fund', 'as'];
  const RESULTS = ['tx', 'hash', 'txHash', 'receipt', 'block', 'blockHash', 'transaction', 'pendingTx'];
  test('stay as arguments of functions, whatever the result is called', () => {
    for (const verb of VERBS)
      for (const result of RESULTS)
        for (const template of [
          `const ${result} = await ${verb}('{0x}');`,
          `${result} = ${verb}("{0x}", to, 1)`,
          `${result} := client.${verb}("{64}")`,
          `let ${result} = ${verb}(&provider, "{0x}").await?;`,
          `return { ${result}: ${verb}('{0x}') };`,
          `{"${result}": ${verb}("{0x}")}`,
        ])
          expect(leaks(decide({ fileName: 'a.ts', template }))).toEqual([]);
  });
});

describe('hashes', () => {
  test('are looked up without a click in at least 92 of 100 cases', () => {
    const cases = hashes.flatMap(snippet => decide(snippet));
    expect(cases.length).toBeGreaterThanOrEqual(2_400);
    const clicks = cases.filter(({ decision }) => decision === 'click' || decision === null);
    expect(clicks.length / cases.length).toBeLessThanOrEqual(0.08);
  });
});
