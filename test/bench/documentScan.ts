// How fast whole documents are scanned, against the two regular expressions that other extensions use.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { detectLiterals } from '../../src/detect/detectLiterals.ts';
import { scanLiterals } from '../../src/detect/scanLiterals.ts';
import type { BenchResult, BenchRow } from './benchResult.ts';

/** All figures in megabytes (10^6 UTF-16 units) per second of CPU time. */
export interface ScanRow {
  readonly document: string;
  /** Addresses and hashes: what both expressions find together. */
  readonly scanLiterals: number;
  /** Data, bare words and block numbers too. */
  readonly scanAll: number;
  /** All literals classified, with hints and checksums. */
  readonly find: number;
  /** Boundary inside the expression (hovers). */
  readonly addressRegex: number;
  /** Boundary checked on each match (lenses, diagnostics). */
  readonly addressRegexChecked: number;
  readonly hashRegex: number;
  /** scanLiterals / (one address expression and the hash expression, one after the other). Target: 3. */
  readonly ratio: number;
  /** scanLiterals / the faster address expression alone, which finds no hashes. */
  readonly ratioAddressOnly: number;
}

export interface LinearityRow {
  readonly megabytes: number;
  readonly literalsPerSecond: number;
  readonly allPerSecond: number;
}

export interface ScanBench {
  readonly rows: readonly ScanRow[];
  readonly linearity: readonly LinearityRow[];
  /** Speed at 50 MB / speed at 1 MB; 1 is linear. */
  readonly linear: number;
}

interface Match {
  readonly start: number;
  readonly text: string;
}

function addressRegex(text: string): number {
  const found: Match[] = [];
  const expression = /(0x[a-fA-F0-9]{40})(?:[^a-zA-Z0-9]|$)/g;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    found.push({ start: match.index, text: match[1] ?? '' });
  }
  return found.length;
}

function addressRegexChecked(text: string): number {
  const found: Match[] = [];
  const word = /[a-zA-Z0-9]/;
  const expression = /0x[a-fA-F0-9]{40}/g;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    if (word.test(text.charAt(match.index - 1)) || word.test(text.charAt(match.index + 42))) continue;
    found.push({ start: match.index, text: match[0] });
  }
  return found.length;
}

function hashRegex(text: string): number {
  const found: Match[] = [];
  const expression = /0x[a-fA-F0-9]{64}\b/g;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    found.push({ start: match.index, text: match[0] });
  }
  return found.length;
}

/** Deterministic hex, so that all runs measure the same text. */
function createHex(seed: number): (digits: number) => string {
  let state = seed;
  return digits => {
    let text = '';
    while (text.length < digits) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      text += state.toString(16).padStart(8, '0');
    }
    return text.slice(0, digits);
  };
}

/** Repeats `part` up to `length`, as one flat string, as an editor returns it. */
function fill(length: number, part: () => string): string {
  const parts: string[] = [];
  for (let total = 0; total < length; ) {
    const next = part();
    parts.push(next);
    total += next.length;
  }
  return Buffer.from(parts.join('').slice(0, length), 'latin1').toString('latin1');
}

function sources(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .sort();
  return names.map(name => readFileSync(`${folder}/${name}`, 'utf8')).join('\n');
}

async function documents(length: number): Promise<Record<string, string>> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const hex = createHex(7);
  const ours = `${sources(`${root}src`)}\n${sources(`${root}test`)}`;
  const ox = sources(`${root}node_modules/ox/src/core`);
  const bundle = await build({
    stdin: {
      contents: `export * from '@opensea/seaport-js'; export * from 'ox'; export * from 'hono'`,
      resolveDir: root,
    },
    bundle: true,
    minify: true,
    platform: 'node',
    write: false,
    logLevel: 'silent',
  });
  const minified = bundle.outputFiles[0]?.text ?? '';
  const abi =
    '{"inputs":[{"internalType":"address","name":"account","type":"address"}],"name":"balanceOf","type":"function"},';
  return {
    'TypeScript source': fill(length, () => ours),
    'TypeScript source full of hex (ox)': fill(length, () => ox),
    'JSON artifact with bytecode': fill(
      length,
      () =>
        `{"contractName":"Token","abi":[${abi.repeat(40)}],"bytecode":"0x${hex(12_000)}","deployedBytecode":"0x${hex(10_000)}","deployed":"0x${hex(40)}"}\n`,
    ),
    'log output': fill(
      length,
      () =>
        `2026-11-20T10:00:00.000Z INFO mined tx hash=0x${hex(64)} from=0x${hex(40)} to=0x${hex(40)} nonce=12 gas=21000\n`,
    ),
    'minified JavaScript': fill(length, () => minified),
  };
}

type Work = (text: string) => unknown;

/**
 * CPU time of each in milliseconds, from rounds in which each runs for a while in turn, so that load on the machine slows
 * all of them alike. (The CPU clock of a thread ticks every 4 ms, so single runs can not be timed.)
 */
function cpuTimes(text: string, works: readonly Work[], rounds: number): number[] {
  const totals = works.map(() => ({ cpu: 0, runs: 0 }));
  for (let round = 0; round <= rounds; round++) {
    for (const [i, work] of works.entries()) {
      const total = totals[i] ?? { cpu: 0, runs: 0 };
      const start = process.threadCpuUsage();
      let cpu = 0;
      let runs = 0;
      for (; cpu < 100 || runs < 2; runs++) {
        work(text);
        const { user, system } = process.threadCpuUsage(start);
        cpu = (user + system) / 1_000;
      }
      if (round === 0) continue; // compiles
      total.cpu += cpu;
      total.runs += runs;
    }
  }
  return totals.map(({ cpu, runs }) => cpu / runs);
}

const literals: Work = text => scanLiterals(text, { only: 'literals' });

export async function runScanBench(length = 8_000_000, rounds = 3): Promise<ScanBench> {
  const texts = await documents(length);
  const rows = Object.entries(texts).map(([document, text]): ScanRow => {
    const works = [literals, scanLiterals, addressRegex, addressRegexChecked, hashRegex];
    const [fast = 0, all = 0, plain = 0, checked = 0, hashes = 0] = cpuTimes(text, works, rounds);
    const sample = text.slice(0, text.length / 8);
    const [whole = 0] = cpuTimes(sample, [detectLiterals], 1);
    const speed = (ms: number, size = text.length) => Math.round(size / ms / 1_000);
    const ratio = (ms: number) => Math.round((ms / fast) * 10) / 10;
    return {
      document,
      scanLiterals: speed(fast),
      scanAll: speed(all),
      find: speed(whole, sample.length),
      addressRegex: speed(plain),
      addressRegexChecked: speed(checked),
      hashRegex: speed(hashes),
      ratio: ratio(Math.min(plain, checked) + hashes),
      ratioAddressOnly: ratio(Math.min(plain, checked)),
    };
  });
  // Slices of every document in turn, so that all sizes have the same mixture.
  const slices = Array.from({ length: 10 }, (_, i) =>
    Object.values(texts)
      .map(text => text.slice(i * 20_000, (i + 1) * 20_000))
      .join('\n'),
  );
  const mixed = slices.join('\n');
  const linearity = [1, 2, 5, 10, 20, 50].map((megabytes): LinearityRow => {
    const text = fill(megabytes * 1e6, () => mixed);
    const [fast = 0, all = 0] = cpuTimes(text, [literals, scanLiterals], 1);
    return {
      megabytes,
      literalsPerSecond: Math.round(text.length / fast / 1_000),
      allPerSecond: Math.round(text.length / all / 1_000),
    };
  });
  const linear = Math.round(((linearity.at(-1)?.allPerSecond ?? 0) / (linearity[0]?.allPerSecond ?? 1)) * 100) / 100;
  return { rows, linearity, linear };
}

/** The results as rows of `npm run bench`. */
export async function runScanTable(): Promise<BenchResult> {
  const { rows, linear } = await runScanBench();
  return {
    title: 'Document scan (addresses and 32-byte literals)',
    rows: [
      ...rows.flatMap<BenchRow>(row => [
        { what: `${row.document}: scan`, value: row.scanLiterals, unit: 'MB/s' },
        { what: '... against the address and the hash expression', value: row.ratio, unit: 'x', target: { min: 3 } },
        { what: '... against one address expression, which finds no hash', value: row.ratioAddressOnly, unit: 'x' },
      ]),
      { what: 'speed at 50 MB against speed at 1 MB', value: linear, unit: 'x', target: { min: 0.7 } },
    ],
  };
}
