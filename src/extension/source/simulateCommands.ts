// Simulates calls: prompts for them, or takes them from a transaction, a page or the text of a failed call, and shows the page.

import { commands, l10n, type QuickPickItem, window } from 'vscode';
import { listWords } from '../../api/parseSimulationJson.ts';
import type { Simulation } from '../../api/traceTarget.ts';
import { formatFault, HexLensError, isFault } from '../../base/errors.ts';
import { type Hex, isAddress, isHex } from '../../base/hex.ts';
import { localize } from '../../base/localize.ts';
import { type AbiItem, formatDeclaration, getAbiFields } from '../../decode/abiItem.ts';
import { formatFieldType } from '../../decode/abiType.ts';
import { decodeFunctionData } from '../../decode/decodeAbi.ts';
import { encodeCall, getArgumentName, validateArgument } from '../../decode/encodeCall.ts';
import { parseFunctionDeclaration } from '../../decode/functionDeclaration.ts';
import { toPlainValues } from '../../decode/plainValues.ts';
import { parseSimulation, toSimulation } from '../../decode/simulationInput.ts';
import { getDevelopmentAccounts } from '../../detect/developmentAccounts.ts';
import { commandIds } from '../../manifest/commands.ts';
import { parseInspectorTarget } from '../../protocol/inspectorTarget.ts';
import { getConfiguredTitle } from '../../view/chainTitle.ts';
import { findSecretReason } from '../../view/checkDisclosure.ts';
import { findFailedTransaction, parseFailedCall } from '../../view/source/parseFailedCall.ts';
import { findContractFunctions } from '../abi/contractFunctions.ts';
import { identifyContract } from '../abi/identifyContract.ts';
import { readTerminalSelection } from '../editor/readTerminalSelection.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showErrorMessage, showInformationMessage, withCancelButton } from '../prompts/showMessage.ts';
import { isDevelopmentNode } from '../worker/configuredChains.ts';

export type SimulateDeps = Pick<FeatureDeps, 'abis' | 'book' | 'worker'>;

/** The user left a prompt. */
class Dismissed extends Error {}

/** What is prompted for, with what it begins with. */
type Draft = Partial<Pick<Simulation, 'from' | 'to' | 'data' | 'value' | 'block' | 'gas'>>;

export class SimulateCommands {
  readonly #deps: SimulateDeps;

  constructor(deps: SimulateDeps) {
    this.#deps = deps;
  }

  /** `argument`: a page's target, whose call is the first proposal; prompts for everything without one. */
  async simulate(argument: unknown): Promise<void> {
    await this.#run(async () => {
      const target = parseInspectorTarget(argument);
      const chain = target !== null && target.kind !== 'operation' ? target.chain : await this.#promptChain();
      const draft: Draft =
        target?.kind === 'transaction'
          ? await this.#fetchDraft(chain, target.hash as Hex)
          : target?.kind === 'simulation'
            ? target.simulation
            : target?.kind === 'address'
              ? { to: target.address as Hex }
              : {};
      await this.#open(chain, await this.#prompt(chain, draft));
    });
  }

  /** Of the selection in editor or terminal, or of a text that the user enters. */
  async debugFailedCall(): Promise<void> {
    await this.#run(async () => {
      const text = (await this.#readSelection()) ?? (await this.#promptText());
      const call = parseFailedCall(text);
      const hash = call === null ? findFailedTransaction(text) : null;
      if (hash !== null) return void (await commands.executeCommand(commandIds.debugTransaction, { hash }));
      if (call === null) {
        void showInformationMessage(
          l10n.t(
            'This text has no call: it must name the contract and its data, as nodes print them with from, to and data, or a failed transaction.',
          ),
        );
        return;
      }
      const chain = await this.#promptChain();
      const simulation = await this.#open(chain, call);
      await commands.executeCommand(commandIds.debugTransaction, { chain, simulation });
    });
  }

  async #run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Dismissed || isFault(error, 'cancelled')) return;
      void showErrorMessage(formatFault(error));
    }
  }

  /** Runs the call, and shows its page: it stays the same, as the block that it is in is known then. */
  async #open(chain: string, simulation: Simulation): Promise<Simulation> {
    const secret = findSecretReason(listWords(simulation));
    if (secret !== null) throw new HexLensError('bad-input', secret);
    const trace = await withCancelButton(l10n.t('Simulating the call'), signal =>
      this.#deps.worker.lookup('transactionTrace', { chain, simulation }, signal),
    );
    if (trace.kind === 'noTrace') throw new HexLensError('not-implemented', localize(trace.reason));
    const target = { kind: 'simulation', chain, simulation: trace.simulation ?? simulation } as const;
    await commands.executeCommand(commandIds.inspect, target);
    return target.simulation;
  }

  async #fetchDraft(chain: string, hash: Hex): Promise<Draft> {
    const { transaction } = await this.#deps.worker.lookup('nodeTransaction', { chain, hash });
    return (transaction === null ? null : toSimulation(transaction)) ?? {};
  }

  async #promptChain(): Promise<string> {
    const chains = await this.#deps.worker.identifyChains();
    const [first] = chains;
    if (first === undefined) throw new HexLensError('no-node', l10n.t('Connect a node first.'));
    if (chains.length === 1) return first.selector;
    const title = l10n.t('Simulate Call: Chain');
    const picked = await window.showQuickPick(
      chains.map(chain => ({ label: getConfiguredTitle(chain), selector: chain.selector })),
      { title, ignoreFocusOut: true },
    );
    if (picked === undefined) throw new Dismissed();
    return picked.selector;
  }

  async #prompt(chain: string, draft: Draft): Promise<Simulation> {
    const to = await this.#promptAddress(l10n.t('Simulate Call: Contract'), draft.to ?? '');
    const data = await this.#promptData(chain, to, draft.data);
    const from = await this.#promptSender(draft.from, chain);
    const value = await this.#promptText(
      l10n.t('Simulate Call: Value'),
      l10n.t('Amount that is sent along, such as 0, 5 gwei or 1.5 ether'),
      draft.value === undefined ? '0' : String(BigInt(draft.value)),
      text => this.#check({ value: text }),
    );
    const block = await this.#promptText(
      l10n.t('Simulate Call: Block'),
      l10n.t('It runs on the state after this block: a number, or latest'),
      String(draft.block ?? 'latest'),
      text => this.#check({ block: text }),
    );
    return parseSimulation({ from, to, data, value, block }, null);
  }

  /** What is wrong with one field, in a sentence. */
  #check(texts: Parameters<typeof parseSimulation>[0]): string | null {
    try {
      const address = `0x${'0'.repeat(40)}`;
      parseSimulation({ from: address, to: address, ...texts }, null);
      return null;
    } catch (error) {
      return formatFault(error);
    }
  }

  async #promptText(
    title = l10n.t('Debug Failed Call'),
    prompt = l10n.t('What was printed of the failed call, with from, to and data'),
    value = '',
    validateInput: (text: string) => string | null = text => (text.trim() === '' ? '' : null),
  ): Promise<string> {
    const text = await window.showInputBox({ title, prompt, value, validateInput, ignoreFocusOut: true });
    if (text === undefined) throw new Dismissed();
    return text.trim();
  }

  /** Saved addresses, development accounts, or any other that is typed. */
  async #promptAddress(title: string, value: string): Promise<string> {
    const { book } = this.#deps;
    const prompt = l10n.t('Address, or the name of a saved one');
    const resolve = (text: string): string => {
      const named = book.trustedEntries().filter(({ name }) => name.toLowerCase() === text.trim().toLowerCase());
      return named.length === 1 ? (named[0]?.address ?? text) : text.trim();
    };
    const text = await this.#promptText(title, prompt, value, typed =>
      isAddress(resolve(typed)) ? null : l10n.t('An address is 0x and 40 hex digits.'),
    );
    return resolve(text);
  }

  async #promptSender(value: string | undefined, chain: string): Promise<string> {
    const { worker, book } = this.#deps;
    const isDevelopment = isDevelopmentNode(await worker.identifyChain(chain));
    const saved = book.trustedEntries().filter(({ kind }) => kind !== 'aptos');
    const items: readonly QuickPickItem[] = [
      ...(value === undefined ? [] : [{ label: value, description: l10n.t('sender of this call') }]),
      ...(isDevelopment ? getDevelopmentAccounts().slice(0, 10) : []).map(({ address, name }) => ({
        label: address,
        description: name,
      })),
      ...saved.map(({ address, name }) => ({ label: address, description: name })),
      { label: OTHER, description: l10n.t('another address') },
    ];
    const title = l10n.t('Simulate Call: From');
    const placeHolder = l10n.t('Any address: nothing is signed, and no key is needed');
    const picked = await window.showQuickPick([...items], {
      title,
      placeHolder,
      matchOnDescription: true,
      ignoreFocusOut: true,
    });
    if (picked === undefined) throw new Dismissed();
    return picked.label === OTHER ? this.#promptAddress(title, '') : picked.label;
  }

  #findFunctions(chain: string, to: Hex): ReturnType<typeof findContractFunctions> {
    const { worker, abis, book } = this.#deps;
    const ports = {
      lookup: worker.lookup,
      loadAbis: () => abis.load(),
      identify: (on: string, address: Hex, signal?: AbortSignal) =>
        identifyContract(on, address, { worker, abis, book }, signal),
    };
    return withCancelButton(l10n.t('Reading the functions of the contract'), signal =>
      findContractFunctions(chain, to, ports, signal),
    );
  }

  /** A function of the contract with its arguments, a declaration, or calldata. */
  async #promptData(chain: string, to: string, data: Hex | undefined): Promise<string> {
    const { functions, writes, registry } = await this.#findFunctions(chain, to as Hex);
    const [decoded] = data === undefined ? [] : decodeFunctionData(registry, data);
    const toItem = (item: AbiItem, description: string) => ({ label: formatDeclaration(item), description, item });
    const others = [...writes, ...functions].filter(({ canonical }) => canonical !== decoded?.item.canonical);
    const items: readonly (QuickPickItem & { readonly item?: AbiItem })[] = [
      ...(decoded === undefined ? [] : [toItem(decoded.item, l10n.t('function of this call'))]),
      ...others.map(item => toItem(item, item.source)),
      { label: OTHER, description: l10n.t('another function, or calldata') },
    ];
    const title = l10n.t('Simulate Call: Function');
    const picked = await window.showQuickPick([...items], { title, matchOnDescription: true, ignoreFocusOut: true });
    if (picked === undefined) throw new Dismissed();
    const item = picked.item ?? (await this.#promptDeclaration(title, data ?? ''));
    if (typeof item === 'string') return item;
    const isSame = decoded !== undefined && decoded.item.canonical === item.canonical;
    return encodeCall(item, await this.#promptArguments(item, isSame ? toTexts(decoded.values) : []));
  }

  /** Calldata as it is, or the function that was declared. */
  async #promptDeclaration(title: string, value: string): Promise<AbiItem | string> {
    const prompt = l10n.t('A declaration such as transfer(address,uint256), or calldata as 0x hex');
    const isData = (text: string) => isHex(text) && text.length % 2 === 0;
    const text = await this.#promptText(title, prompt, value, typed =>
      isData(typed.trim()) || parseFunctionDeclaration(typed, '') !== null
        ? null
        : l10n.t('Write the function with its types, or whole bytes as 0x hex.'),
    );
    return isData(text) ? text : (parseFunctionDeclaration(text, '') ?? text);
  }

  async #promptArguments(item: AbiItem, values: readonly string[]): Promise<readonly string[]> {
    const args: string[] = [];
    for (const [index, field] of getAbiFields(item).entries()) {
      const name = `${getArgumentName(field, index)} (${formatFieldType(field)})`;
      const check = (text: string) => validateArgument(field, index, text) ?? findSecretReason([text]);
      args.push(await this.#promptText(`${item.name}: ${name}`, name, values[index] ?? '', check));
    }
    return args;
  }

  async #readSelection(): Promise<string | null> {
    const editor = window.activeTextEditor;
    const selected = editor === undefined ? '' : editor.document.getText(editor.selection);
    if (selected.trim() !== '') return selected;
    if (window.activeTerminal === undefined) return null;
    const text = await readTerminalSelection();
    return text === '' ? null : text;
  }
}

const OTHER = '…';

/** As they can be typed again. */
const toTexts = (values: Parameters<typeof toPlainValues>[0]): readonly string[] =>
  values.map(value => (typeof value.value === 'string' ? value.value : JSON.stringify(toPlainValues(value.value))));
