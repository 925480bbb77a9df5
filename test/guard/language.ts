// Words that this project does not use, because the field has its own, and the check of texts against them.

export interface Text {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** Words in lower case, each with what to write instead. Names in camelCase are split into their words first. */
export const forbiddenWords: Readonly<Record<string, string>> = {
  afresh: 'again; refresh, refetch',
  anew: 'again; refresh, restart',
  aside: 'quarantined, separately, in the worker thread',
  believe: 'trust, accept',
  believed: 'trusted, accepted, not detected',
  believes: 'trusts, accepts',
  door: 'controller, entry point',
  everybody: 'all callers, every client',
  heard: 'received, localized',
  hears: 'receives, is notified of',
  judge: 'validate, decide, check',
  judged: 'validated, decided, classified',
  judges: 'validates, decides, checks',
  judging: 'validating, checking',
  kept: 'stored, cached, preserved, unchanged',
  mend: 'fix, repair',
  mended: 'fixed, repaired',
  mending: 'fix, repair',
  mends: 'fixes, repairs',
  nobody: 'no client, no caller, nothing',
  said: 'message; states, returned',
  shelf: 'address book state',
  somebody: 'the caller, the user, someone else’s',
  spoken: 'localized',
  stands: 'is, is located, means',
  told: 'notified, distinguished, passed',
  torn: 'reorged, incomplete, truncated',
  whoever: 'the caller, the client, the user',
  worded: 'localizable, phrased',
};

/** Phrases, matched without regard to case and line ends, each with what to write instead. */
export const forbiddenPhrases: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bgoes on\b/gi, 'continues'],
  [/\bgo on\b/gi, 'continue'],
  [/\blets? go of\b/gi, 'releases, disposes'],
  [/\bat all events\b/gi, 'in any case'],
  [/\b(?:is|are) asked\b/gi, 'is queried, used or requested'],
  [/[a-z]*(?:behavi|col|fav|flav|hon|lab|neighb)our[a-z]*/gi, 'American spelling: …or'],
  [
    /[a-z]*(?:[a-z]ar|al|an|as|at|dom|er|gn|il|im|in|it|on|or|rd|tom)is(?:e[drs]?|ing|ations?)\b/gi,
    'American spelling: …ize',
  ],
  [
    /[a-z]*(?:dial|fuel|initial|label|level|marshal|model|signal|travel|tunnel)l(?:ed|er|ing)\b/gi,
    'American spelling: one l',
  ],
  [
    /\b(?:analysed?|artefacts?|[a-z]*burnt|catalogues?|centre[ds]?|defence|dialogues?|fibres?|fulfils?|grey|judgement|learnt|licences?|metres?|offence|programmes?)\b/gi,
    'American spelling',
  ],
  [/\b(?:MOST|LEAST)_[A-Z0-9_]+\b/g, 'MAX_…, MIN_… with the unit at the end'],
];

export interface Allowed {
  /** A part of the line. */
  readonly line: string;
  readonly reason: string;
}

/** Lines that may hold such a word, because it is not ours. */
export const allowedLines: readonly Allowed[] = [
  { line: '- afresh, anew, aside,', reason: 'CONTRIBUTING lists the words that are refused.' },
  { line: '- "goes on", "lets go of",', reason: 'CONTRIBUTING lists the phrases that are refused.' },
  { line: "color: 'color colour',", reason: 'Other tools spell the column of a file so.' },
  { line: '"colour": 1', reason: 'A key of a file that users may misspell so.' },
  { line: "includes('colour')", reason: 'The same key.' },
  { line: 'colour: true', reason: 'A key of a setting that users may misspell so.' },
  { line: 'analyse', reason: 'The package scslre spells its function so.' },
];

export interface LanguageProblem {
  readonly path: string;
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

const splitCamelCase = (text: string) => text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');

const anyWord = new RegExp(`(?<![a-z])(?:${Object.keys(forbiddenWords).join('|')})(?![a-z])`);

/** A quick look at the whole text: most hold none. */
const mayHaveProblems = (text: string) =>
  anyWord.test(splitCamelCase(text).toLowerCase()) || forbiddenPhrases.some(([pattern]) => text.search(pattern) >= 0);

/** Every use of a forbidden word or phrase, in the order of the lines. */
export function findLanguageProblems({ path, text }: Text, allowed = allowedLines): readonly LanguageProblem[] {
  if (!mayHaveProblems(text)) return [];
  const isAllowed = (line: string) => allowed.some(entry => line.includes(entry.line));
  return text.split('\n').flatMap((line, index) => {
    if (isAllowed(line)) return [];
    const words =
      splitCamelCase(line)
        .toLowerCase()
        .match(/[a-z]+/g) ?? [];
    const problem = (word: string, instead: string) => ({ path, line: index + 1, word, instead });
    return [
      ...words.flatMap(word =>
        Object.hasOwn(forbiddenWords, word) ? [problem(word, forbiddenWords[word] ?? '')] : [],
      ),
      ...forbiddenPhrases.flatMap(([pattern, instead]) =>
        [...line.matchAll(pattern)].map(([word]) => problem(word, instead)),
      ),
    ];
  });
}

/** Names of exported functions and constants that end in `Of`, which does not tell what happens. */
export function findOfExports({ path, text }: Text): readonly string[] {
  return [...text.matchAll(/^export (?:async )?(?:const|function\*?) (\w+Of)\b/gm)].map(
    ([, name]) => `${path} ${name}`,
  );
}
