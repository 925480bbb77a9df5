// What the debug adapter can do, and how it names what it shows.
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugOpened, DebugScope, DebugSubstitution, SkippedContract } from '../../api/debugSession.ts';
import { localize, t } from '../../base/localize.ts';

// No `supportsDelayedStackTraceLoading`: where the outer frames stay the same, VS Code keeps the old ones and offers to load more.
export const getCapabilities = (): DebugProtocol.Capabilities => ({
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsDisassembleRequest: true,
  supportsInstructionBreakpoints: true,
  supportsReadMemoryRequest: true,
  supportsEvaluateForHovers: true,
  supportsDataBreakpoints: true,
  supportsExceptionInfoRequest: true,
  supportsGotoTargetsRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsTerminateRequest: true,
  supportsRestartRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: ['.'],
  exceptionBreakpointFilters: [
    { filter: 'reverts', label: t('Failure of the Transaction'), default: true },
    { filter: 'caughtReverts', label: t('Failures That Were Caught'), default: false },
  ],
});

export const getScopeNames = (): Readonly<Record<DebugScope, string>> => ({
  locals: t('Locals'),
  arguments: t('Arguments of the Call'),
  state: t('State Variables'),
  context: t('Message and Block'),
  machine: t('EVM'),
});

/** What the user should know from the beginning. `isUnoptimized`: an unoptimized build was asked for. */
export const describeSession = (
  { hasSource, withoutDeclarations, optimized, substitution, start }: DebugOpened,
  skipped: readonly SkippedContract[],
  isUnoptimized: boolean,
): readonly string[] => [
  ...(isUnoptimized ? [describeSubstitution(substitution, skipped)] : []),
  ...(start?.isCertain === false
    ? [
        t(
          'The place where you were is not certain in the unoptimized build: it begins at the nearest place before it that is.',
        ),
      ]
    : []),
  ...skipped.map(({ contract, reason }) => t('{0} stays optimized: {1}.', contract, localize(reason))),
  ...(hasSource
    ? []
    : [t('No build of the workspace has the code of this transaction: it can be followed by instructions.')]),
  ...(withoutDeclarations.length === 0
    ? []
    : [
        t(
          'The build of {0} does not say where variables are: HexLens: Build Debug Information adds that.',
          withoutDeclarations.join(', '),
        ),
      ]),
  ...(isUnoptimized || optimized.length === 0
    ? []
    : [
        t(
          'Compiled with the optimizer or via-IR, so that locals are not known: {0}. Debug Unoptimized Build in the debug toolbar shows them.',
          optimized.join(', '),
        ),
      ]),
];

function describeSubstitution(substitution: DebugSubstitution | null, skipped: readonly SkippedContract[]): string {
  if (substitution === null)
    return skipped.length > 0
      ? t('No unoptimized build could be used: you step in the code of the chain.')
      : t('No build of the workspace was optimized in this transaction: you step in the code of the chain.');
  return substitution.isUsed
    ? t(
        'Values are from an unoptimized build of {0}, which did the same; gas is that of the transaction.',
        substitution.contracts.join(', '),
      )
    : t('The unoptimized build is not used: {0}. You step in the code of the chain.', localize(substitution.reason));
}

/** Of the transaction in the call stack. */
export const getThreadName = (hash: string | null, substitution: DebugSubstitution | null): string => {
  const name = hash === null ? t('Simulated call') : t('Transaction {0}', hash);
  return substitution?.isUsed === true ? t('{0} (values from an unoptimized build)', name) : name;
};
