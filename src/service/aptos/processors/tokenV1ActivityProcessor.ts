// Token activities of the 0x3 framework: one row per event, of its handle form and of its module form.
import type { Hex } from '../../../base/hex.ts';
import { asAddress, asUnsigned, getField } from '../jsonFields.ts';
import type { TokenActivity } from '../models.ts';
import type { AptosEvent } from './aptosEvents.ts';
import type { TokenId } from './bcs.ts';
import { getTokenV1Identity, parseTokenDataId, parseTokenId } from './tokenV1.ts';
import type { TransactionContext } from './transactionContext.ts';

interface Form {
  /** Field of the data that names the token. */
  readonly token: 'id' | 'new_id' | 'token_id';
  /** Whose the event is: the account that emitted it, or a field of the data. */
  readonly account: 'guid' | 'account' | 'creator' | 'from';
  readonly side: 'from' | 'to';
  /** The other side is `data.to_address`. */
  readonly receiver?: true;
  /** The event names no property version, because a new token has none yet. */
  readonly mint?: true;
  /** The event has no amount. */
  readonly mutation?: true;
}

const FORMS: Readonly<Record<string, Form>> = {
  '0x3::token::MintTokenEvent': { token: 'id', account: 'guid', side: 'from', mint: true },
  '0x3::token::Mint': { token: 'id', account: 'creator', side: 'from', mint: true },
  '0x3::token::BurnTokenEvent': { token: 'id', account: 'guid', side: 'from' },
  '0x3::token::Burn': { token: 'id', account: 'account', side: 'from' },
  '0x3::token::MutateTokenPropertyMapEvent': { token: 'new_id', account: 'guid', side: 'from', mutation: true },
  '0x3::token::MutatePropertyMap': { token: 'new_id', account: 'account', side: 'from', mutation: true },
  '0x3::token::WithdrawEvent': { token: 'id', account: 'guid', side: 'from' },
  '0x3::token::TokenWithdraw': { token: 'id', account: 'account', side: 'from' },
  '0x3::token::DepositEvent': { token: 'id', account: 'guid', side: 'to' },
  '0x3::token::TokenDeposit': { token: 'id', account: 'account', side: 'to' },
  '0x3::token_transfers::TokenOfferEvent': { token: 'token_id', account: 'guid', side: 'from', receiver: true },
  '0x3::token_transfers::Offer': { token: 'token_id', account: 'account', side: 'from', receiver: true },
  '0x3::token_transfers::TokenCancelOfferEvent': { token: 'token_id', account: 'guid', side: 'from', receiver: true },
  '0x3::token_transfers::CancelOffer': { token: 'token_id', account: 'account', side: 'from', receiver: true },
  '0x3::token_transfers::TokenClaimEvent': { token: 'token_id', account: 'guid', side: 'from', receiver: true },
  '0x3::token_transfers::Claim': { token: 'token_id', account: 'from', side: 'from', receiver: true },
};

/** `undefined` when the event is no such event, `null` when it is one that can not be read. */
export function processTokenV1Event(event: AptosEvent, scene: TransactionContext): TokenActivity | null | undefined {
  const form = Object.hasOwn(FORMS, event.type) ? FORMS[event.type] : undefined;
  if (form === undefined) return undefined;
  const id = tokenOf(event, form);
  const tokenAmount = form.mutation === true ? 0n : asUnsigned(getField(event.data, 'amount'));
  const account = accountOf(event, form);
  if (id === null || tokenAmount === null || account === null) return null;
  const { propertyVersion } = id;
  return {
    transactionVersion: scene.position.transactionVersion,
    transactionTimestamp: scene.position.transactionTimestamp,
    eventIndex: event.index,
    tokenStandard: 'v1',
    ...getTokenV1Identity(id),
    eventAccountAddress: event.account,
    eventCreationNumber: event.creationNumber,
    eventSequenceNumber: event.sequenceNumber,
    fromAddress: form.side === 'from' ? account : null,
    toAddress:
      form.side === 'to' ? account : form.receiver === true ? asAddress(getField(event.data, 'to_address')) : null,
    propertyVersion,
    tokenAmount,
    transferType: event.type,
  };
}

function tokenOf({ data }: AptosEvent, { token, mint }: Form): TokenId | null {
  if (mint !== true) return parseTokenId(getField(data, token));
  const id = parseTokenDataId(getField(data, token));
  return id === null ? null : { ...id, propertyVersion: 0n };
}

function accountOf({ account, data }: AptosEvent, form: Form): Hex | null {
  if (form.account === 'guid') return account;
  if (form.account === 'from') return asAddress(getField(data, 'from_address')) ?? asAddress(getField(data, 'account'));
  return asAddress(getField(data, form.account));
}
