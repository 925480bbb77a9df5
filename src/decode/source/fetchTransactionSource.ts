// Finds the lines of a transaction: which builds of the project its codes are of, and what the service finds with them.
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { MatchedCode, TracedCode, TransactionSource } from '../../api/transactionStack.ts';
import type { Hex } from '../../base/hex.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import type { BuildProblem } from './sourceBuild.ts';
import type { SourceBuilds } from './sourceBuilds.ts';

/** The lookups of the service that it needs. */
export interface SourceLookups {
  tracedCodes(input: TraceTarget): Promise<readonly TracedCode[]>;
  transactionSource(
    input: TraceTarget & { readonly builds: readonly MatchedCode[]; readonly hasInternalCalls?: boolean },
  ): Promise<TransactionSource>;
}

/** Why the lines of some code are not known. */
export type UnmatchedCode =
  /** No artifact of the project has this code. */
  | { readonly kind: 'noBuild' }
  /** Contracts of several sources have this code. */
  | { readonly kind: 'ambiguous' }
  | BuildProblem;

export interface FoundTransactionSource extends TransactionSource {
  /** By hash of the code. */
  readonly unmatched: ReadonlyMap<Hex, UnmatchedCode>;
  /** Files that were edited after the build, and whose text the build does not have: they have no lines. */
  readonly lostSources: readonly string[];
}

/** `null`: no code of the transaction is of a build of the project. Rejects as the lookups do. */
export async function fetchTransactionSource(
  lookups: SourceLookups,
  builds: SourceBuilds,
  target: TraceTarget,
  { hasInternalCalls }: { readonly hasInternalCalls: boolean } = { hasInternalCalls: false },
): Promise<FoundTransactionSource | null> {
  const matched: MatchedCode[] = [];
  const unmatched = new Map<Hex, UnmatchedCode>();
  for (const { hash, code, isCreation } of await lookups.tracedCodes(target)) {
    const found = await builds.find(code, isCreation);
    if (found === null) unmatched.set(hash, { kind: 'noBuild' });
    else if (found === 'ambiguous') unmatched.set(hash, { kind: 'ambiguous' });
    else if ('problem' in found.read) unmatched.set(hash, found.read.problem);
    else matched.push({ hash, isCreation, build: found.read.build });
  }
  if (matched.length === 0) {
    const isOther = [...unmatched.values()].every(({ kind }) => kind === 'noBuild');
    return isOther ? null : { stack: null, calls: [], unmatched, lostSources: [] };
  }
  const lost = matched.flatMap(({ build }) =>
    build.sources.filter(({ text, isChanged }) => text === null && isChanged),
  );
  return {
    ...(await lookups.transactionSource({ ...target, builds: matched, hasInternalCalls })),
    unmatched,
    lostSources: [...new Set(lost.map(({ file, path }) => file ?? path))],
  };
}

function describeUnmatched(code: UnmatchedCode): LocalizableText | null {
  switch (code.kind) {
    case 'noBuild':
      return null; // most transactions call contracts of others
    case 'ambiguous':
      return localizable('Several contracts of the project have the same code: it has no lines.');
    case 'missingFile':
      return localizable('{0} is missing: build the project again for lines.', code.path);
    case 'ambiguousSourceIds':
      return localizable('The build does not say which sources it is of: build the project again for lines.');
    case 'noSourceMap':
      return localizable('The build has no source map: build the project again for lines.');
    case 'otherCompiler':
      return localizable('Code of the compiler {0} has no lines: only those of solc are read.', code.compiler);
  }
}

/** What a reader should know of the lines of a transaction. */
export function getSourceNotes({ stack, unmatched, lostSources }: FoundTransactionSource): readonly LocalizableText[] {
  const locations = stack?.frames.flatMap(({ location }) => location ?? []) ?? [];
  const edited = new Set(locations.flatMap(({ isChanged, file, source }) => (isChanged ? [file ?? source] : [])));
  const notes = [...unmatched.values()].flatMap(code => describeUnmatched(code) ?? []);
  if (edited.size > 0)
    notes.push(localizable('{0} was edited after its build: lines are those of the build.', [...edited].join(', ')));
  if (lostSources.length > 0)
    notes.push(
      localizable(
        '{0} was edited after its build, which has no text: build and deploy again for lines.',
        lostSources.join(', '),
      ),
    );
  return notes;
}
