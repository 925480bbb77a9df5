// HexLens: Read Contract: a contract, one of its read-only functions and its arguments; the inspector shows the result.

import { l10n, ProgressLocation, QuickPickItemKind, ThemeIcon } from 'vscode';
import { LOCAL_CHAIN } from '../../api/chains.ts';
import { checksumAddress } from '../../base/checksumAddress.ts';
import { systemClock } from '../../base/clock.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { type Hex, isAddress } from '../../base/hex.ts';
import { type AbiItem, getAbiFields } from '../../decode/abiItem.ts';
import { type AbiField, formatFieldType, parseAbiParameters } from '../../decode/abiType.ts';
import { getArgumentName, validateArgument } from '../../decode/encodeCall.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import { findConfiguredTitle } from '../../view/chainTitle.ts';
import { findContractFunctions } from '../abi/contractFunctions.ts';
import { type IdentifyContractDeps, identifyContract } from '../abi/identifyContract.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { type StepItem, showStep } from '../prompts/quickPickStep.ts';
import { showErrorMessage, withProgress } from '../prompts/showMessage.ts';
import { isAddressTreeNode } from '../sidebar/addressTreeNodes.ts';
import { getInspectorTarget } from '../sidebar/getInspectorTarget.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface ReadContractDeps extends IdentifyContractDeps {
  readonly worker: Pick<WorkerClient, 'chains' | 'identifyChains' | 'lookup'>;
  readonly book: Pick<AddressBook, 'findByAddress' | 'getName' | 'trustedEntries'>;
  /** Lets the user pick or type the address of a contract. */
  promptAddress(): Promise<string | undefined>;
}

type AddressTarget = Extract<InspectorTarget, { readonly kind: 'address' }>;

async function pickChain(address: string, { worker, book }: ReadContractDeps): Promise<string | undefined> {
  const configured = (await worker.identifyChains()).map(({ selector }) => selector);
  const saved = new Set(book.findByAddress(address.toLowerCase()).flatMap(({ chains }) => chains));
  const own = configured.filter(selector => saved.has(selector));
  const offered = own.length > 0 ? own : configured;
  const [first = LOCAL_CHAIN] = offered;
  if (offered.length < 2) return first;
  const picked = await showStep<string>({
    title: l10n.t('Read Contract'),
    placeholder: l10n.t('Select a chain'),
    back: false,
    createItems: typed =>
      offered
        .filter(selector => selector.includes(typed.trim().toLowerCase()))
        .map(selector => ({ selector, title: findConfiguredTitle(worker.chains(), selector) }))
        .map(({ selector, title }) => ({
          label: selector,
          description: title === selector ? '' : title,
          iconPath: new ThemeIcon('link'),
          result: selector,
        })),
  });
  return picked === 'back' ? undefined : picked;
}

/** Shorter waits show no progress. */
const PROGRESS_DELAY_MS = 500;

/** `undefined` when the user cancels, and when the node cannot tell, which a message says. */
async function findFunctions(
  { chain, address }: AddressTarget,
  deps: ReadContractDeps,
): Promise<readonly AbiItem[] | undefined> {
  const { worker, abis } = deps;
  const controller = new AbortController();
  const search = findContractFunctions(
    chain,
    address as Hex,
    {
      lookup: (id, input, signal) => worker.lookup(id, input, signal),
      loadAbis: () => abis.load(),
      identify: (on, of, signal) => identifyContract(on, of, deps, signal),
    },
    controller.signal,
  );
  const ended = search.then(
    () => true,
    () => true,
  );
  try {
    if (!(await Promise.race([ended, systemClock.sleep(PROGRESS_DELAY_MS).then(() => false)]))) {
      const title = l10n.t('Looking for the functions of the contract…');
      const progress = { location: ProgressLocation.Notification, title, cancellable: true } as const;
      await withProgress(progress, (_, token) => {
        token.onCancellationRequested(() => controller.abort());
        return ended;
      });
    }
    return (await search).functions;
  } catch (error) {
    if (!isFault(error, 'cancelled')) void showErrorMessage(`HexLens: ${formatFault(error)}`);
    return undefined;
  }
}

const formatFields = (fields: readonly AbiField[]): string =>
  fields.map(field => [formatFieldType(field), field.name].filter(word => word !== '').join(' ')).join(', ');

/** `null`: all of them. */
async function pickFunction(title: string, functions: readonly AbiItem[]): Promise<AbiItem | null | undefined> {
  const picked = await showStep<AbiItem | null>({
    title,
    placeholder: l10n.t('Select a function'),
    back: false,
    createItems(typed) {
      const filter = typed.trim().toLowerCase();
      const items: StepItem<AbiItem | null>[] = [];
      let source = '';
      for (const item of functions) {
        if (!item.canonical.toLowerCase().includes(filter)) continue;
        if (item.source !== source) items.push({ label: item.source, kind: QuickPickItemKind.Separator });
        source = item.source;
        items.push({
          label: `${item.name}(${formatFields(getAbiFields(item))})`,
          description: formatFields(parseAbiParameters(item.outputs ?? []) ?? []),
          iconPath: new ThemeIcon(item.inputs.length === 0 ? 'symbol-field' : 'symbol-method'),
          result: item,
        });
      }
      const all = { label: l10n.t('All Functions'), iconPath: new ThemeIcon('list-flat'), result: null };
      return filter === '' ? [all, ...items] : items;
    },
  });
  return picked === 'back' ? undefined : picked;
}

const getChoices = (
  { type }: AbiField,
  { book }: ReadContractDeps,
): readonly { readonly label: string; readonly value: string; readonly icon: string }[] => {
  if (type.kind === 'bool') return ['true', 'false'].map(value => ({ label: value, value, icon: 'circle-outline' }));
  if (type.kind !== 'address') return [];
  return book
    .trustedEntries()
    .filter(({ address }) => isAddress(address))
    .map(({ name, address }) => ({ label: name, value: checksumAddress(address), icon: 'bookmark' }));
};

function promptArgument(
  item: AbiItem,
  field: AbiField,
  index: number,
  value: string,
  deps: ReadContractDeps,
): Promise<string | 'back' | undefined> {
  const choices = getChoices(field, deps);
  return showStep<string>({
    title: `${item.name}: ${getArgumentName(field, index)}`,
    placeholder: l10n.t('Enter {0}.', formatFieldType(field)),
    position: { step: index + 1, of: item.inputs.length },
    back: true,
    value,
    createItems(typed) {
      const text = typed.trim();
      const problem = validateArgument(field, index, typed);
      const use = { description: l10n.t('Use this value'), iconPath: new ThemeIcon('check'), result: typed };
      const matching = choices.filter(choice =>
        `${choice.label}\n${choice.value}`.toLowerCase().includes(text.toLowerCase()),
      );
      const items: StepItem<string>[] = matching
        .filter(choice => problem !== null || choice.value !== text)
        .map(choice => ({
          label: choice.label,
          description: choice.value === choice.label ? '' : choice.value,
          iconPath: new ThemeIcon(choice.icon),
          result: choice.value,
        }));
      if (problem === null) return [{ label: text === '' ? l10n.t('(empty text)') : typed, ...use }, ...items];
      if (text === '') return items.length > 0 ? items : [{ label: problem, iconPath: new ThemeIcon('info') }];
      const message: StepItem<string> = { label: problem, iconPath: new ThemeIcon('error') };
      return matching.length === 0 ? [message] : [...items, message];
    },
  });
}

/** `'back'` before the first argument. */
async function promptArguments(item: AbiItem, deps: ReadContractDeps): Promise<readonly string[] | 'back' | undefined> {
  const fields = getAbiFields(item);
  const args = fields.map(() => '');
  for (let index = 0; index < fields.length; ) {
    const field = fields[index];
    if (field === undefined) break;
    const value = await promptArgument(item, field, index, args[index] ?? '', deps);
    if (value === undefined) return undefined;
    if (value === 'back') {
      if (index === 0) return 'back';
      index--;
    } else args[index++] = value;
  }
  return args;
}

async function getContract(argument: unknown, deps: ReadContractDeps): Promise<AddressTarget | undefined> {
  if (isAddressTreeNode(argument)) {
    const chains = deps.worker.chains().map(({ selector }) => selector);
    const target = getInspectorTarget(argument, chains);
    return target?.kind === 'address' ? target : undefined;
  }
  const address = typeof argument === 'string' && isAddress(argument) ? argument : await deps.promptAddress();
  const chain = address === undefined ? undefined : await pickChain(address, deps);
  return address === undefined || chain === undefined ? undefined : { kind: 'address', chain, address };
}

/** The page to open; `argument` is an address or a node of the Addresses view. Without it the user is prompted. */
export async function promptContractCall(
  argument: unknown,
  deps: ReadContractDeps,
): Promise<InspectorTarget | undefined> {
  const contract = await getContract(argument, deps);
  const functions = contract === undefined ? undefined : await findFunctions(contract, deps);
  if (contract === undefined || functions === undefined) return undefined;
  const { chain, address } = contract;
  const title = l10n.t('Read {0}', deps.book.getName(address, chain) ?? checksumAddress(address));
  for (;;) {
    // Without a known function, the tab takes declarations.
    const item = functions.length === 0 ? null : await pickFunction(title, functions);
    if (item === undefined) return undefined;
    if (item === null) return { ...contract, call: { signature: '', args: [] } };
    const args = await promptArguments(item, deps);
    if (args === undefined) return undefined;
    if (args !== 'back') return { ...contract, call: { signature: item.canonical, args } };
  }
}
