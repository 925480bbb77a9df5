// The language model tools: input is validated like a user's, and remote requests need a confirmation.
import {
  type CancellationToken,
  LanguageModelTextPart,
  LanguageModelToolResult,
  l10n,
  MarkdownString,
  type PreparedToolInvocation,
} from 'vscode';
import { type OperationId, operations } from '../../api/operations/operations.ts';
import { type InputTexts, toInputTexts } from '../../api/wire/inputTexts.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatFault } from '../../base/errors.ts';
import { isHash } from '../../base/hex.ts';
import { translate } from '../../base/localize.ts';
import { findSecretReason } from '../../view/checkDisclosure.ts';
import { parseLookUp } from '../../view/lookUp/parseLookUp.ts';
import { type CallReceivers, isLocalCall } from '../../view/tools/isLocalCall.ts';
import { lookUpText, NOTHING_TO_LOOK_UP, needsNode, type ToolChain } from '../../view/tools/lookUpText.ts';
import {
  createUnknownChainError,
  isChainNamed,
  parseToolChain,
  selectToolChains,
} from '../../view/tools/toolChains.ts';
import { formatToolResult } from '../../view/tools/toolResult.ts';
import { toAbortSignal } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { fetchAsJson } from '../operations/jsonResults.ts';

export type LanguageModelToolsDeps = Pick<FeatureDeps, 'worker' | 'settings'>;

export interface LanguageModelToolHandler {
  prepare(input: unknown): Promise<PreparedToolInvocation>;
  invoke(input: unknown, token: CancellationToken): Promise<LanguageModelToolResult>;
}

export type LanguageModelTools = Readonly<Record<'hexlens_lookup' | 'hexlens_call', LanguageModelToolHandler>>;

const createResult = (text: string) => new LanguageModelToolResult([new LanguageModelTextPart(text)]);

/** Faults become results, so that the model can correct its request. */
const toResult = (text: Promise<string>) =>
  text.then(createResult, error => createResult(`Failed: ${sanitizeText(formatFault(error), 600)}`));

const asRecord = (input: unknown): Readonly<Record<string, unknown>> =>
  input !== null && typeof input === 'object' ? (input as Readonly<Record<string, unknown>>) : {};

/** With the canonical selector of a named chain, which operations take. */
function readTexts(parameters: unknown): InputTexts {
  const texts = toInputTexts(asRecord(parameters));
  const chain = parseToolChain(texts['chain']);
  return chain === null ? texts : { ...texts, chain };
}

/** As a code block the text cannot show links in the confirmation. */
const toCodeBlock = (text: string) => new MarkdownString().appendCodeblock(sanitizeText(text, 2_000), 'text');

const isLocal = (chain: ToolChain): boolean => chain.isLocal;

export function createLanguageModelTools({ worker, settings }: LanguageModelToolsDeps): LanguageModelTools {
  /** Until then no chain counts as local. */
  const identifyChains = async (signal?: AbortSignal) => {
    await Promise.all(worker.chains().map(({ selector }) => worker.identifyChain(selector, signal)));
  };

  const getChains = () => worker.chains().map(({ selector, isLocal }) => ({ selector, isLocal }));

  const lookup: LanguageModelToolHandler = {
    async prepare(input) {
      await identifyChains();
      const { text, chain } = asRecord(input);
      const displayText = sanitizeText(String(text ?? ''), 200);
      if (findSecretReason([String(text ?? '')]) !== null)
        return { invocationMessage: l10n.t('Looking up {0}', displayText) };
      const lookUps = parseLookUp(String(text ?? '')).filter(needsNode);
      const hasEns = lookUps.some(({ kind }) => kind === 'ens');
      const chains = selectToolChains(getChains(), hasEns ? 'eth' : chain, isLocal);
      const remoteChains = lookUps.length === 0 ? [] : chains.filter(({ isLocal }) => !isLocal);
      return {
        invocationMessage: l10n.t('Looking up {0}', displayText),
        ...(remoteChains.length > 0 && {
          confirmationMessages: {
            title: l10n.t('Look this up on {0}?', remoteChains.map(({ selector }) => selector).join(', ')),
            message: toCodeBlock(displayText),
          },
        }),
      };
    },
    invoke(input, token) {
      const { text, chain } = asRecord(input);
      const { signal } = toAbortSignal(token);
      const run = async () => {
        await identifyChains(signal);
        const chains = selectToolChains(getChains(), chain, isLocal);
        if (chains.length === 0 && isChainNamed(chain)) throw createUnknownChainError(chain, getChains());
        if (chains.length === 0) return 'No chain has a node (setting hexlens.nodes).';
        const deps = { chains, isUserRequested: true, lookup: worker.lookup };
        const results = await lookUpText(String(text ?? ''), deps, signal);
        return results.length === 0 ? NOTHING_TO_LOOK_UP : formatToolResult(results);
      };
      return toResult(run());
    },
  };

  const getReceivers = (id: OperationId): CallReceivers => {
    const { mode, baseUrl } = settings.current()[operations[id].group];
    const networks = Object.values(settings.configuration().aptos ?? {});
    return {
      host: mode === 'remote' ? baseUrl : null,
      chains: worker.chains(),
      aptosUrls: networks.flatMap(({ node, indexer }) => [node, indexer]).filter(url => url !== null),
    };
  };

  const call: LanguageModelToolHandler = {
    async prepare(input) {
      await identifyChains();
      const { operation, parameters } = asRecord(input);
      if (typeof operation !== 'string' || !Object.hasOwn(operations, operation))
        return { invocationMessage: l10n.t('Calling an operation') };
      const id = operation as OperationId; // an own key of the table
      const texts = readTexts(parameters);
      const title = translate(operations[id].title);
      return {
        invocationMessage: l10n.t('Calling {0}', title),
        ...(!isLocalCall(id, texts, getReceivers(id)) && {
          confirmationMessages: {
            title: l10n.t('Query a node or host for "{0}"?', title),
            message: toCodeBlock(JSON.stringify(texts)),
          },
        }),
      };
    },
    invoke(input, token) {
      const { operation, parameters } = asRecord(input);
      const run = async () => {
        if (typeof operation !== 'string' || !Object.hasOwn(operations, operation))
          return `There is no such operation. Operations: ${Object.keys(operations).join(', ')}.`;
        const id = operation as OperationId; // an own key of the table
        const { signal } = toAbortSignal(token);
        const texts = readTexts(parameters);
        const secret = findSecretReason(Object.values(texts).flat().filter(isHash));
        if (secret !== null) return `Refused: ${secret}`;
        return formatToolResult(JSON.parse(await fetchAsJson(worker.transport, id, texts, signal)));
      };
      return toResult(run());
    },
  };
  return { hexlens_lookup: lookup, hexlens_call: call };
}
