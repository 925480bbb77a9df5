// Values of state variables, constants and view functions of Solidity on the known deployments of their contract.

import { type CancellationToken, Hover, type Position, type TextDocument, workspace } from 'vscode';
import type { ContractCallResult } from '../../api/lookups.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isFault } from '../../base/errors.ts';
import { type Hex, toLowerHex } from '../../base/hex.ts';
import { type AbiItem, readAbi } from '../../decode/abiItem.ts';
import { getReturnedToken } from '../../decode/amountTokens.ts';
import { type DecodedItemFormat, formatReturnedValues, formatRevertData } from '../../decode/formatDecodedItem.ts';
import { readContractState } from '../../decode/source/contractState.ts';
import { type DeclaredValue, findDeclaredValue } from '../../decode/source/declaredValue.ts';
import {
  type FetchWords,
  type FormatValue,
  readConstant,
  readImmutable,
  readVariable,
} from '../../decode/source/readVariable.ts';
import type { SourceContract, SourceVariable } from '../../decode/source/solidityOutline.ts';
import { fromByteText, toByteText } from '../../decode/source/solidityTokens.ts';
import { getWellKnownName } from '../../detect/wellKnownName.ts';
import { toAmountUnit } from '../../protocol/amountUnits.ts';
import { findConfiguredTitle } from '../../view/chainTitle.ts';
import { toContractStateRow } from '../../view/source/contractStateRows.ts';
import { ShownValues } from '../../view/source/shownValues.ts';
import { renderSourceValues, type SourceValue, type ValueFailure } from '../../view/source/sourceValueHover.ts';
import { formatNamedValue, isTokenAmount } from '../../view/source/stateTable.ts';
import { toValueMembers, type ValueMember } from '../../view/source/valueMembers.ts';
import { createUnitSource } from '../abi/describeFailure.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { unlessCancelled, withAbortSignal } from '../editor/toAbortSignal.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { toHoverMarkdown } from '../hover/hoverMarkdown.ts';
import type { DeployedContract, DeployedContracts } from './deployedContracts.ts';
import type { DocumentOutlines } from './documentOutlines.ts';
import { collectStorageKeys, createFetchWords } from './storageKeys.ts';

export interface SourceValuesDeps extends Pick<FeatureDeps, 'abis' | 'worker'> {
  readonly contracts: DeployedContracts;
  readonly outlines: DocumentOutlines;
  readonly book: Pick<AddressBook, 'getName' | 'trustedEntries'>;
}

/** What a deployment has: a value, or why it has none; `null` where there is nothing to read. */
type ReadValue = StoredValue | ValueFailure | null;

/** `members`: of a mapping or a large array, of which `text` is a summary. */
interface StoredValue {
  readonly text: string;
  readonly members?: readonly ValueMember[];
  readonly hasMore?: boolean;
}

/** The variable of this name that this contract declares, not one of its bases. */
const isDeclaredAs =
  ({ name, contract }: DeclaredValue) =>
  (each: { readonly name: string; readonly contract: string }): boolean =>
    each.name === name && each.contract === contract.name;

const isFailure = (read: ReadValue | undefined, kind: ValueFailure['kind']): boolean =>
  read != null && 'kind' in read && read.kind === kind;

/** A constant whose text is its value. */
const LITERAL = /^(?:-?\d[\d_.]*|0x[\da-fA-F_]+|true|false|"[^"]*"|'[^']*')$/;

export class SourceValues implements Disposable {
  readonly #deps: SourceValuesDeps;
  readonly #shown = new ShownValues();
  readonly #connections: Disposable;

  constructor(deps: SourceValuesDeps) {
    this.#deps = deps;
    this.#connections = deps.worker.onDidChangeConnections(() => this.#shown.clear());
  }

  dispose(): void {
    this.#connections.dispose();
  }

  async provideHover(document: TextDocument, position: Position, token: CancellationToken): Promise<Hover | null> {
    if (workspace.getWorkspaceFolder(document.uri) === undefined) return null;
    const declared = this.#findDeclared(document, position);
    if (declared === null) return null;
    const render = async (signal: AbortSignal) => {
      const found = await this.#deps.contracts.find(document.uri, declared.contract.name, signal);
      const { contracts } = found;
      const values = await Promise.all(contracts.map(each => this.#read(each, declared, document, signal)));
      const [unasked, different] = [found.unasked, contracts.length > 0 ? [] : found.different].map(deployments =>
        deployments.map(each => ({
          ...each,
          chainTitle: findConfiguredTitle(this.#deps.worker.chains(), each.chain),
        })),
      );
      return renderSourceValues(values.flat(), unasked ?? [], different);
    };
    const text = await withAbortSignal(token, signal => unlessCancelled(render(signal), null));
    return text === null ? null : new Hover(toHoverMarkdown(text), document.getWordRangeAtPosition(position));
  }

  /** The values of state variables of a contract, by name; of what has none, such as mappings, the list is empty. */
  async readVariables(
    document: TextDocument,
    contract: SourceContract,
    variables: readonly SourceVariable[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly SourceValue[]>> {
    const { contracts } = await this.#deps.contracts.find(document.uri, contract.name, signal);
    const found = new Map(variables.map(({ name }) => [name, [] as SourceValue[]]));
    for (const deployment of contracts) {
      const values = await this.#readStoredValues(deployment, document, contract, variables, signal).catch(error => {
        if (isFault(error, 'cancelled')) throw error;
        return []; // those of other nodes are shown
      });
      for (const [name, value] of values) found.get(name)?.push(value);
    }
    return found;
  }

  async #readStoredValues(
    deployment: DeployedContract,
    document: TextDocument,
    contract: SourceContract,
    variables: readonly SourceVariable[],
    signal: AbortSignal,
  ): Promise<readonly (readonly [name: string, value: SourceValue])[]> {
    const { chain, address, name, isChanged } = deployment;
    const chainTitle = findConfiguredTitle(this.#deps.worker.chains(), chain);
    const { head: block } = await this.#deps.worker.lookup('chainStatus', { chain }, signal);
    const fetchWords = joinReads(this.#createFetchWords(deployment, block ?? undefined, signal));
    const stored = await Promise.all(
      variables.map(variable =>
        this.#readStored(
          deployment,
          { name: variable.name, contract, variable, start: 0, end: 0 },
          document,
          fetchWords,
        ),
      ),
    );
    // Without names of variables, those that are public are what their getters return.
    const getters = variables.map(({ name: of, isPublic }, index) =>
      isPublic && isFailure(stored[index], 'noNames') ? findGetter(deployment, of) : null,
    );
    const called = await this.#call(deployment, getters, block ?? undefined, signal);
    return variables.flatMap((variable, index) => {
      const read = called[index] ?? stored[index] ?? null;
      if (read === null || !('text' in read)) return [];
      const place = { chain, chainTitle, address, name, isChanged };
      return [[variable.name, { ...place, value: read.text, failure: null, block, before: null }] as const];
    });
  }

  #createFetchWords({ chain, address }: DeployedContract, block: number | undefined, signal: AbortSignal): FetchWords {
    return createFetchWords({ chain, address, block }, this.#deps.worker.lookup, signal);
  }

  #findDeclared(document: TextDocument, position: Position): DeclaredValue | null {
    const parsed = this.#deps.outlines.get(document);
    if (parsed === null) return null;
    const offset = toByteText(document.getText().slice(0, document.offsetAt(position))).length;
    return findDeclaredValue(parsed.source, parsed.outline, offset);
  }

  /** Empty for what has no value without arguments. */
  async #read(
    contract: DeployedContract,
    declared: DeclaredValue,
    document: TextDocument,
    signal: AbortSignal,
  ): Promise<readonly SourceValue[]> {
    const { chain, address, name } = contract;
    // The build is that of the files: what was not saved is not in it either.
    const isChanged = contract.isChanged || document.isDirty;
    const chainTitle = findConfiguredTitle(this.#deps.worker.chains(), chain);
    const shown = { chain, chainTitle, address, name, isChanged };
    try {
      const { head, genesisHash } = await this.#deps.worker.lookup('chainStatus', { chain }, signal);
      const read = await this.#readValue({ ...contract, isChanged }, declared, document, head ?? undefined, signal);
      if (read === null) return [];
      if (!('text' in read)) return [{ ...shown, value: null, failure: read, block: head, before: null }];
      const key = `${chain} ${address} ${declared.contract.name} ${declared.name}`;
      const note = (value: string, label = '') =>
        head === null ? null : this.#shown.note(`${key} ${label}`, { value, block: head, genesisHash });
      const value = { ...shown, value: read.text, failure: null, block: head };
      // How many keys were seen is no value of the chain.
      if (read.members === undefined) return [{ ...value, before: note(read.text) }];
      const members = read.members.map(each => ({ ...each, before: note(each.text, each.label) }));
      return [{ ...value, before: null, members, hasMoreMembers: read.hasMore === true }];
    } catch (error) {
      if (isFault(error, 'cancelled')) throw error;
      return [{ ...shown, value: null, failure: { kind: 'unread' }, block: null, before: null }];
    }
  }

  async #readValue(
    contract: DeployedContract,
    declared: DeclaredValue,
    document: TextDocument,
    block: number | undefined,
    signal: AbortSignal,
  ): Promise<ReadValue> {
    const { name, variable } = declared;
    // Only a public variable is certain to be what the getter of its name returns.
    const getter = variable === null || variable.isPublic ? findGetter(contract, name) : null;
    if (getter !== null) return (await this.#call(contract, [getter], block, signal))[0] ?? null;
    const fetchWords = this.#createFetchWords(contract, block, signal);
    return (
      (await this.#readStored(contract, declared, document, fetchWords)) ??
      this.#readMembers(contract, declared, fetchWords, signal)
    );
  }

  /** Of a mapping the values of keys that HexLens has seen, of a large array the first elements; `null` for what is neither. */
  async #readMembers(
    { chain, address, readDeclarations }: DeployedContract,
    declared: DeclaredValue,
    fetchWords: FetchWords,
    signal: AbortSignal,
  ): Promise<ReadValue> {
    const { worker, book } = this.#deps;
    const declarations = await readDeclarations();
    const variable = declarations?.storage.find(isDeclaredAs(declared));
    if (declarations === null || variable === undefined) return null;
    const { isLocal } = await worker.identifyChain(chain, signal);
    const listSaved = async () => book.trustedEntries().map(entry => entry.address);
    const ports = { lookup: worker.lookup, listSaved };
    const of = { chain, address: toLowerHex(address), isLocal: isLocal === true };
    const [{ keys }, unit] = await Promise.all([
      collectStorageKeys(of, ports, signal),
      isTokenAmount([{ kind: 'name', name: variable.name }])
        ? createUnitSource(worker.lookup, signal)(of.address, chain)
        : null,
    ]);
    const { types } = declarations;
    const { entries, isCut } = await readContractState({ types, storage: [variable] }, keys, [fetchWords]);
    const getName = (named: Hex) => book.getName(named, chain) ?? getWellKnownName(named);
    const format = { getName, unit: unit?.standard === 'ERC20' ? toAmountUnit(unit) : null };
    const [row] = entries.map(entry => toContractStateRow(entry, '', format));
    if (row === undefined) return null;
    const { summary: text, members, hasMore } = toValueMembers(row, isCut);
    return { text, members, hasMore };
  }

  /** The value of a variable by the declarations of the build; `null` for a function, and for what is not in storage. */
  async #readStored(
    contract: DeployedContract,
    declared: DeclaredValue,
    document: TextDocument,
    fetchWords: FetchWords,
  ): Promise<ReadValue> {
    const { name, variable, contract: declaring } = declared;
    if (variable === null) return null;
    const getName = (of: Hex) => this.#deps.book.getName(of, contract.chain) ?? getWellKnownName(of);
    const format: FormatValue = (value, type) => formatNamedValue(value, type, { getName });
    const declarations = await contract.readDeclarations();
    if (variable.isConstant) {
      const known = declarations === null ? null : readConstant(declarations, declaring.name, name, format);
      const source = this.#deps.outlines.get(document)?.source ?? '';
      // As the source has it where the build does not say, and the source is that of the build.
      const written =
        variable.value === null || contract.isChanged ? null : source.slice(variable.value.start, variable.value.end);
      if (known !== null) return { text: known };
      const isValue = declarations !== null || LITERAL.test(written ?? '');
      return isValue && written !== null ? { text: fromByteText(written) } : { kind: 'noNames' };
    }
    if (declarations === null) return { kind: 'noNames' };
    const immutable = declarations.immutables.find(isDeclaredAs(declared));
    const place = declarations.storage.find(isDeclaredAs(declared));
    const text =
      immutable !== undefined
        ? readImmutable(declarations.types, immutable, contract.code, format)
        : place === undefined
          ? null
          : await readVariable(declarations.types, place, fetchWords, format);
    return text === null ? null : { text };
  }

  /** What functions without arguments return, all in one request; `null` for each that is not given. */
  async #call(
    { chain, address }: DeployedContract,
    items: readonly (AbiItem | null)[],
    block: number | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReadValue[]> {
    const { worker, abis, book } = this.#deps;
    const called = items.filter(item => item !== null);
    if (called.length === 0) return [];
    const data = called.map(({ hash }) => hash.slice(0, 10) as Hex);
    const isOfToken = called.some(item => getReturnedToken(item, address) !== null);
    const [registry, unit, { results }] = await Promise.all([
      abis.load(),
      isOfToken ? createUnitSource(worker.lookup, signal)(toLowerHex(address), chain) : null,
      worker.lookup('contractCalls', withBlock({ chain, address: toLowerHex(address), data }, block), signal),
    ]);
    const format = {
      registry,
      getName: (of: Hex) => book.getName(of, chain) ?? getWellKnownName(of),
      getUnit: (token: string) => (unit === null ? null : toAmountUnit(unit, token)),
    };
    const values = new Map(called.map((item, index) => [item, toReadValue(item, results[index], format, address)]));
    return items.map(item => (item === null ? null : (values.get(item) ?? null)));
  }
}

function toReadValue(
  item: AbiItem,
  result: ContractCallResult | undefined,
  format: DecodedItemFormat,
  contract: Hex,
): ReadValue {
  if (result?.outcome === 'reverted') {
    const { data, message } = result;
    return { kind: 'reverted', reason: data === null ? message : formatRevertData(data, format).text };
  }
  if (result?.outcome !== 'returned') return { kind: 'unread' };
  const text = formatReturnedValues({ item, values: [], isFromWorkspace: true }, result.output, format, contract);
  return text === null ? null : { text };
}

/** What is read at the same time is one request. */
function joinReads(fetchWords: FetchWords): FetchWords {
  let open: { readonly slots: bigint[]; readonly words: Promise<readonly bigint[]> } | null = null;
  const openRequest = () => {
    const slots: bigint[] = [];
    const words = Promise.resolve().then(() => {
      open = null;
      return fetchWords(slots);
    });
    return { slots, words };
  };
  return async slots => {
    open ??= openRequest();
    const { slots: all, words } = open;
    const from = all.length;
    all.push(...slots);
    return (await words).slice(from, from + slots.length);
  };
}

const withBlock = <T extends object>(input: T, block: number | undefined): T & { readonly block?: number } =>
  block === undefined ? input : { ...input, block };

/** The read-only function without arguments of this name; `null` where it takes arguments. */
function findGetter({ build }: DeployedContract, name: string): AbiItem | null {
  const items = readAbi(
    build.abi.filter(item => (item as { readonly name?: unknown } | null)?.name === name),
    build.name,
  );
  return (
    items.find(
      ({ kind, inputs, outputs, isReadOnly }) =>
        kind === 'function' && isReadOnly === true && inputs.length === 0 && (outputs?.length ?? 0) > 0,
    ) ?? null
  );
}
