// Well-known events, by standard. See findSignatures.ts for the notation.

/** `#standard`, then one line each: first two bytes of topic0, signature. */
export const EVENT_SIGNATURES = `
#ERC-20
ddf2 Transfer(a!from,a!to,u value)
8c5b Approval(a!owner,a!spender,u value)
#ERC-20 mint and burn
0f67 Mint(a!to,u amount)
cc16 Burn(a!from,u amount)
ab85 Mint(a!minter,a!to,u amount)
#ERC-721
ddf2 Transfer(a!from,a!to,u!tokenId)
8c5b Approval(a!owner,a!approved,u!tokenId)
1730 ApprovalForAll(a!owner,a!operator,b approved)
#ERC-1155
c3d5 TransferSingle(a!operator,a!from,a!to,u id,u value)
4a39 TransferBatch(a!operator,a!from,a!to,u[] ids,u[] values)
1730 ApprovalForAll(a!account,a!operator,b approved)
6bb7 URI(s value,u!id)
#ERC-2309
deaa ConsecutiveTransfer(u!fromTokenId,u toTokenId,a!fromAddress,a!toAddress)
#ERC-4906
f8e1 MetadataUpdate(u tokenId)
6bd5 BatchMetadataUpdate(u fromTokenId,u toTokenId)
#ERC-7572
a5d4 ContractURIUpdated()
#ERC-4626
dcbc Deposit(a!sender,a!owner,u assets,u shares)
fbde Withdraw(a!sender,a!receiver,a!owner,u assets,u shares)
#WETH
e1ff Deposit(a!dst,u wad)
7fcf Withdrawal(a!src,u wad)
#ERC-3009
98de AuthorizationUsed(a!authorizer,h!nonce)
#Ownable
8be0 OwnershipTransferred(a!previousOwner,a!newOwner)
38d1 OwnershipTransferStarted(a!previousOwner,a!newOwner)
#AccessControl
2f87 RoleGranted(h!role,a!account,a!sender)
f639 RoleRevoked(h!role,a!account,a!sender)
bd79 RoleAdminChanged(h!role,h!previousAdminRole,h!newAdminRole)
#Pausable
62e7 Paused(a account)
5db9 Unpaused(a account)
#Initializable
7f26 Initialized(uint8 version)
c7f5 Initialized(uint64 version)
#ERC-1967
bc7c Upgraded(a!implementation)
7e64 AdminChanged(a previousAdmin,a newAdmin)
#Votes
3134 DelegateChanged(a!delegator,a!fromDelegate,a!toDelegate)
dec2 DelegateVotesChanged(a!delegate,u previousVotes,u newVotes)
#Governor
7d84 ProposalCreated(u proposalId,a proposer,a[] targets,u[] values,s[] signatures,y[] calldatas,u voteStart,u voteEnd,s description)
b8e1 VoteCast(a!voter,u proposalId,uint8 support,u weight,s reason)
712a ProposalExecuted(u proposalId)
#Seaport
9d9a OrderFulfilled(h orderHash,a!offerer,a!zone,a recipient,(uint8 itemType,a token,u identifier,u amount)[] offer,(uint8 itemType,a token,u identifier,u amount,a recipient)[] consideration)
6bac OrderCancelled(h orderHash,a!offerer,a!zone)
4b9f OrdersMatched(h[] orderHashes)
721c CounterIncremented(u newCounter,a!offerer)
#Uniswap v2
0d36 PairCreated(a!token0,a!token1,a pair,u length)
d78a Swap(a!sender,u amount0In,u amount1In,u amount0Out,u amount1Out,a!to)
1c41 Sync(uint112 reserve0,uint112 reserve1)
4c20 Mint(a!sender,u amount0,u amount1)
dccd Burn(a!sender,u amount0,u amount1,a!to)
#Uniswap v3
783c PoolCreated(a!token0,a!token1,uint24!fee,int24 tickSpacing,a pool)
9863 Initialize(uint160 sqrtPriceX96,int24 tick)
c420 Swap(a!sender,a!recipient,i amount0,i amount1,uint160 sqrtPriceX96,uint128 liquidity,int24 tick)
7a53 Mint(a sender,a!owner,int24!tickLower,int24!tickUpper,uint128 amount,u amount0,u amount1)
0c39 Burn(a!owner,int24!tickLower,int24!tickUpper,uint128 amount,u amount0,u amount1)
7093 Collect(a!owner,a recipient,int24!tickLower,int24!tickUpper,uint128 amount0,uint128 amount1)
3067 IncreaseLiquidity(u!tokenId,uint128 liquidity,u amount0,u amount1)
26f6 DecreaseLiquidity(u!tokenId,uint128 liquidity,u amount0,u amount1)
40d0 Collect(u!tokenId,a recipient,u amount0,u amount1)
#Uniswap v4
dd46 Initialize(h!id,a!currency0,a!currency1,uint24 fee,int24 tickSpacing,a hooks,uint160 sqrtPriceX96,int24 tick)
40e9 Swap(h!id,a!sender,int128 amount0,int128 amount1,uint160 sqrtPriceX96,uint128 liquidity,int24 tick,uint24 fee)
#Permit2
c6a3 Permit(a!owner,a!token,a!spender,uint160 amount,uint48 expiration,uint48 nonce)
#Safe
442e ExecutionSuccess(h!txHash,u payment)
2342 ExecutionFailure(h!txHash,u payment)
3d0c SafeReceived(a!sender,u value)
4f51 ProxyCreation(a!proxy,a singleton)
#ERC-4337
4962 UserOperationEvent(h!userOpHash,a!sender,a!paymaster,u nonce,b success,u actualGasCost,u actualGasUsed)
1c4f UserOperationRevertReason(h!userOpHash,a!sender,u nonce,y revertReason)
#Deposit contract
649b DepositEvent(y pubkey,y withdrawal_credentials,y amount,y signature,y index)
`;
