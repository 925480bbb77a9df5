// What pages show of a target: title, form and tabs, from the operation's descriptor, which is not in the pages' bundle.

import { parseChainSelector } from '../api/chains.ts';
import { type OperationId, operationIds, operations } from '../api/operations/operations.ts';
import { type AnyParameter, isListKind, type Parameters } from '../api/operations/parameters.ts';
import type { InputTexts } from '../api/wire/inputTexts.ts';
import { toDisplayAddress, toShortDisplayAddress } from '../base/displayAddress.ts';
import { shortenHex } from '../base/displayText.ts';
import { groupThousands } from '../base/formatUnits.ts';
import { t, translate } from '../base/localize.ts';
import { getFieldLabel } from './fieldLabels.ts';
import type { InspectorTarget } from './inspectorTarget.ts';
import type { AddressTab, FormField, InspectorState, OperationView } from './messages.ts';

/** The saved or well-known name of an address, or `null`. */
export type GetAddressName = (address: string, chain: string) => string | null;

/** Digits in groups of three, hashes shortened. */
const formatBlock = (block: string) => (/^\d+$/.test(block) ? groupThousands(block) : shortenHex(block));

const shortenId = (id: string) => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id);

/** The title in a tab, in breadcrumbs, in the file name of an export. */
export function getTargetTitle(target: InspectorTarget, getName: GetAddressName): string {
  switch (target.kind) {
    case 'block':
      return target.block === 'latest' ? t('Latest blocks') : t('Block {0}', formatBlock(target.block));
    case 'transaction':
      return t('Transaction {0}', shortenHex(target.hash));
    case 'simulation':
      return t(
        'Simulated call of {0}',
        target.simulation.to === null
          ? t('a new contract')
          : (getName(target.simulation.to, target.chain) ?? toShortDisplayAddress(target.simulation.to)),
      );
    case 'address':
      return getName(target.address, target.chain) ?? t('Address {0}', toShortDisplayAddress(target.address));
    case 'operation': {
      const { tokenId } = target.parameters;
      const isNft = target.operation === 'nftOwners' && typeof tokenId === 'string';
      const title = isNft ? t('NFT {0}', `#${shortenId(tokenId)}`) : translate(operations[target.operation].title);
      const address = Object.values(target.parameters).find(
        (text): text is string => typeof text === 'string' && /^0x[0-9a-f]{10,}$/i.test(text),
      );
      if (address === undefined) return title;
      const { chain } = target.parameters;
      // Without a chain, or of Aptos, only a name that is saved for every chain.
      const name = getName(address, typeof chain === 'string' ? (parseChainSelector(chain) ?? chain) : '');
      return `${title}: ${name ?? toShortDisplayAddress(address)}`;
    }
  }
}

/** Parameters that the page sets itself. */
const HIDDEN_PARAMETERS = new Set(['cursor', 'disableTotal', 'offset']);

function getChoices(schema: unknown): readonly string[] | null {
  const { type, enum: values } = (schema ?? {}) as { readonly type?: unknown; readonly enum?: unknown };
  if (type === 'boolean') return ['true', 'false'];
  return Array.isArray(values) && values.length <= 20 && values.every(value => typeof value === 'string')
    ? values
    : null;
}

/** The form of an operation above its rows, with its parameters and their values. */
export function createPageForm(target: InspectorTarget): InspectorState['form'] {
  if (target.kind !== 'operation') return null;
  const id: OperationId = target.operation;
  const { title, summary } = operations[id];
  const parameters: Parameters = operations[id].parameters;
  const fields = Object.entries(parameters)
    .filter(([name]) => !HIDDEN_PARAMETERS.has(name))
    .map(([name, { kind, doc, required }]): FormField => {
      const given = Object.hasOwn(target.parameters, name) ? target.parameters[name] : undefined;
      return {
        name,
        label: getFieldLabel(name),
        placeholder: translate(kind.hint),
        description: translate(doc),
        required,
        isList: isListKind(kind),
        choices: isListKind(kind) ? null : getChoices(kind.schema),
        value: [given ?? []].flat().map(toDisplayAddress).join('\n'),
      };
    });
  return { title: translate(title), summary: translate(summary), fields };
}

export function getOperationView(operation: OperationId): OperationView {
  const { source, isLive = false, hasImages = false, histogram = null } = operations[operation].traits;
  return { isLive, hasImages, histogram, taskKind: source === 'index' || source === 'logs' ? source : null };
}

/** The tabs of an address page, in their order. */
export function createAddressTabs(address: string, chain: string): readonly AddressTab[] {
  return operationIds
    .flatMap(operation => {
      const { addressTab } = operations[operation].traits;
      return addressTab === undefined ? [] : [{ operation, ...addressTab }];
    })
    .sort((a, b) => a.position - b.position)
    .map(({ id, label, for: addresses, operation, parameter = 'address' }): AddressTab => {
      const { kind } = (operations[operation].parameters as Parameters)[parameter] as AnyParameter; // the traits' own
      const texts: InputTexts = { [parameter]: isListKind(kind) ? [address] : address, chain };
      const view = getOperationView(operation);
      return { id, label: translate(label), addresses, operation, parameters: texts, view };
    });
}
