// What a transaction did by line and variable: which builds of the project its codes are of, and what the service finds with them.
import type { LookupOutput, SendLookup } from '../../api/lookups.ts';
import type { TraceTarget } from '../../api/traceTarget.ts';
import type { BuiltSource, TransactionSource, TransactionSourceOptions } from '../../api/transactionStack.ts';
import { type LocalizableText, localizable } from '../../base/localize.ts';
import type { MatchedCodes, SourceBuilds, UnmatchedCode } from './sourceBuilds.ts';

export interface FoundTransactionSource extends TransactionSource, Pick<MatchedCodes, 'unmatched'> {
  /** Files that were edited after the build, and whose text the build does not have: they have no lines. */
  readonly lostSources: readonly string[];
  /** Files outside of the project's folder whose text the build does not have either. */
  readonly missingSources?: readonly string[];
}

/** `null`: no code of the transaction is of a build of the project. Rejects as the lookups do. */
export async function fetchTransactionSource(
  lookup: SendLookup,
  builds: SourceBuilds,
  target: TraceTarget,
  options: TransactionSourceOptions = {},
): Promise<FoundTransactionSource | null> {
  const { matched, unmatched } = await builds.match(await lookup('tracedCodes', target), false);
  if (matched.length === 0) {
    const isOther = [...unmatched.values()].every(({ kind }) => kind === 'noBuild');
    return isOther ? null : { stack: null, calls: [], unmatched, lostSources: [] };
  }
  const lost = matched.flatMap(({ build }) => build.sources.filter(({ text }) => text === null));
  const list = (sources: readonly BuiltSource[]) => [...new Set(sources.map(({ file, path }) => file ?? path))];
  return {
    ...(await lookup('transactionSource', { ...target, ...options, builds: matched })),
    unmatched,
    lostSources: list(lost.filter(({ isChanged }) => isChanged)),
    missingSources: list(lost.filter(({ isChanged }) => !isChanged)),
  };
}

/** What it changed. `builds`: `null` where there is no project, so that nothing has a name. Rejects as the lookups do. */
export async function fetchStateChanges(
  lookup: SendLookup,
  builds: SourceBuilds | null,
  target: TraceTarget,
): Promise<LookupOutput<'stateChanges'>> {
  const matched = (await builds?.match(await lookup('tracedCodes', target), true))?.matched ?? [];
  return lookup('stateChanges', { ...target, builds: matched });
}

/** What its lines cost. `builds`: `null` where there is no project, so that the gas is of no line. Rejects likewise. */
export async function fetchTransactionGas(
  lookup: SendLookup,
  builds: SourceBuilds | null,
  target: TraceTarget,
): Promise<LookupOutput<'transactionGas'>> {
  const matched = (await builds?.match(await lookup('tracedCodes', target), false))?.matched ?? [];
  return lookup('transactionGas', { ...target, builds: matched });
}

/** Ignition of Hardhat 3 copies what the compiler got, but not what it returned. */
const isWithoutOutput = (code: UnmatchedCode): boolean =>
  code.kind === 'missingFile' && /(?:^|\/)deployments\/[^/]+\/build-info\/[^/]+\.output\.json$/.test(code.path);

const IGNITION_LINES = localizable(
  'Hardhat has built again with other settings since Ignition deployed: for lines build as it does, with npx hardhat build --build-profile production.',
);

function describeUnmatched(code: UnmatchedCode): LocalizableText | null {
  switch (code.kind) {
    case 'noBuild':
      return null; // most transactions call contracts of others
    case 'ambiguous':
      return localizable('Several contracts of the project have the same code: it has no lines.');
    case 'missingFile':
      // Of several folders of a workspace, the paths begin with the folder's index.
      return localizable('{0} is missing: build the project again for lines.', code.path.replace(/^\d+\//, ''));
    case 'ambiguousSourceIds':
      return localizable('The build does not say which sources it is of: build the project again for lines.');
    case 'noSourceMap':
      return localizable('The build has no source map: build the project again for lines.');
    case 'otherCompiler':
      return localizable('Code of the compiler {0} has no lines: only those of solc are read.', code.compiler);
  }
}

/** What a reader should know of the lines of a transaction. */
export function getSourceNotes({
  stack,
  unmatched,
  lostSources,
  missingSources = [],
}: FoundTransactionSource): readonly LocalizableText[] {
  const locations = stack?.frames.flatMap(({ location }) => location ?? []) ?? [];
  const edited = new Set(locations.flatMap(({ isChanged, file, source }) => (isChanged ? [file ?? source] : [])));
  const codes = [...unmatched.values()];
  const notes = codes.flatMap(code => (isWithoutOutput(code) ? [] : (describeUnmatched(code) ?? [])));
  if (codes.some(isWithoutOutput)) notes.push(IGNITION_LINES);
  if (edited.size > 0)
    notes.push(localizable('{0} was edited after its build: lines are those of the build.', [...edited].join(', ')));
  if (lostSources.length > 0)
    notes.push(
      localizable(
        '{0} was edited after its build, which has no text: build and deploy again for lines.',
        lostSources.join(', '),
      ),
    );
  if (missingSources.length > 0)
    notes.push(localizable('{0} is not in the folder of the project: it has no lines.', missingSources.join(', ')));
  return notes;
}
