// Token activities of the 0x3 framework: one row per event, for handle events and for module events.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, asUnsigned, getField } from '../jsonFields.ts';
import type { TokenActivity } from '../models.ts';
import type { TokenId } from './bcs.ts';
import { getTokenV1Identity, parseTokenDataId, parseTokenId } from './tokenV1.ts';
import type { AptosEvent, TransactionContext } from './transactionContext.ts';

interface EventForm {
  /** The field of the data with the token id. */
  readonly token: 'id' | 'new_id' | 'token_id';
  /** The acting account: the account of the event handle, or a field of the data. */
  readonly account: 'guid' | 'account' | 'creator' | 'from';
  /** The acting account is the recipient; otherwise it is the sender. */
  readonly isAccountRecipient?: true;
  /** The recipient is `data.to_address`. */
  readonly hasRecipient?: true;
  /** The event has no property version, because a new token has none. */
  readonly isMint?: true;
  /** The event has no amount. */
  readonly isMutation?: true;
}

const EVENT_FORMS: ReadonlyMap<string, EventForm> = new Map<string, EventForm>(
  Object.entries({
    '0x3::token::MintTokenEvent': { token: 'id', account: 'guid', isMint: true },
    '0x3::token::Mint': { token: 'id', account: 'creator', isMint: true },
    '0x3::token::BurnTokenEvent': { token: 'id', account: 'guid' },
    '0x3::token::Burn': { token: 'id', account: 'account' },
    '0x3::token::MutateTokenPropertyMapEvent': { token: 'new_id', account: 'guid', isMutation: true },
    '0x3::token::MutatePropertyMap': { token: 'new_id', account: 'account', isMutation: true },
    '0x3::token::WithdrawEvent': { token: 'id', account: 'guid' },
    '0x3::token::TokenWithdraw': { token: 'id', account: 'account' },
    '0x3::token::DepositEvent': { token: 'id', account: 'guid', isAccountRecipient: true },
    '0x3::token::TokenDeposit': { token: 'id', account: 'account', isAccountRecipient: true },
    '0x3::token_transfers::TokenOfferEvent': { token: 'token_id', account: 'guid', hasRecipient: true },
    '0x3::token_transfers::Offer': { token: 'token_id', account: 'account', hasRecipient: true },
    '0x3::token_transfers::TokenCancelOfferEvent': { token: 'token_id', account: 'guid', hasRecipient: true },
    '0x3::token_transfers::CancelOffer': { token: 'token_id', account: 'account', hasRecipient: true },
    '0x3::token_transfers::TokenClaimEvent': { token: 'token_id', account: 'guid', hasRecipient: true },
    '0x3::token_transfers::Claim': { token: 'token_id', account: 'from', hasRecipient: true },
  } satisfies Record<string, EventForm>),
);

/** `undefined` for other events, `null` for an event that cannot be parsed. */
export function processTokenV1Event(event: AptosEvent, context: TransactionContext): TokenActivity | null | undefined {
  const form = EVENT_FORMS.get(event.type);
  if (form === undefined) return undefined;
  const id = parseEventToken(event, form);
  const tokenAmount = form.isMutation === true ? 0n : asUnsigned(getField(event.data, 'amount'));
  const account = parseEventAccount(event, form);
  if (id === null || tokenAmount === null || account === null) return null;
  const { propertyVersion } = id;
  return {
    transactionVersion: context.position.transactionVersion,
    transactionTimestamp: context.position.transactionTimestamp,
    eventIndex: event.index,
    tokenStandard: 'v1',
    ...getTokenV1Identity(id),
    eventAccountAddress: event.account,
    eventCreationNumber: event.creationNumber,
    eventSequenceNumber: event.sequenceNumber,
    fromAddress: form.isAccountRecipient === true ? null : account,
    toAddress:
      form.isAccountRecipient === true
        ? account
        : form.hasRecipient === true
          ? asAddress(getField(event.data, 'to_address'))
          : null,
    propertyVersion,
    tokenAmount,
    transferType: event.type,
  };
}

function parseEventToken({ data }: AptosEvent, { token, isMint }: EventForm): TokenId | null {
  if (isMint !== true) return parseTokenId(getField(data, token));
  const id = parseTokenDataId(getField(data, token));
  return id === null ? null : { ...id, propertyVersion: 0n };
}

function parseEventAccount({ account, data }: AptosEvent, form: EventForm): Hex | null {
  if (form.account === 'guid') return account;
  if (form.account === 'from') return asAddress(getField(data, 'from_address')) ?? asAddress(getField(data, 'account'));
  return asAddress(getField(data, form.account));
}
