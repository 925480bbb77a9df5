// The named part of the test chain: one block per subject, each transaction under the name that tests use.
import { keccak256 } from 'ox/Hash';
import type { Hex } from '../../../src/base/hex.ts';
import { apesAbi, encodeData, tokenAbi, toTextHex, vaultAbi } from './contractAbis.ts';
import type { JsonRpc } from './jsonRpc.ts';
import type { Mine, NamedTransactions, TestTransaction } from './mineBlock.ts';
import { fulfill, type Order, signOrder, validateOrder } from './seaport.ts';
import type { AccountName, ContractName } from './testChain.ts';
import type { TokenLedger } from './tokenLedger.ts';

export interface ScenarioContext {
  readonly node: JsonRpc;
  readonly chainId: number;
  readonly mine: Mine;
  readonly accounts: Readonly<Record<AccountName, Hex>>;
  readonly contracts: Readonly<Record<ContractName, Hex>>;
  readonly ledger: TokenLedger;
}

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const ROYAL = 'https://example.invalid/?q=<b>&x=[y](z)'; // text from the chain that must be escaped when shown

export async function runScenario(context: ScenarioContext): Promise<void> {
  await fund(context);
  await tokens(context);
  await items(context);
  await etherTransfers(context);
  await internalTransfers(context);
  await failures(context);
  await sales(context);
  await context.mine([], 'empty');
  await busy(context);
}

async function fund({ mine, accounts, contracts, ledger }: ScenarioContext): Promise<void> {
  const { deployer, alice, bob, carol, dave, erin } = accounts;
  const people = [bob, carol, dave, erin];
  const maximum = 2n ** 256n - 1n;
  const approveAll = (from: Hex, contract: Hex): TestTransaction => ({
    from,
    to: contract,
    data: encodeData(apesAbi.setApprovalForAll, [contracts.seaport, true]),
  });
  const transferOld = encodeData(tokenAbi.transfer, [alice, 5_000n * 10n ** 9n]);
  const mintHostile = encodeData(tokenAbi.mint, [alice, 7n * ETHER]);
  await mine([
    ['mintCoin', ledger.coin.mint(alice, 1_000n * ETHER)],
    ...people.map(person => ledger.coin.mint(person, 1_000n * ETHER)),
    ...[alice, ...people].map(person => ledger.usdx.mint(person, 10_000n * DOLLAR)),
    ['approveCoin', ledger.coin.approve(alice, contracts.seaport, 100n * ETHER)],
    ledger.coin.approve(bob, contracts.seaport, maximum), // unlimited, as wallets request it
    ledger.coin.approve(carol, contracts.seaport, maximum),
    ['approveAll', approveAll(alice, contracts.apes)],
    ...[bob, dave, erin].map(person => approveAll(person, contracts.apes)),
    approveAll(bob, contracts.art),
    { from: deployer, to: contracts.oldToken, data: transferOld },
    { from: deployer, to: contracts.hostile, data: mintHostile },
  ]);
}

async function tokens({ mine, accounts, ledger }: ScenarioContext): Promise<void> {
  const { alice, bob, carol, dave } = accounts;
  const { apes, art, coin, usdx } = ledger;
  await mine([
    ['mintApe', apes.mint(alice, 1n)],
    ['mintApes', apes.mintMany(bob, 2n, 5n)],
    ['mintArt', art.mint(bob, 1n)],
    art.mint(carol, 2n),
    apes.mint(dave, 2n ** 255n + 7n), // an id beyond every number type
  ]);
  await mine(
    [
      ['transferApe', apes.transfer(1n, carol)],
      ['burnApe', apes.burn(6n)],
      ['transferCoin', coin.transfer(alice, bob, (25n * ETHER) / 2n)],
      ['transferUsdx', usdx.transfer(alice, bob, 250_750_000n)],
      coin.transfer(bob, bob, ETHER), // to oneself
      coin.transfer(bob, carol, 0n), // of nothing, which is logged too
      apes.transfer(5n, alice, true),
    ],
    'transfers',
  );
}

async function items({ mine, accounts, ledger }: ScenarioContext): Promise<void> {
  const { alice, bob, carol, dave } = accounts;
  await mine([
    ['mintItem', ledger.items.mint(alice, 1n, 100n)],
    ['batchMint', ledger.items.mintBatch(bob, [1n, 2n, 3n, 4n], [10n, 20n, 30n, 40n])],
  ]);
  await mine([
    ['transferItem', ledger.items.transfer(alice, carol, 1n, 15n)],
    ['batchTransfer', ledger.items.transferBatch(bob, dave, [2n, 3n, 3n], [5n, 6n, 7n])], // id 3 twice, which is allowed
    ['burnItems', ledger.items.burnBatch(bob, [1n, 4n], [10n, 1n])], // all of id 1
  ]);
}

async function etherTransfers({ mine, accounts }: ScenarioContext): Promise<void> {
  const { alice, bob, carol, dave } = accounts;
  const value = (3n * ETHER) / 2n;
  await mine([
    ['ethTransfer', { from: alice, to: bob, value, gas: 21_000 }],
    ['ethTransferLegacy', { from: bob, to: carol, value: 1n, gas: 21_000, kind: 'legacy' }],
    ['ethTransferAccessList', { from: carol, to: dave, value: ETHER, gas: 30_000, kind: 'access-list' }],
    ['selfTransfer', { from: dave, to: dave, value: ETHER, gas: 21_000 }],
    ['memo', { from: alice, to: bob, value: 0n, data: toTextHex(`Thank you! ${ROYAL}`), gas: 60_000 }],
  ]);
}

async function internalTransfers({ mine, accounts, contracts }: ScenarioContext): Promise<void> {
  const { alice, bob, carol, dave, erin, frank } = accounts;
  const { vault, forwarder1, forwarder2, forwarder3, picky } = contracts;
  const path = [forwarder1, forwarder2, forwarder3, erin];
  const split = encodeData(vaultAbi.split, [[bob, carol, dave, erin]]);
  const purses = encodeData(vaultAbi.openPurses, [frank, keccak256('0x01', { as: 'Hex' })]);
  await mine(
    [
      ['deposit', { from: alice, to: vault, value: 10n * ETHER }],
      ['internal', { from: alice, to: vault, value: 2n * ETHER, data: encodeData(vaultAbi.payThrough, [path, picky]) }],
      ['internalSplit', { from: bob, to: vault, value: 4n * ETHER, data: split }],
      ['internalCreate', { from: frank, to: vault, value: ETHER, data: purses, gas: 1_000_000 }],
    ],
    'internal',
  );
}

async function failures({ mine, accounts, contracts }: ScenarioContext): Promise<void> {
  const { alice, bob, erin } = accounts;
  const { vault, apes } = contracts;
  const fails = true;
  const stolen = encodeData(apesAbi.transferFrom, [accounts.carol, erin, 1n]);
  const tooMuch = encodeData(vaultAbi.pay, [bob, 1_000_000n * ETHER]);
  const failed: NamedTransactions = [
    ['failed', { from: alice, to: vault, data: tooMuch, fails }],
    ['failedReason', { from: alice, to: vault, value: ETHER, data: encodeData(vaultAbi.failWithReason), fails }],
    ['failedPanic', { from: bob, to: vault, data: encodeData(vaultAbi.failWithPanic, [0n]), fails }],
    ['failedOutOfGas', { from: bob, to: vault, data: encodeData(vaultAbi.burnGas), gas: 200_000, fails }],
    ['failedTransfer', { from: erin, to: apes, data: stolen, fails }],
    ['failedCreation', { from: erin, data: '0x5f5ffd', gas: 100_000, fails }], // PUSH0 PUSH0 REVERT
  ];
  await mine(failed, 'failures');
}

async function sales(context: ScenarioContext): Promise<void> {
  const { node, chainId, mine, accounts, contracts, ledger } = context;
  const { bob, carol, dave, erin, fees } = accounts;
  const { seaport, apes, art, coin } = contracts;
  const ape = (id: bigint) => ({ itemType: 2 as const, token: apes, id, amount: 1n });
  const bundle: Order = {
    ...nativeSale(context, 4n, 3n * ETHER, 2n),
    offer: [ape(4n), { itemType: 2, token: art, id: 1n, amount: 1n }],
  };
  const bid: Order = {
    offerer: carol,
    offer: [{ itemType: 1, token: coin, id: 0n, amount: 40n * ETHER }],
    consideration: [
      { ...ape(3n), recipient: carol },
      { itemType: 1, token: coin, id: 0n, amount: ETHER, recipient: fees },
    ],
    salt: 3n,
  };
  const bidSignature = await signOrder(node, seaport, chainId, bid);
  const sale = await signedSale(context, 2n, ETHER, dave, 1n);
  await mine([['validateBundle', validateOrder(seaport, bundle)]]);
  await mine(
    [
      ['sale', sale],
      ['bid', fulfill(seaport, bid, bob, bidSignature)],
      ['bundle', fulfill(seaport, bundle, erin)],
    ],
    'sales',
  );
  ledger.apes.recordTransfer(3n, carol);
  ledger.coin.recordTransfer(carol, bob, 40n * ETHER);
  ledger.coin.recordTransfer(bob, fees, ETHER);
  ledger.apes.recordTransfer(4n, erin);
  ledger.art.recordTransfer(1n, erin);
}

/** An ape for `price` wei, 2.5 % of it to the marketplace. */
function nativeSale({ accounts, contracts, ledger }: ScenarioContext, id: bigint, price: bigint, salt: bigint): Order {
  const seller = ledger.apes.ownerOf(id);
  const fee = price / 40n;
  const native = { itemType: 0 as const, token: `0x${'0'.repeat(40)}` as Hex, id: 0n };
  return {
    offerer: seller,
    offer: [{ itemType: 2, token: contracts.apes, id, amount: 1n }],
    consideration: [
      { ...native, amount: price - fee, recipient: seller },
      { ...native, amount: fee, recipient: accounts.fees },
    ],
    salt,
  };
}

/** The seller signs, the buyer fulfills; the seller must have approved Seaport. */
async function signedSale(
  context: ScenarioContext,
  id: bigint,
  price: bigint,
  buyer: Hex,
  salt: bigint,
): Promise<TestTransaction> {
  const order = nativeSale(context, id, price, salt);
  const signature = await signOrder(context.node, context.contracts.seaport, context.chainId, order);
  context.ledger.apes.recordTransfer(id, buyer);
  return fulfill(context.contracts.seaport, order, buyer, signature);
}

/** Eighty transactions of all kinds that succeed, in one block. */
async function busy({ mine, accounts, ledger }: ScenarioContext): Promise<void> {
  const { alice, bob, carol, dave, erin, frank, grace } = accounts;
  const people = [alice, bob, carol, dave, erin, frank, grace];
  const person = (index: number) => people[index % people.length] ?? alice;
  const transactions: TestTransaction[] = [];
  for (let i = 0; i < 20; i++) {
    transactions.push(
      ledger.apes.mint(person(i), 100n + BigInt(i)),
      ledger.items.mint(person(i + 1), BigInt(1 + (i % 4)), BigInt(10 + i)),
      ledger.coin.transfer(bob, person(i + 2), BigInt(1 + i) * 10n ** 15n),
      { from: person(i), to: person(i + 3), value: BigInt(1 + i) * 10n ** 15n, gas: 21_000 },
    );
  }
  await mine(transactions, 'busy');
}
