// What the debug adapter can do, and how it names what it shows.
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugOpened, DebugScope } from '../../api/debugSession.ts';
import { t } from '../../base/localize.ts';

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
  supportsDelayedStackTraceLoading: true,
  supportsTerminateRequest: true,
  supportsRestartRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
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

/** What the user should know from the beginning. */
export const describeSession = ({ hasSource, withoutDeclarations }: DebugOpened): readonly string[] => [
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
];
