// The language-model tools: what a model asks is judged like a person's input, and nothing leaves this machine unasked.

import {
  type CancellationToken,
  LanguageModelTextPart,
  LanguageModelToolResult,
  l10n,
  MarkdownString,
  type PreparedToolInvocation,
} from 'vscode';
import { parseChainSelector } from '../../api/chains.ts';
import { type OperationId, operations } from '../../api/operations/operations.ts';
import type { InputTexts } from '../../api/wire/inputTexts.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatFault } from '../../base/errors.ts';
import { translate } from '../../base/localize.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';
import { getPrivacyVerdict } from '../../detect/privacy.ts';
import { type LookUpMeaning, parseLookUp } from '../../view/lookUp/parseLookUp.ts';
import { formatToolResult } from '../../view/tools/toolResult.ts';
import { fetchAsJson } from '../operations/jsonResults.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface LanguageModelToolsDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
}

export interface LanguageModelToolHandler {
  prepare(input: unknown): PreparedToolInvocation;
  invoke(input: unknown, token: CancellationToken): Promise<LanguageModelToolResult>;
}

export type LanguageModelTools = Readonly<Record<'hexlens_lookup' | 'hexlens_call', LanguageModelToolHandler>>;

const MOST_READINGS = 3;

const result = (text: string) => new LanguageModelToolResult([new LanguageModelTextPart(text)]);

/** Faults are answers too: a model can mend its question. */
const said = (work: Promise<string>) =>
  work.then(result, error => result(`Not answered: ${sanitizeText(formatFault(error), 600)}`));

function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

const fieldsOf = (input: unknown): Readonly<Record<string, unknown>> =>
  input !== null && typeof input === 'object' ? (input as Readonly<Record<string, unknown>>) : {};

/** Code, so that nothing in it is a link or an instruction to the person who confirms. */
const code = (text: string) => new MarkdownString().appendCodeblock(sanitizeText(text, 2_000), 'text');

/** Models write numbers and booleans where the wire has text. */
function textsOf(parameters: unknown): InputTexts {
  const text = (value: unknown) => (typeof value === 'string' ? value : String(value));
  return Object.fromEntries(
    Object.entries(fieldsOf(parameters))
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(text) : text(value)]),
  );
}

export function createLanguageModelTools({ backend, settings }: LanguageModelToolsDeps): LanguageModelTools {
  /** The chains of a question: the one it names, else all that are on this machine, else the first. */
  function chainsFor(named: unknown): readonly { readonly selector: string; readonly local: boolean }[] {
    const chains = backend.chains();
    const wanted = typeof named === 'string' && named !== '' ? parseChainSelector(named) : null;
    if (wanted !== null) return chains.filter(({ selector }) => selector === wanted);
    const local = chains.filter(chain => chain.local);
    return local.length > 0 ? local : chains.slice(0, 1);
  }

  const subjectText = (reading: LookUpMeaning): boolean =>
    reading.kind === 'address' || reading.kind === 'hash' || reading.kind === 'block' || reading.kind === 'ens';

  async function lookUp(reading: LookUpMeaning, chain: { selector: string; local: boolean }, signal: AbortSignal) {
    switch (reading.kind) {
      case 'address':
        return backend.lookup('addressSummary', { chain: chain.selector, address: reading.address }, signal);
      case 'hash': {
        const facts = { loopbackOnly: chain.local, userAsked: true };
        const { decision: answer, reason } = getPrivacyVerdict(reading.subject, facts);
        if (answer !== 'yes') return { kind: 'refused', reason };
        return backend.lookup('hashSummary', { chain: chain.selector, hash: reading.hash }, signal);
      }
      case 'block':
        return backend.lookup('blockSummary', { chain: chain.selector, block: reading.block }, signal);
      case 'ens':
        return backend.lookup('ensAddress', { chain: 'eth', name: reading.name }, signal);
      default:
        return reading;
    }
  }

  const lookup: LanguageModelToolHandler = {
    prepare(input) {
      const { text, chain } = fieldsOf(input);
      const shown = sanitizeText(String(text ?? ''), 200);
      const asks = parseLookUp(String(text ?? '')).filter(subjectText);
      const ens = asks.some(({ kind }) => kind === 'ens');
      const chains = ens ? backend.chains().filter(({ selector }) => selector === 'eth') : chainsFor(chain);
      const away = asks.length === 0 ? [] : chains.filter(({ local }) => !local);
      return {
        invocationMessage: l10n.t('Looking up {0}', shown),
        ...(away.length > 0 && {
          confirmationMessages: {
            title: l10n.t('Look this up on {0}?', away.map(({ selector }) => selector).join(', ')),
            message: code(shown),
          },
        }),
      };
    },
    invoke(input, token) {
      const { text, chain } = fieldsOf(input);
      const readings = parseLookUp(String(text ?? '')).slice(0, MOST_READINGS);
      const chains = chainsFor(chain);
      const signal = signalOf(token);
      const work = async () => {
        if (readings.length === 0)
          return 'This is no address, hash, block number, ENS name, selector or explorer link that HexLens can read.';
        const answers = await Promise.all(
          readings.flatMap(reading =>
            (subjectText(reading) && reading.kind !== 'ens' ? chains : [{ selector: 'eth', local: false }]).map(one =>
              lookUp(reading, one, signal).catch(error => ({ kind: 'problem', problem: formatFault(error) })),
            ),
          ),
        );
        if (answers.length === 0) return 'No node is configured for that chain (setting hexlens.nodes).';
        return formatToolResult(
          answers.map(answer => Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'subject'))),
        );
      };
      return said(work());
    },
  };

  /** Whether a call of this group stays on this machine. */
  function staysHere(id: OperationId, texts: InputTexts): boolean {
    const { group } = operations[id];
    const { mode, baseUrl } = settings.current()[group];
    if (mode === 'remote') return isLoopbackUrl(baseUrl);
    if (group === 'aptos') {
      const networks = Object.values(settings.configuration().aptos ?? {});
      return networks.every(({ node, indexer }) => [node, indexer].every(url => url === null || isLoopbackUrl(url)));
    }
    const named = typeof texts['chain'] === 'string' ? parseChainSelector(texts['chain']) : null;
    const chains = backend.chains();
    // Sign-in may ask a node for a contract wallet's word; a chain that is not named may be any of them.
    const asked = named === null ? chains : chains.filter(({ selector }) => selector === named);
    return asked.every(({ local }) => local);
  }

  const call: LanguageModelToolHandler = {
    prepare(input) {
      const { operation, parameters } = fieldsOf(input);
      if (typeof operation !== 'string' || !Object.hasOwn(operations, operation))
        return { invocationMessage: l10n.t('Calling an operation') };
      const id = operation as OperationId; // its own key of the table
      const texts = textsOf(parameters);
      const title = translate(operations[id].title);
      return {
        invocationMessage: l10n.t('Calling {0}', title),
        ...(!staysHere(id, texts) && {
          confirmationMessages: {
            title: l10n.t('Ask a node or host for "{0}"?', title),
            message: code(JSON.stringify(texts)),
          },
        }),
      };
    },
    invoke(input, token) {
      const { operation, parameters } = fieldsOf(input);
      const work = async () => {
        if (typeof operation !== 'string' || !Object.hasOwn(operations, operation))
          return `There is no such operation. There are: ${Object.keys(operations).join(', ')}.`;
        const id = operation as OperationId; // its own key of the table
        return formatToolResult(
          JSON.parse(await fetchAsJson(backend.transport, id, textsOf(parameters), signalOf(token))),
        );
      };
      return said(work());
    },
  };
  return { hexlens_lookup: lookup, hexlens_call: call };
}
