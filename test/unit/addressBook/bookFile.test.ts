// The committed address book: read leniently, named by place where it is wrong, edited without losing what people wrote.
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { type AddressBookChange, applyChange, emptyChange } from '../../../src/addressBook/addressBookState.ts';
import { createBookFileParser, MAX_BOOK_FILE_ENTRIES, parseBookFile } from '../../../src/addressBook/bookFile.ts';
import { bookFileSchema } from '../../../src/addressBook/bookFileSchema.ts';
import { editBookFile } from '../../../src/addressBook/editBookFile.ts';
import type { Entry } from '../../../src/addressBook/entry.ts';
import { parseEntry } from '../../../src/addressBook/validateEntry.ts';
import { isForChain } from '../../../src/api/configuration.ts';
import { checksumAddress } from '../../../src/base/checksumAddress.ts';
import { measureCpuMs } from '../../support/cpuTime.ts';
import { measureGrowth } from '../../support/measureGrowth.ts';
import { scaleRounds } from '../../support/rounds.ts';
import { addressOf, anyChange, entries } from './bookArbitraries.ts';

const sample = `// The team's addresses.
{
    "version": 1,
    "owner": "another tool's field",
    "addresses": [
        // Money
        {
            "address": "0x00000000000000000000000000000000000000a1",
            "name": "Treasury", // multisig
            "tags": ["cold"],
            "since": 2021
        }, // pays all
        /* the old one */ { "address": "0x00000000000000000000000000000000000000a2", "name": "Old" },
        { "address": "0x00000000000000000000000000000000000000a3", "name": "Feed", "chains": ["eth"] }
        // more to come
    ]
}
`;

const names = (text: string) => parseBookFile(text).state.entries.map(({ name }) => name);

describe('parseBookFile', () => {
  test('accepts comments, trailing commas and unknown fields', () => {
    const { state, issues, readOnlyReason } = parseBookFile(sample.replace('["cold"],', '["cold",],'));
    expect(state.entries.map(({ name }) => name)).toEqual(['Treasury', 'Old', 'Feed']);
    expect([issues, readOnlyReason]).toEqual([[], null]);
  });

  test.each([
    ['nothing at all', ''],
    ['a comment only', '// to be filled\n'],
    ['an empty object', '{}'],
  ])('reads %s as an empty, writable book', (_, text) => {
    expect(parseBookFile(text)).toEqual({
      state: { entries: [], folders: [] },
      positions: [],
      issues: [],
      readOnlyReason: null,
    });
    const entry = parseEntry({ address: addressOf(1), name: 'First' });
    const after = editBookFile(text, { ...emptyChange, additions: [entry] });
    expect(parseBookFile(after).state.entries).toEqual([entry]);
    expect(after.startsWith(text.trim().replace('{}', '{'))).toBe(true);
  });

  test('reports the field and position of each issue, and reads the rest', () => {
    const text = JSON.stringify(
      {
        addresses: [
          { address: '0x12', kind: 'wallet', name: 'Aptos by its length' },
          { name: 'No address' },
          { address: '0xnothing', name: 'Wrong address' },
          { address: addressOf(1) },
          { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267', name: 'Mistyped' },
          { address: addressOf(3), name: 'Chains', chains: ['eth', 'nowhere', 5] },
          { address: addressOf(4), name: 'Rest', color: 'pink', mark: 'good', tags: 'one', folder: 7 },
          'text',
        ],
      },
      null,
      2,
    );
    const { state, issues } = parseBookFile(text);
    expect(state.entries.map(({ name }) => name)).toEqual(['Aptos by its length', 'Mistyped', 'Chains', 'Rest']);
    const reports = issues.map(({ offset, length, message, severity }) => {
      const line = text.slice(0, offset).split('\n').length;
      return `${line} ${severity} ${text
        .slice(offset, offset + length)
        .replace(/\s+/g, ' ')
        .slice(0, 30)} | ${message}`;
    });
    expect(reports).toMatchSnapshot();
    expect(state.entries[3]).toMatchObject({ color: null, trust: null, tags: ['one'], folder: '' });
  });

  test.each([
    [['base'], ['0x2105']],
    [['optimism'], ['0xa']],
    [
      ['8453', 10, '0x1'],
      ['0x2105', '0xa', 'eth'],
    ],
    ['base', ['0x2105']],
    [8453, ['0x2105']],
    [[31337], ['local']],
    [
      ['1337', 'anvil', 'hardhat', 'foundry', 'localhost'],
      ['0x539', 'anvil', 'hardhat', 'local'],
    ],
  ])('reads the chains %j as %j, without an issue', (written, chains) => {
    const { state, issues } = parseBookFile(
      JSON.stringify({ addresses: [{ address: addressOf(1), name: 'A', chains: written }] }),
    );
    expect(issues).toEqual([]);
    expect(state.entries.map(entry => entry.chains)).toEqual([chains]);
    const { type } = bookFileSchema.properties.addresses.items.properties.chains;
    expect(type).toContain(Array.isArray(written) ? 'array' : typeof written === 'number' ? 'integer' : 'string');
  });

  test.each(
    [['nowhere'], ['nowhere', 'somewhere'], [''], [true], [-1], [[]], [{}], 'nowhere', 0, true, {}].map(written => ({
      written,
    })),
  )('an entry for $written, which is no chain, holds on no chain, and says so at its chains', ({ written }) => {
    const text = JSON.stringify({ addresses: [{ address: addressOf(1), name: 'A', chains: written }] });
    const { state, issues } = parseBookFile(text);
    const [entry] = state.entries;
    expect(entry?.chains.length).toBeGreaterThan(0);
    for (const chain of ['local', 'eth', '0x2105', '0xa']) expect(isForChain(entry?.chains ?? [], chain)).toBe(false);
    expect(issues.length).toBeGreaterThan(0);
    for (const { message, offset } of issues) {
      expect(message).toMatch(/^chains has .+, which is no known chain, .* write a name such as eth, base or local/);
      expect(offset).toBeGreaterThanOrEqual(text.indexOf('"chains"'));
    }
  });

  test('an Aptos entry for a chain of the EVM holds on no network', () => {
    const { state, issues } = parseBookFile(
      JSON.stringify({ addresses: [{ address: `0x${'1a'.repeat(32)}`, name: 'A', chains: ['base'] }] }),
    );
    expect(state.entries[0]?.chains).toEqual(['base']);
    expect(issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^chains has "base", which is no Aptos network/),
    ]);
  });

  test('reports a merge conflict at its position, and makes the file read-only', () => {
    const mine = '        { "address": "0x00000000000000000000000000000000000000b1", "name": "Mine" },\n';
    const text = sample.replace(
      '        // Money\n',
      `<<<<<<< HEAD\n${mine}=======\n${mine.replace('Mine', 'Theirs')}>>>>>>> branch\n`,
    );
    const { issues, readOnlyReason } = parseBookFile(text);
    expect(readOnlyReason).toMatch(/damaged/);
    expect(issues).toHaveLength(1 + issues.filter(({ message }) => /two names/.test(message)).length);
    const [first] = issues;
    expect(text.slice(first?.offset, (first?.offset ?? 0) + (first?.length ?? 0))).toMatch(
      /^<{7} HEAD[\s\S]*>{7} branch$/,
    );
    expect(first?.message).toMatch(/unresolved merge conflict/);
  });

  test.each([
    ['a missing bracket', sample.replace('    ]\n', '')],
    ['half a file', sample.slice(0, 300)],
    ['a list at the top', '[]'],
    ['another type', '{ "addresses": { "a": 1 } }'],
    ['a newer version', '{ "version": 2, "addresses": [] }'],
    ['an unknown version', '{ "version": "2", "addresses": [] }'],
    ['no version where one should be', '{ "version": null, "addresses": [] }'],
    ['no JSON', 'hello'],
    ['binary', '\u0000\u0001\ufffd'],
    ['deep nesting', '['.repeat(200_000)],
    ['deep nesting in an entry', `{"addresses":[${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}]`],
    ['too much', `"${'x'.repeat(4_000_001)}"`],
  ])('makes a file with %s read-only and says why', (_, text) => {
    const { issues, readOnlyReason } = parseBookFile(text);
    expect(readOnlyReason).not.toBeNull();
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.length).toBeLessThanOrEqual(200);
  });

  test('reports one address with two names, unless they are for different chains', () => {
    const list = (...items: object[]) => JSON.stringify({ addresses: items });
    const one = { address: addressOf(1), name: 'One' };
    expect(parseBookFile(list(one, { ...one, name: 'Two' })).issues[0]?.message).toMatch(/two names.*"One"/);
    expect(parseBookFile(list(one, { ...one, chains: ['eth'] })).issues[0]?.message).toMatch(/listed twice/);
    const apart = list({ ...one, chains: ['eth'] }, { ...one, name: 'Two', chains: ['0x89'] });
    expect(parseBookFile(apart).issues).toEqual([]);
  });

  test('is safe against prototype keys and hidden characters', () => {
    const { state } = parseBookFile(
      `{"__proto__": {"addresses": 1}, "constructor": 1, "addresses": [
        {"__proto__": {"color": "red"}, "address": "${addressOf(1)}", "name": "a\\u202eb\\u0007c", "folder": "__proto__/x"}]}`,
    );
    expect(state.entries).toEqual([parseEntry({ address: addressOf(1), name: 'a·b·c', folder: '__proto__/x' })]);
    expect(({} as { color?: string }).color).toBeUndefined();
  });

  test('finds the first of several entries with a common chain', () => {
    const list = (...items: object[]) => JSON.stringify({ addresses: items }, null, 1);
    const one = (name: string, ...chains: string[]) => ({ address: addressOf(1), name, chains });
    const messageOf = (...items: object[]) => parseBookFile(list(...items)).issues.map(({ message }) => message);
    expect(messageOf(one('A', 'eth', 'bsc'), one('B', '0x89'), one('C', '0x89', 'bsc'))).toEqual([
      expect.stringContaining('calls it "A"'),
    ]);
    expect(messageOf(one('A', 'eth'), one('B', '0x89'), one('C'))).toEqual([expect.stringContaining('calls it "A"')]);
    expect(messageOf(one('A'), one('B', '0x89'))).toEqual([expect.stringContaining('calls it "A"')]);
    expect(messageOf(one('A', 'eth'), one('B', '0x89'), { ...one('C', 'eth'), address: addressOf(2) })).toEqual([]);
  });

  const list = (size: number, createEntry: (at: number) => string) =>
    `{"addresses":[${Array.from({ length: size }, (_, at) => createEntry(at)).join(',\n')}]}`;
  const address = addressOf(1);

  test.each<[string, number, (size: number) => string]>([
    ['conflict marks without an end', 4_000, size => '<<<<<<< a\n'.repeat(size)],
    ['whole conflicts', 2_000, size => '<<<<<<< a\n=======\n>>>>>>> b\n'.repeat(size)],
    ['conflict marks after each entry', 400, size => list(size, at => `{"address":"${addressOf(at)}"}\n<<<<<<< HEAD`)],
    ['one address', 400, size => list(size, () => `{"address":"${address}","name":"a"}`)],
    ['one address with different names', 400, size => list(size, at => `{"address":"${address}","name":"${at}"}`)],
    [
      'one address on different chains',
      400,
      size => list(size, at => `{"address":"${address}","name":"a","chains":["0x${(at + 1).toString(16)}"]}`),
    ],
    [
      'one address on different chains, with a comment',
      400,
      size => `//\n${list(size, at => `{"address":"${address}","name":"a","chains":["0x${(at + 1).toString(16)}"]}`)}`,
    ],
    [
      'a long list of chains that do not exist',
      2_000,
      size =>
        `{"addresses":[{"address":"${address}","name":"a","chains":[${list(size, at => `"q${at}"`).slice(14, -2)}]}]}`,
    ],
    ['an address of many digits', 20_000, size => list(1, () => `{"address":"0x${'a'.repeat(size)}","name":"a"}`)],
    [
      'a name of many marks',
      10_000,
      size => list(1, () => `{"address":"${address}","name":"${'\u0301'.repeat(size)}"}`),
    ],
  ])('reads a hostile file in linear time: %s', (_, size, create) => {
    expect(measureGrowth(create, parseBookFile, size / 4)).toBeLessThan(16);
  });

  test('reads the lines of a file once, however many addresses are listed twice', () => {
    const blankLines = '\n'.repeat(400_000);
    const create = (size: number) => blankLines + list(size, () => `{"address":"${address}","name":"a"}`);
    expect(parseBookFile(create(2)).issues[0]?.message).toContain('line 400001');
    const [few, many] = [create(2), create(190)];
    const maxMs =
      20 *
      Math.max(
        1,
        measureCpuMs(() => parseBookFile(few)),
      );
    expect(measureCpuMs(() => parseBookFile(many), maxMs)).toBeLessThan(maxMs);
  });

  test.each([
    ['an entry in lists', `{"addresses":[${'['.repeat(200_000)}${']'.repeat(200_000)}]}`],
    ['an entry in objects', `{"addresses":[${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}]}`],
    ['a file that ends inside', '['.repeat(200_000)],
  ])('reads nothing of a file that is nested too deep, and does not throw: %s', (_, text) => {
    expect(parseBookFile(text)).toMatchObject({
      state: { entries: [] },
      readOnlyReason: expect.stringContaining('too deep'),
    });
  });

  test('reads no more entries than the limit, says so once, and does not write to the file', () => {
    const text = list(MAX_BOOK_FILE_ENTRIES + 1, at => `{"address":"${addressOf(at)}","name":"n"}`);
    const { state, issues, readOnlyReason } = parseBookFile(text);
    expect(state.entries).toHaveLength(MAX_BOOK_FILE_ENTRIES);
    expect(readOnlyReason).toMatch(/too many entries/);
    expect(issues.filter(({ message }) => message === readOnlyReason)).toHaveLength(1);
  });

  test('lets other work have its turn while it reads a long file', async () => {
    for (const head of ['', '// comment\n']) {
      let pauses = 0;
      const text = head + list(5_000, at => `{"address":"${addressOf(at)}","name":"n"}`);
      const file = await createBookFileParser().parseInSlices(text, async () => void pauses++);
      expect(file).toEqual(createBookFileParser().parse(text));
      expect(pauses).toBeGreaterThanOrEqual(5_000 / 200 - 1);
    }
  });
});

describe('checksums', () => {
  const right = (at: number) => checksumAddress(`0x${(at + 0xabcdef).toString(16).padStart(40, 'a')}`);
  /** One letter in the other case. */
  const wrong = (at: number) =>
    right(at).replace(/[a-fA-F](?=[^a-fA-F]*$)/, letter =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
  const book = (addresses: readonly string[], head = '') =>
    `${head}${JSON.stringify({ addresses: addresses.map((address, at) => ({ address, name: `n${at}` })) }, null, 1)}`;
  const checked = (reader: ReturnType<typeof createBookFileParser>) => {
    let [again, rounds] = [false, 0];
    for (let left = 1; left > 0; rounds++) {
      const state = reader.verifyChecksums(7);
      left = state.left;
      again ||= state.again;
    }
    return { again, rounds };
  };

  test.each([
    ['plain JSON', ''],
    ['JSON with a comment', '// ours\n'],
  ])('of %s are checked behind the reading, a few at a time, each once', (_, head) => {
    const reader = createBookFileParser();
    const good = Array.from({ length: 50 }, (_, at) => right(at));
    const text = book([...good, wrong(99)], head);
    const first = reader.parse(text);
    expect([first.state.entries.length, first.issues]).toEqual([51, []]);
    expect(checked(reader)).toEqual({ again: true, rounds: 8 });
    const second = reader.parse(text);
    expect(second).toEqual(parseBookFile(text));
    expect(
      second.issues.map(({ offset, length, severity }) => [text.slice(offset, offset + length), severity]),
    ).toEqual([[`"${wrong(99)}"`, 'warning']]);
    expect([second.state, second.positions, second.readOnlyReason]).toEqual([first.state, first.positions, null]);
    // Nothing is left to be hashed: not for this text, and for a longer one only what it has more.
    expect(checked(reader)).toEqual({ again: false, rounds: 1 });
    expect(reader.parse(book([...good, right(100)], head)).issues).toEqual([]);
    expect(checked(reader)).toEqual({ again: false, rounds: 1 });
  });

  test('of a failed edit are verified too, and those of the file stay cached', () => {
    const reader = createBookFileParser();
    const text = book([right(1), wrong(2)]);
    reader.parse(text);
    reader.parse(book([right(1)]));
    expect(checked(reader).again).toBe(true);
    expect(reader.parse(text).issues).toHaveLength(1);
  });

  test('are verified only for EVM addresses, with any spaces and prefix', () => {
    const aptos = `0x${wrong(1).slice(2)}${'aB'.repeat(12)}`;
    const text = book([aptos, ` 0X${right(2).slice(2)} `, right(3).toUpperCase().replace('0X', '0x')]);
    expect(parseBookFile(text).issues).toEqual([]);
    expect(parseBookFile(book([` 0X${wrong(2).slice(2)} `])).issues).toHaveLength(1);
  });
});

describe('editBookFile', () => {
  test.each([
    ['"trust": "spam"', '"mark": "verified"'],
    ['"mark": "spam", "trust": "verified"', '"mark": "verified"'],
  ])('changes and clears a verdict that is written as %s', (written, changed) => {
    const text = `{ "addresses": [{ "address": "${addressOf(1)}", "name": "One", ${written} }] }`;
    const first = parseBookFile(text).state.entries[0] as Entry;
    expect(first.trust).toBe('spam');
    const edit = (trust: Entry['trust']) =>
      editBookFile(text, { ...emptyChange, updates: new Map([[0, { ...first, trust }]]) });
    expect(edit('verified')).toBe(text.replace(written, changed));
    expect(edit(null)).toBe(text.replace(`, ${written}`, ''));
  });

  test('changes one field and nothing else', () => {
    const [first] = parseBookFile(sample).state.entries;
    if (first === undefined) throw new Error('no entry');
    const after = editBookFile(sample, { ...emptyChange, updates: new Map([[0, { ...first, name: 'Safe "1"' }]]) });
    expect(after).toBe(sample.replace('"Treasury"', '"Safe \\"1\\""'));
  });

  test('adds and removes fields in the style of the entry', () => {
    const [first, second] = parseBookFile(sample).state.entries;
    if (first === undefined || second === undefined) throw new Error('no entry');
    const updates = new Map([
      [0, { ...first, tags: [], notes: 'two\nlines' }],
      [1, { ...second, color: 'red' as const, folder: 'a/b' }],
    ]);
    const after = editBookFile(sample, { ...emptyChange, updates });
    expect(after).toContain('            "since": 2021,\n            "notes": "two\\nlines"\n        }, // pays all');
    expect(after).not.toContain('"cold"');
    expect(after).toContain(
      '/* the old one */ { "address": "0x00000000000000000000000000000000000000a2", "name": "Old", "folder": "a/b", "color": "red" },',
    );
  });

  test('removes an entry with its line and the comment after it', () => {
    const after = editBookFile(sample, { ...emptyChange, removals: new Set([0]) });
    expect(after).toContain('        // Money\n        /* the old one */ {');
    expect(after).not.toContain('pays all');
    expect(names(after)).toEqual(['Old', 'Feed']);
  });

  test('removes the last entry without leaving a comma', () => {
    const after = editBookFile(sample, { ...emptyChange, removals: new Set([2]) });
    expect(after).toContain('"name": "Old" }\n        // more to come\n    ]');
    expect(parse(after, [], { allowTrailingComma: false })).toBeTruthy();
  });

  test('appends an entry and preserves Windows line ends and tabs', () => {
    const text = sample.replaceAll('\n', '\r\n').replaceAll('    ', '\t');
    const entry = parseEntry({ address: addressOf(9), name: 'New' });
    const after = editBookFile(text, { ...emptyChange, additions: [entry] });
    expect(after).toContain(
      `"chains": ["eth"] },\r\n\t\t// more to come\r\n\t\t{ "address": "${addressOf(9)}", "name": "New" }\r\n\t]`,
    );
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('a random change to a random file gives the same state as applyChange, and no comment is lost', () => {
    fc.assert(
      fc.property(entries({ maxLength: 8 }), fc.boolean(), fc.context(), anyChange(), (list, lines, context, make) => {
        const start = editBookFile(
          lines ? '{\n\t"addresses": [\n\t\t{\n\t\t\t"x": 1\n\t\t}\n\t]\n}' : '// head\n{}\n',
          {
            ...emptyChange,
            additions: list,
          },
        );
        // Comments on lines of their own, around entries rather than in them: none may get lost.
        const marked = start
          .split('\n')
          .map((line, at) =>
            at === 0 || !/^(\t{1,2}| {2,4})[{\]"]/.test(line) ? line : `/* c${at} */ // d${at}\n${line}`,
          )
          .join('\n');
        const before = parseBookFile(marked);
        expect(before.state.entries).toEqual(list);
        const change: AddressBookChange = make(before.state);
        const after = editBookFile(marked, change);
        context.log(`${marked}\n---\n${after}`);
        const read = parseBookFile(after);
        const wanted = applyChange(before.state, change);
        expect(read.readOnlyReason).toBeNull();
        expect(read.state.entries).toEqual(wanted.entries);
        expect(new Set(read.state.folders)).toEqual(new Set(wanted.folders));
        for (const [at] of marked.split('\n').entries())
          if (marked.includes(`/* c${at} */`)) expect(after).toContain(`/* c${at} */ // d${at}`);
      }),
      { seed: 6, numRuns: scaleRounds(50) },
    );
  });
});

describe('a damaged file', () => {
  const long = `// head\n{\n  "addresses": [\n${Array.from(
    { length: 20 },
    (_, at) => `    { "address": "${addressOf(at + 1)}", "name": "N${at}" }${at < 19 ? ',' : ''} // c${at}`,
  ).join('\n')}\n  ],\n  "theirs": { "a": [1] }\n}\n`;
  const place = fc.nat({ max: long.length - 1 });
  const damaged = fc.oneof(
    place.map(at => long.slice(0, at)),
    fc.tuple(place, fc.nat({ max: 60 })).map(([at, length]) => long.slice(0, at) + long.slice(at + length)),
    fc
      .tuple(place, fc.constantFrom(...'{}[]",:\\/*\n0x'))
      .map(([at, char]) => long.slice(0, at) + char + long.slice(at)),
    fc.tuple(place, place, fc.boolean()).map(([a, b, crlf]) => {
      const lines = long.split('\n');
      const [from, to] = [a % lines.length, b % lines.length].sort((x, y) => x - y);
      const ours = lines.slice(from, to);
      const marked = ['<<<<<<< HEAD', ...ours, '||||||| base', '=======', ...ours.slice(1), '>>>>>>> feature'];
      return [...lines.slice(0, from), ...marked, ...lines.slice(to)].join(crlf ? '\r\n' : '\n');
    }),
  );

  /** Whether every character of `before` is in `after`, in the same order. */
  const onlyAdded = (before: string, after: string) => {
    let at = 0;
    for (const char of after) if (char === before[at]) at++;
    return at === before.length;
  };

  test('is reported and read-only, or takes a new entry without losing a character', () => {
    const fresh = parseEntry({ address: addressOf(999), name: 'Fresh' });
    let [locks, writes] = [0, 0];
    fc.assert(
      fc.property(damaged, text => {
        const before = parseBookFile(text);
        for (const { offset, length, message } of before.issues) {
          expect(message).not.toBe('');
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
        if (before.readOnlyReason !== null) {
          locks++;
          expect(before.issues.length).toBeGreaterThan(0);
          return;
        }
        writes++;
        const after = editBookFile(text, { ...emptyChange, additions: [fresh] });
        expect(parseBookFile(after).state.entries).toEqual([...before.state.entries, fresh]);
        expect(onlyAdded(text.replace(/\s/g, ''), after)).toBe(true);
      }),
      { seed: 12, numRuns: scaleRounds(125) },
    );
    expect(locks).toBeGreaterThan(50);
    expect(writes).toBeGreaterThan(10);
  });

  test('with merge conflicts has one issue per conflict, and both sides are read', () => {
    const side = (name: string) => `    { "address": "${addressOf(1)}", "name": "${name}" },\n`;
    const merge = (at: number) =>
      `<<<<<<< HEAD\n${side(`Ours ${at}`)}||||||| 1234567\n=======\n${side(`Theirs ${at}`)}>>>>>>> 89abcde (commit)\n`;
    const text = `{\n  "addresses": [\n${merge(1)}${merge(2)}  ]\n}\n`;
    const { issues, state, readOnlyReason } = parseBookFile(text);
    const marks = issues.filter(({ severity }) => severity === 'error');
    expect(marks.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual([
      merge(1).trimEnd(),
      merge(2).trimEnd(),
    ]);
    for (const { message } of marks) expect(message).toMatch(/keep one side/);
    expect(readOnlyReason).toMatch(/fix what the Problems view lists/);
    expect(state.entries.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Ours 1', 'Theirs 1', 'Ours 2', 'Theirs 2']),
    );
  });
});

describe('the fast path for plain JSON', () => {
  test('gives the same result as the slow path, which a comment forces', () => {
    const entries = [
      { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', name: 'One', tags: ['a'], folder: 'A/B' },
      { address: `0x${'12'.repeat(20)}`, name: 'Two', kind: 'contract', chains: ['eth'] },
      { address: `0x${'12'.repeat(20)}`, name: 'Two elsewhere', chains: ['polygon'] },
    ];
    const text = JSON.stringify({ version: 1, folders: ['C', 'C', ''], addresses: entries }, null, 2);
    const plain = parseBookFile(text);
    expect(plain.state.entries).toHaveLength(3);
    expect(parseBookFile(`// ours\n${text}`)).toEqual(plain);
    expect(parseBookFile('{"__proto__": {"addresses": 5}}')).toEqual(parseBookFile('{"__proto__": {"addresses": 5},}'));
  });
});
