// Generated from viem/chains by `npm run manifest`: id, name, coin, decimals (18 if empty), explorer.
export const CHAIN_DATA = `
2|Expanse Network|EXP||explorer.expanse.tech;7|ThaiChain|TCH||exp.thaichain.org
8|Ubiq Mainnet|UBQ||ubiqscan.io;9|Quai Network Mainnet|QUAI||quaiscan.io
11|Metadium Network|META||explorer.metadium.com;14|Flare Mainnet|FLR||flare-explorer.flare.network
15|Diode Prenet|DIODE||diode.io/prenet;16|Songbird Testnet Coston|CFLR||coston-explorer.flare.network
19|Songbird Canary-Network|SGB||songbird-explorer.flare.network;20|Elastos Smart Chain|ELA||esc.elastos.io
21|Elastos Smart Chain Testnet|tELA||esc-testnet.elastos.io;24|KardiaChain Mainnet|KAI||explorer.kardiachain.io
30|Rootstock Mainnet|RBTC||explorer.rsk.co;31|Rootstock Testnet|tRBTC||explorer.testnet.rootstock.io
37|CONX Chain|XPLA||explorer.conx.xyz;40|Telos|TLOS||www.teloscan.io
41|Telos|TLOS||testnet.teloscan.io;42|LUKSO|LYX||explorer.execution.mainnet.lukso.network
44|Crab Network|CRAB||crab-scan.darwinia.network;46|Darwinia Network|RING||explorer.darwinia.network
47|Acria IntelliChain|ACRIA||explorer.acria.ai;50|XDC Network|XDC||xdcscan.com
51|Apothem Network|TXDC||testnet.xdcscan.com;52|CoinEx Mainnet|cet||www.coinex.net
57|Syscoin Mainnet|SYS||explorer.syscoin.org;60|GoChain|GO||explorer.gochain.io
61|Ethereum Classic|ETC||blockscout.com/etc/mainnet;66|OKC|OKT||www.oklink.com/okc
71|Conflux eSpace Testnet|CFX||evmtestnet.confluxscan.org;74|IDChain Mainnet|EIDI||explorer.idchain.one
81|Japan Open Chain Mainnet|JOC||explorer.japanopenchain.org;82|Meter|MTR||scan.meter.io
83|Meter Testnet|MTR||scan-warringstakes.meter.io;86|GateChain Mainnet|GT||www.gatescan.org
88|Viction|VIC||vicscan.xyz;89|Viction Testnet|VIC||testnet.vicscan.xyz
94|SwissDLT Mainnet|BCTS||explorer.swissdlt.ch;96|KUB Mainnet|KUB||www.bkcscan.com
98|Six Protocol|SIX||sixscan.io/sixnet;100|Gnosis|XDAI||gnosisscan.io
103|WorldLand Mainnet|WLC||scan.worldland.foundation;106|Velas EVM Mainnet|VLX||evmexplorer.velas.com
108|ThunderCore Mainnet|TT||explorer-mainnet.thundercore.com;109|Shibarium|BONE||shibariumscan.io
112|Coinbit Mainnet|GIDR||coinbit-explorer.chain.sbcrypto.app;114|Flare Testnet Coston2|C2FLR||coston2-explorer.flare.network
119|ENULS Mainnet|NULS||evmscan.nuls.io;122|Fuse|FUSE||explorer.fuse.io
123|Fuse Sparknet|SPARK||explorer.fusespark.io;130|Unichain|ETH||uniscan.xyz
133|HashKey Chain Testnet|HSK||testnet-explorer.hsk.xyz;138|Defi Oracle Meta Mainnet|ETH||explorer.d-bis.org
140|Eteria|ERA||explorer.eteria.io;143|Monad|MON||monadscan.com
146|Sonic|S||sonicscan.org;148|Shimmer|SMR||explorer.evm.shimmer.network
151|Redbelly Network Mainnet|RBNT||redbelly.routescan.io;153|Redbelly Network Testnet|RBNT||redbelly.testnet.routescan.io
157|Puppynet Shibarium|BONE||puppyscan.shib.io;164|Omni Omega|OMNI||omega.omniscan.network
166|Nomina|NOM||nomscan.io;168|AIOZ Network|AIOZ||explorer.aioz.network
169|Manta Pacific Mainnet|ETH||pacific-explorer.manta.network;173|ENI Mainnet|ENI||scan.eniac.network
177|HashKey Chain|HSK||hashkey.blockscout.com;179|ABEY Mainnet|ABEY||abeyscan.com
183|Ethernity|ETH||ernscan.io;185|Mint Mainnet|ETH||explorer.mintchain.io
196|X Layer Mainnet|OKB||www.oklink.com/xlayer;199|BitTorrent|BTT||bttcscan.com
202|Edgeless Testnet|EwETH||testnet.explorer.edgeless.network;204|opBNB|BNB||opbnb.bscscan.com
216|Happychain Testnet|HAPPY||explorer.testnet.happy.tech;223|B2|BTC||explorer.bsquared.network
232|Lens|GHO||explorer.lens.xyz;239|TAC|TAC||tac.blockscout.com
240|Nexilix Smart Chain|NEXILIX||scan.nexilix.com;242|Plinga|PLINGA||www.plgscan.com
246|Energy Mainnet|EWT||explorer.energyweb.org;248|Oasys|OAS||scan.oasys.games
251|Glide L1 Protocol XP|GLXP||blockchain-explorer.glideprotocol.xyz;252|Fraxtal|FRAX||fraxscan.com
253|Glide L2 Protocol XP|GLXP||blockchain-explorer.glideprotocol.xyz;254|Swan Chain Mainnet|ETH||swanscan.io
255|Kroma|ETH||blockscout.kroma.network;260|Guru Network Mainnet|GURU||scan.gurunetwork.ai
261|Guru Network Testnet|tGURU||sepolia.gurunetwork.ai;269|High Performance Blockchain|HPB||hscan.org
270|ZKsync CLI Local Node|ETH;272|ZKsync CLI Local Custom Hyperchain|BAT
273|XR One|XR1||xr1.calderaexplorer.xyz;282|Cronos zkEVM Testnet|zkTCRO||explorer.zkevm.cronos.org/testnet
288|Boba Network|ETH||bobascan.com;291|Orderly|ETH||explorer.orderly.network
295|Hedera Mainnet|HBAR||hashscan.io/mainnet;296|Hedera Testnet|HBAR||hashscan.io/testnet
297|Hedera Previewnet|HBAR||hashscan.io/previewnet;300|ZKsync Sepolia Testnet|ETH||sepolia.explorer.zksync.io
311|Omax Mainnet|OMAX||omaxscan.com;314|Filecoin Mainnet|FIL||filfox.info/en
321|KCC Mainnet|KCS||explorer.kcc.io;324|ZKsync Era|ETH||explorer.zksync.io
336|Shiden|SDN||shiden.subscan.io;338|Cronos Testnet|tCRO||explorer.cronos.org/testnet
360|Shape|ETH||shapescan.xyz;361|Theta Mainnet|TFUEL||explorer.thetatoken.org
365|Theta Testnet|TFUEL||testnet-explorer.thetatoken.org;369|PulseChain|PLS||ipfs.scan.pulsechain.com
375|zkXPLA Mainnet|ETH||explorer.zkxpla.io;388|Cronos zkEVM Mainnet|zkCRO||explorer.zkevm.cronos.org
397|NEAR Protocol|NEAR||eth-explorer.near.org;398|NEAR Protocol Testnet|NEAR||eth-explorer-testnet.near.org
420|Optimism Goerli|ETH||goerli-optimism.etherscan.io;424|PGN|ETH||explorer.publicgoods.network
462|Areon Network Testnet|TAREA||areonscan.com;463|Areon Network|AREA||areonscan.com
475|zkXPLA Testnet|ETH||testnet-explorer.zkxpla.io;478|Form Network|ETH||explorer.form.network
480|World Chain|ETH||worldscan.org;545|Flow EVM Testnet|FLOW||evm-testnet.flowscan.io
570|Rollux Mainnet|SYS||explorer.rollux.com;571|MetaChain Mainnet|MTC||explorer.metatime.com
589|LadyChain|LADY||ladyscan.us;592|Astar|ASTR||astar.subscan.io
595|Mandala TC9|mACA||blockscout.mandala.aca-staging.network;599|Metis Goerli|METIS||goerli.explorer.metisdevops.link
626|BattleChain Mainnet|ETH||explorer.battlechain.com;627|BattleChain Testnet|ETH||explorer.testnet.battlechain.com
646|Flow EVM Previewnet|FLOW||previewnet.flowdiver.io;680|Jasmy Chain|JASMY
681|Jasmy Chain Testnet|JASMY;686|Karura|KAR||blockscout.karura.network
690|Redstone|ETH||explorer.redstone.xyz;698|Matchain|BNB||matchscan.io
699|Matchain Testnet|BNB||testnet.matchscan.io;701|Koi Network|KRING||koi-scan.darwinia.network
714|Eden|TIA||eden.blockscout.com;721|Lycan|LYC||explorer.lycanchain.com
747|Flow EVM Mainnet|FLOW||evm.flowscan.io;753|Rivalz|ETH||rivalz.calderaexplorer.xyz
766|QL1|QOM||scan.qom.one;785|Autheo Testnet|THEO||testnet-explorer.autheo.com
787|Acala|ACA||blockscout.acala.network;824|Daily Network Mainnet|DLY||explorer.mainnet.dailycrypto.net
825|Daily Network Testnet|DLY||explorer.testnet.dailycrypto.net;841|Taraxa Mainnet|TARA||explorer.mainnet.taraxa.io
842|Taraxa Testnet|TARA||explorer.testnet.taraxa.io;888|Wanchain|WAN||wanscan.org
919|Mode Testnet|ETH||sepolia.explorer.mode.network;943|PulseChain V4|v4PLS||scan.v4.testnet.pulsechain.com
957|Lyra Chain|ETH||explorer.lyra.finance;964|Subtensor EVM|TAO||evm.taostats.io
988|Stable Mainnet|USDT0||stablescan.xyz;995|5ireChain|5IRE||5irescan.io
997|5ireChain Thunder Testnet|5IRE||testnet.5irescan.io;998|Hyperliquid EVM Testnet|HYPE
999|HyperEVM|HYPE||hyperevmscan.io;1001|Kairos Testnet|KAIA||kairos.kaiascan.io
1012|Newton|NEW||explorer.newtonproject.org;1017|BNB Greenfield Chain|BNB||greenfieldscan.com
1028|BitTorrent Chain Testnet|BTT||testnet.bttcscan.com;1030|Conflux eSpace|CFX||evm.confluxscan.org
1038|Bronos Testnet|tBRO||tbroscan.bronos.org;1039|Bronos|BRO||broscan.bronos.org
1073|Shimmer Testnet|SMR||explorer.evm.testnet.shimmer.network;1075|IOTA EVM Testnet|IOTA||explorer.evm.testnet.iotaledger.net
1088|Metis|METIS||explorer.metis.io;1100|Dymension|DYM||dym.fyi
1101|Polygon zkEVM|ETH||zkevm.polygonscan.com;1111|WEMIX|WEMIX||explorer.wemix.com
1112|WEMIX Testnet|tWEMIX||testnet.wemixscan.com;1114|Core Testnet2|TCORE2||scan.test2.btcs.network
1115|Core Testnet|TCORE||scan.test.btcs.network;1116|Core Dao|CORE||scan.coredao.org
1122|LuxePorts|LXP||lxpscan.com;1123|B2 Testnet|BTC||testnet-explorer.bsquared.network
1130|DeFiChain EVM Mainnet|DFI||meta.defiscan.live;1131|DeFiChain EVM Testnet|DFI
1135|Lisk|ETH||blockscout.lisk.com;1215|ADF Chain|ADF||explorer.adftechnology.com
1230|Ultron Testnet|ULX||explorer.ultron-dev.io;1231|Ultron Mainnet|ULX||ulxscan.com
1234|Step Network|FITFI||stepscan.io;1281|Moonbeam Development Node|DEV
1284|Moonbeam|GLMR||moonscan.io;1285|Moonriver|MOVR||moonriver.moonscan.io
1287|Moonbase Alpha|DEV||moonbase.moonscan.io;1301|Unichain Sepolia|ETH||sepolia.uniscan.xyz
1315|Data Network Aeneid|DATA||aeneid.datanetscan.io;1328|Sei Testnet|SEI||testnet.seiscan.io
1329|Sei Network|SEI||seiscan.io;1336|Kii Testnet Oro|KII||testnet.explorer.kiichain.io
1338|Elysium Testnet|LAVA||elysium-explorer.vulcanforged.com;1404|BlockDAG|BDAG||explorer.bdagexplorer.com
1439|Injective Testnet|INJ||testnet.blockscout.injective.network;1442|Polygon zkEVM Testnet|ETH||testnet-zkevm.polygonscan.com
1453|MetaChain Istanbul|MTC||istanbul-explorer.metachain.dev;1480|Vana|VANA||vanascan.io
1513|Story Testnet|IP||testnet.storyscan.xyz;1514|Data Network|DATA||datanetscan.io
1516|Story Odyssey|IP||odyssey.storyscan.xyz;1559|Tenet|TENET||tenetscan.io
1612|OpenLedger|OPEN||scan.openledger.xyz;1625|Gravity Alpha Mainnet|G||explorer.gravity.xyz
1643|XGR Mainnet|XGR||explorer.xgr.network;1663|Horizen Gobi Testnet|tZEN||gobi-explorer.horizen.io
1686|Mint Sepolia Testnet|ETH||testnet-explorer.mintchain.io;1729|Reya Network|ETH||explorer.reya.network
1750|Metal L2|ETH||explorer.metall2.com;1776|Injective|INJ||blockscout.injective.network
1783|KiiChain|KII||explorer.kiichain.io;1868|Soneium Mainnet|ETH||soneium.blockscout.com
1874|Whitechain Sepolia|WBT||explorer.testnet.whitechain.io;1875|Whitechain|WBT||explorer.whitechain.io
1879|XGR Testnet|XGR||explorer.testnet.xgr.network;1890|LightLink Phoenix Mainnet|ETH||phoenix.lightlink.io
1891|LightLink Pegasus Testnet|ETH||pegasus.lightlink.io;1923|Swellchain|ETH||explorer.swellnetwork.io
1924|Swellchain Testnet|ETH||swell-testnet-explorer.alt.technology;1946|Soneium Minato Testnet|ETH||soneium-minato.blockscout.com
1952|X1 Testnet|OKB||www.oklink.com/xlayer-test;1983|Krown|KROWN||explorer.krown.network
1993|B3 Sepolia|ETH||sepolia.explorer.b3.fun;1995|edeXa Testnet|tEDX||explorer.testnet.edexa.network
1996|Sanko|DMT||explorer.sanko.xyz;2000|Dogechain|WDOGE||explorer.dogechain.dog
2017|Telcoin Adiri Testnet|TEL||telscan.io;2020|Ronin|RON||app.roninchain.com
2021|Edgeware EdgeEVM Mainnet|EDG||edgscan.live;2022|Beresheet BereEVM Testnet|tEDG||testnet.edgscan.live
2024|Swan Saturn Testnet|sETH||saturn-explorer.swanchain.io;2026|Edgeless Network|EwETH||explorer.edgeless.network
2039|Aleph Zero Testnet|TZERO||evm-explorer-testnet.alephzero.org;2040|Vanar Mainnet|VANRY||explorer.vanarchain.com
2184|Morph Tachyon|BGB||app.popdex.xyz/explorer;2192|SnaxChain|ETH||explorer.snaxchain.io
2201|Stable Testnet|USDT0||testnet.stablescan.xyz;2221|Kava EVM Testnet|KAVA||testnet.kavascan.com
2222|Kava EVM|KAVA||kavascan.com;2331|RSS3 VSL Sepolia Testnet|RSS3||scan.testnet.rss3.io
2340|Atleta Olympia|ATLA||blockscout.atleta.network;2345|GOAT|BTC||explorer.goat.network
2355|Silicon zkEVM|ETH||scope.silicon.network;2358|Kroma Sepolia|ETH||blockscout.sepolia.kroma.network
2391|TAC SPB Testnet|TAC||spb.explorer.tac.build;2442|Polygon zkEVM Cardona|ETH||cardona-zkevm.polygonscan.com
2443|Haus Chain Testnet|HAUS||explorer-testnet.hausserver.xyz;2522|Fraxtal Testnet|FRAX||holesky.fraxscan.com
2525|inEVM Mainnet|INJ||inevm.calderaexplorer.xyz;2625|Whitechain Testnet|WBT||testnet.whitechain.io
2710|Morph Sepolia|ETH||explorer-testnet.morphl2.io;2730|XR Sepolia|tXR||xr-sepolia-testnet.explorer.caldera.xyz
2741|Abstract|ETH||abscan.org;2810|Morph Holesky|ETH||explorer-holesky.morphl2.io
2818|Morph|ETH||explorer.morphl2.io;2828|CandyChain|CANDY||streams.candychain.io
2882|Chips Network|IOTA;2911|HYCHAIN|TOPIA||explorer.hychain.com
3068|Bifrost Mainnet|BFC||explorer.mainnet.bifrostnetwork.com;3109|SatoshiVM Alpha Mainnet|BTC||svmscan.io
3110|SatoshiVM Testnet|BTC||testnet.svmscan.io;3141|Filecoin Hyperspace|tFIL||hyperspace.filfox.info/en
3338|Peaq|PEAQ||peaq.subscan.io;3636|Botanix Testnet|BTC||testnet.botanixscan.io
3637|Botanix|BTC||botanixscan.io;3721|Xone Chain Mainnet|XOC||xonescan.com
3737|Crossbell|CSB||scan.crossbell.io;3776|Astar zkEVM|ETH||astar-zkevm.explorer.startale.com
3939|DOS Chain Testnet|DOS||test.doscan.io;3993|APEX Testnet|ETH||exp-testnet.apexlayer.xyz
4002|Fantom Testnet|FTM||testnet.ftmscan.com;4090|Oasis Testnet|FTN||oasis.ftnscan.com
4111|E Canna Mainnet|ECNA||explorer.ecnascan.com;4112|E Canna Testnet|tECNA||testnetexplorer.ecnascan.com
4114|Citrea Mainnet|cBTC||explorer.mainnet.citrea.xyz;4153|RISE|ETH||explorer.risechain.com
4158|CrossFi Mainnet|XFI||xfiscan.com;4200|Merlin|BTC||scan.merlinchain.io
4201|LUKSO Testnet|LYXt||explorer.execution.testnet.lukso.network;4202|Lisk Sepolia|ETH||sepolia-blockscout.lisk.com
4203|Merlin Erigon Testnet|BTC||testnet-erigon-scan.merlinchain.io;4217|Tempo Mainnet|USD|6|explore.tempo.xyz
4242|Nexi|NEXI||www.nexiscan.com;4326|MegaETH|ETH||mega.etherscan.io
4337|Beam|BEAM||subnets.avax.network/beam;4352|MemeCore|M||memecorescan.io
4460|Orderly Sepolia|ETH||explorerl2new-orderly-l2-4460-sepolia-8tc3sd7dvy.t.conduit.xyz;4663|Robinhood Chain|ETH||robinhoodchain.blockscout.com
4689|IoTeX|IOTX||iotexscan.io;4690|IoTeX Testnet|IOTX||testnet.iotexscan.io
4759|MEVerse Chain Testnet|MEV||testnet.meversescan.io;4777|BlackFort Exchange Network Testnet|TBXN||testnet-explorer.blackfort.network
4801|World Chain Sepolia|ETH||sepolia.worldscan.org;4999|BlackFort Exchange Network|BXN||explorer.blackfort.network
5000|Mantle|MNT||mantlescan.xyz;5001|Mantle Testnet|MNT||explorer.testnet.mantle.xyz
5003|Mantle Sepolia Testnet|MNT||explorer.sepolia.mantle.xyz;5031|Somnia|SOMI||explorer.somnia.network
5042|Arc|USDC||explorer.arc.io;5112|Ham|ETH||explorer.ham.fun
5115|Citrea Testnet|cBTC||explorer.testnet.citrea.xyz;5124|Seismic Devnet|ETH||explorer-2.seismicdev.net
5165|Bahamut|FTN||www.ftnscan.com;5234|Humanode|HMND||humanode.subscan.io
5330|Superseed|ETH||explorer.superseed.xyz;5424|edeXa|EDX||explorer.edexa.network
5464|Saga|GAS||sagaevm.sagaexplorer.io;5551|Nahmii 2 Mainnet|ETH||explorer.n2.nahmii.io
5611|opBNB Testnet|tBNB||testnet.opbnbscan.com;5700|Syscoin Tanenbaum Testnet|SYS||tanenbaum.io
5858|Chang Chain Foundation Mainnet|CTH||cthscan.com;5887|MANTRA DuKong EVM Testnet|MANTRA||mantrascan.io/dukong
5888|MANTRA EVM|MANTRA||blockscout.mantrascan.io;6000|BounceBit Testnet|BB||testnet.bbscan.io
6001|BounceBit Mainnet|BB||bbscan.io;6343|MegaETH Testnet|ETH||testnet-mega.etherscan.io
6423|YNX Testnet|YNXT||explorer.ynxweb4.com;6497|MIZUHIKI Testnet Awaji|MIZU||awaji.blockscout.com
6900|Nibiru|NIBI||nibiscan.io;6969|Tomb Mainnet|TOMB||tombscout.com
7000|ZetaChain|ZETA||zetascan.com;7001|ZetaChain Athens Testnet|aZETA||testnet.zetascan.com
7070|Planq Mainnet|PLQ||evm.planq.network;7119|Sentrix Chain|SRX||scan.sentrixchain.com
7120|Sentrix Testnet|SRX||scan-testnet.sentrixchain.com;7171|Bitrock Mainnet|BROCK||explorer.bit-rock.io
7200|exSat Network|BTC||scan.exsat.network;7233|InitVerse Mainnet|INI||www.iniscan.com
7234|InitVerse Genesis Testnet|INI||genesis-testnet.iniscan.com;7332|Horizen EON|ZEN||eon-explorer.horizenlabs.io
7518|MEVerse Chain Mainnet|MEV||www.meversescan.io;7560|Cyber|ETH||cyberscan.co
7668|The Root Network|XRP||rootscan.io;7672|The Root Network - Porcini|XRP||porcini.rootscan.io
7700|Canto|CANTO||tuber.build;7847|HyveChain|HYVE||explorer.hyvechain.com
7887|Kinto Mainnet|ETH||explorer.kinto.xyz;7897|Arena-Z|ETH||explorer.arena-z.gg
7979|DOS Chain|DOS||doscan.io;8008|Polynomial|ETH||polynomialscan.io
8017|iSunCoin Mainnet|ISC||baifa.io/app/chains/8017;8082|Shardeum Sphinx|SHM||explorer-sphinx.shardeum.org
8118|Shardeum|SHM||explorer.shardeum.org;8150|Alpen Testnet|sBTC||explorer.testnet.alpenlabs.io
8217|Kaia|KAIA||kaiascan.io;8333|B3|ETH||explorer.b3.fun
8408|ZenChain Testnet|ZTC||zentrace.io;8428|THAT Mainnet|THAT||that.blockscout.com
8668|Hela Mainnet|HLUSD||mainnet-blockexplorer.helachain.com;8822|IOTA EVM|IOTA||explorer.evm.iota.org
8866|SuperLumio|ETH||explorer.lumio.io;8880|Unique Mainnet|UNQ||unique.subscan.io
8881|Quartz Mainnet|QTZ||quartz.subscan.io;8882|Opal Testnet|OPL||opal.subscan.io
8899|JB Chain|JBC||exp-l1.jibchain.net;9000|Evmos Testnet|EVMOS||evm.evmos.dev
9001|Evmos|EVMOS||escan.live;9002|Kortana|DNR||explorer.mainnet.kortana.xyz
9280|Rabbit Chain Testnet|tRAB||explorer-testnet.rabbitchain.org;9496|Load Alphanet|tLOAD||explorer.load.network
9700|OORT MainnetDev|OORT||dev-scan.oortech.com;9745|Plasma|XPL||plasmascan.to
9746|Plasma Testnet|XPL||testnet.plasmascan.to;9747|Plasma Devnet|XPL
9990|Agung Network|AGNG||agung-testnet.subscan.io;10081|Japan Open Chain Testnet|JOCT||explorer.testnet.japanopenchain.org
10143|Monad Testnet|MON||testnet.monadexplorer.com;10200|Gnosis Chiado|xDAI||blockscout.chiadochain.net
10218|Tea Sepolia|TEA||sepolia.tea.xyz;10242|Arthera|AA||explorer.arthera.net
10243|Arthera Testnet|AA||explorer-test.arthera.net;11011|Shape Sepolia Testnet|ETH||explorer-sepolia.shape.network
11100|Bool Beta Mainnet|BOL||beta-mainnet.boolscan.com;11124|Abstract Testnet|ETH||sepolia.abscan.org
11235|HAQQ Mainnet|ISLM||explorer.haqq.network;11501|BEVM Mainnet|BTC||scan-mainnet.bevm.io
11822|Artela Testnet|ART||betanet-scan.artela.network;12306|Fibo Chain|FIBO||scan.fibochain.org
12323|Huddle01 dRTC Chain|ETH||huddle01.calderaexplorer.xyz;12324|L3X Protocol|ETH||explorer.l3x.com
12325|L3X Protocol Testnet|ETH||explorer-testnet.l3x.com;12553|RSS3 VSL Mainnet|RSS3||scan.rss3.io
13001|SnaxChain Testnet|ETH||testnet-explorer.snaxchain.io;13337|Beam Testnet|BEAM||subnets-test.avax.network/beam
13370|Cannon|ETH;13371|Immutable zkEVM|IMX||explorer.immutable.com
13381|Phoenix Blockchain|PHX||phoenixplorer.com;13473|Immutable zkEVM Testnet|IMX||explorer.testnet.immutable.com
14800|Vana Moksha Testnet|VANA||moksha.vanascan.io;14853|Humanode Testnet 5|HMND
15000|Quai Network Testnet|QUAI||orchard.quaiscan.io;15551|LoopNetwork Mainnet|LOOP||explorer.mainnetloop.com
15557|EOS EVM Testnet|EOS||explorer.testnet.evm.eosnetwork.com;16507|Genesys Mainnet|GSYS||gchainexplorer.genesys.network
16600|0G Newton Testnet|A0GI||chainscan-newton.0g.ai;16601|0G Galileo Testnet|A0GI||chainscan-galileo.0g.ai
16602|0G Galileo Testnet|0G||chainscan-galileo.0g.ai;16661|0G Mainnet|0G||chainscan.0g.ai
17000|Holesky|ETH||holesky.etherscan.io;17069|Garnet Testnet|ETH||explorer.garnetchain.com
17777|EOS EVM|EOS||explorer.evm.eosnetwork.com;18233|Unreal|reETH||unreal.blockscout.com
18881|Ultra EVM Testnet|UOS||evmexplorer.testnet.ultra.io;19991|Ultra EVM|UOS||evmexplorer.ultra.io
20993|Fluent Devnet|ETH||devnet.fluentscan.xyz;20994|Fluent Testnet|ETH||testnet.fluentscan.xyz
21363|Lestnet|LETH||explore.lestnet.org;22222|Nautilus Mainnet|ZBC|9|nautscan.com
22776|MAP Protocol|MAPO||maposcan.io;23023|PremiumBlock Testnet|PBLK||scan.premiumblock.org
23294|Oasis Sapphire|ROSE||explorer.oasis.io/mainnet/sapphire;23295|Oasis Sapphire Testnet|TEST||explorer.oasis.io/testnet/sapphire
23451|DreyerX Mainnet|DRX||scan.dreyerx.com;23452|DreyerX Testnet|DRX||testnet-scan.dreyerx.com
25363|Fluent|ETH||fluentscan.xyz;25925|Bitkub Testnet|tKUB||testnet.bkcscan.com
28882|Boba Sepolia|ETH||testnet.bobascan.com;29112|HYCHAIN Testnet|TOPIA||testnet-rpc.hychain.com/http
29548|MCH Verse|OAS||explorer.oasys.mycryptoheroes.net;31318|Tempo Devnet|USD|6|explore.devnet.tempo.xyz
31611|Mezo Testnet|BTC||explorer.test.mezo.org;31612|Mezo|BTC||explorer.mezo.org
32520|Bitgert Mainnet|Brise||brisescan.com;32659|Fusion Mainnet|FSN||fsnscan.com
32769|Zilliqa|ZIL||evmx.zilliqa.com;33101|Zilliqa Testnet|ZIL||evmx.testnet.zilliqa.com
33111|Curtis|APE||explorer.curtis.apechain.com;33139|ApeChain|APE||apescan.io
33979|Funki|ETH||funkiscan.io;34443|Mode Mainnet|ETH||modescan.io
34952|Morph Tachyon Testnet|BGB||testnet-app.popdex.xyz/explorer;35441|Q Mainnet|Q||explorer.q.org
35443|Q Testnet|Q||explorer.qtestnet.org;36900|ADI_Chain|ADI||explorer.adifoundation.ai
37111|Lens Testnet|GRASS||block-explorer.testnet.lens.dev;38833|Igra Network|iKAS||explorer.igralabs.com
40204|Citrate|SALT;41455|Aleph Zero|AZERO||evm-explorer.alephzero.org
41923|EDU Chain|EDU||explorer.educhain.xyz;42000|Helios Testnet|HLS||explorer.helioschainlabs.org
42026|Donatuz|ETH||explorer.donatuz.com;42070|WMC Testnet|WMTx||explorer2-base-testnet.worldmobile.net
42170|Arbitrum Nova|ETH||nova.arbiscan.io;42220|Celo|CELO||celoscan.io
42420|AssetChain Mainnet|RWA||scan.assetchain.org;42421|AssetChain Testnet|RWA||scan-testnet.assetchain.org
42431|Tempo Testnet (Moderato)|USD|6|explore.testnet.tempo.xyz;42766|ZKFair Mainnet|USDC||scan.zkfair.io
42793|Etherlink|XTZ||explorer.etherlink.com;43111|Hemi|ETH||explorer.hemi.xyz
43113|Avalanche Fuji|AVAX||testnet.snowtrace.io;43419|Gunz Mainnet|GUN||gunzscan.io
43521|Formicarium|M||formicarium.memecorescan.io;43851|ZKFair Testnet|USDC||testnet-scan.zkfair.io
44787|Alfajores|A-CELO||celo-alfajores.blockscout.com;45003|Juneo JUNE-Chain|JUNE||juneoscan.io/chain/2
45004|Juneo DAI1-Chain|DAI1||juneoscan.io/chain/5;45005|Juneo USDT1-Chain|USDT1||juneoscan.io/chain/3
45006|Juneo USD1-Chain|USD1||juneoscan.io/chain/4;45007|Juneo mBTC1-Chain|mBTC1||juneoscan.io/chain/9
45008|Juneo GLD1-Chain|GLD1||juneoscan.io/chain/8;45009|Juneo LTC1-Chain|LTC1||juneoscan.io/chain/11
45010|Juneo DOGE1-Chain|DOGE1||juneoscan.io/chain/10;45011|Juneo EUR1-Chain|EUR1||juneoscan.io/chain/6
45012|Juneo SGD1-Chain|SGD1||juneoscan.io/chain/7;45013|Juneo BCH1-Chain|BCH1||juneoscan.io/chain/12
45014|Juneo LINK1-Chain|LINK1||juneoscan.io/chain/13;46630|Robinhood Chain Testnet|ETH||explorer.testnet.chain.robinhood.com
46688|Fusion Testnet|FSN||testnet.fsnscan.com;47763|Neo X Mainnet|GAS||xexplorer.neo.org
47805|REI Mainnet|REI||scan.rei.network;48898|Zircuit Garfield Testnet|ETH||explorer.garfield-testnet.zircuit.com
48900|Zircuit Mainnet|ETH||explorer.zircuit.com;50005|Yooldo Verse|OAS||explorer.yooldo-verse.xyz
50006|Yooldo Verse Testnet|OAS||explorer.testnet.yooldo-verse.xyz;50104|Sophon|SOPH||explorer.sophon.xyz
50312|Somnia Testnet|STT||shannon-explorer.somnia.network;50341|Reddio Sepolia|RED||reddio-devnet.l2scan.co
50342|Reddio|RED||reddio.cloud.blockscout.com;52014|Electroneum Mainnet|ETN||blockexplorer.electroneum.com
53302|Superseed Sepolia|ETH||sepolia-explorer.superseed.xyz;53456|BirdLayer|ETH||scan.birdlayer.xyz
53457|DODOchain Testnet|DODO||testnet-scan.dodochain.com;53935|DFK Chain|JEWEL||subnets.avax.network/defi-kingdoms
54170|Graphite Network Testnet|@G||test.atgraphite.com;54211|HAQQ Testedge 2|ISLMT||explorer.testedge2.haqq.network
55244|Superposition|ETH||explorer.superposition.so;55931|Datahaven Testnet|MOCK||testnet.dhscan.io
57000|Rollux Testnet|SYS||rollux.tanenbaum.io;57054|Sonic Blaze Testnet|S||testnet.sonicscan.org
57073|Ink|ETH||explorer.inkonchain.com;58008|PGN|ETH||explorer.sepolia.publicgoods.network
59140|Linea Goerli Testnet|ETH||goerli.lineascan.build;59141|Linea Sepolia Testnet|ETH||sepolia.lineascan.build
59144|Linea Mainnet|ETH||lineascan.build;59902|Metis Sepolia|tMETIS||sepolia-explorer.metisdevops.link
60600|POTOS Testnet|POT||scan-testnet.potos.hk;60603|POTOS Mainnet|POT||scan.potos.hk
60808|BOB|ETH||explorer.gobob.xyz;61166|Treasure|MAGIC||treasurescan.io
62049|Optopia Testnet|ETH||scan-testnet.optopia.ai;62050|Optopia|ETH||scan.optopia.ai
62092|TikTrix Testnet|tTTX||tiktrix.xyz;62606|Apollo|APOLLO||apolloscan.io
63157|Geist Mainnet|GHST||geist-mainnet.explorer.alchemy.com;64165|Sonic Testnet|S||testnet.soniclabs.com
64240|Fantom Sonic Open Testnet|FTM||public-sonic.fantom.network;66665|Creator|ETH||explorer.creatorchain.io
68414|Henesys|NXPC||subnets.avax.network/henesys;71402|Godwoken Mainnet|pCKB||v1.gwscan.com
72344|Radius Test Network|RUSD||testnet.radiustech.xyz;73115|ICB Network|ICBX||icbscan.io
80002|Polygon Amoy|POL||amoy.polygonscan.com;80008|Polynomia Sepolia|ETH||sepolia.polynomialscan.io
80069|Berachain Bepolia|BERA||testnet.berascan.com;80084|Berachain bArtio|BERA||bartio.beratrail.io
80085|Berachain Artio|BERA||artio.beratrail.io;80094|Berachain|BERA||berascan.com
80931|Forta Chain|FORT||explorer.forta.org;81224|Codex|ETH||explorer.codex.xyz
81457|Blast|ETH||blastscan.io;84531|Base Goerli|ETH||goerli.basescan.org
84532|Base Sepolia|ETH||sepolia.basescan.org;86608|CpChain|CP||explorer.cpchain.com
88882|Chiliz Spicy Testnet|CHZ;88888|Chiliz Chain|CHZ||scan.chiliz.com
88991|Jibchain Testnet|tJBC||exp.testnet.jibchain.net;91342|GIWA Sepolia|ETH||sepolia-explorer.giwa.io
96370|Lumoz|MOZ||scan.lumoz.info;97453|Sidra Chain|SDA||ledger.sidrachain.com
97476|Doma Testnet|ETH||explorer-testnet.doma.xyz;98864|Plume Devnet (Legacy)|ETH||test-explorer.plumenetwork.xyz
98865|Plume (Legacy)|ETH||explorer.plumenetwork.xyz;98866|Plume|PLUME||explorer.plume.org
98867|Plume Testnet|PLUME||testnet-explorer.plume.org;100009|Vechain|VET||explore.vechain.org
100021|Sova|ETH||explorer.sova.io;101003|Socotra JUNE-Chain|JUNE||socotra.juneoscan.io/chain/2
102030|Creditcoin|CTC||creditcoin.blockscout.com;102031|Creditcoin Testnet|tCTC||creditcoin-testnet.blockscout.com
102032|Creditcoin Devnet|devCTC||creditcoin-devnet.blockscout.com;105105|Stratis Mainnet|STRAX||explorer.stratisevm.com
105363|Lumoz Testnet|MOZ;110110|Mars Credit|MARS||blockscan.marscredit.xyz
111188|re.al|reETH||explorer.re.al;120893|Sova Network Sepolia|ETH||explorer.testnet.sova.io
124832|Mitosis Testnet|MITO||testnet.mitosiscan.xyz;127001|Gravity|G||mainnet-explorer.gravity.xyz
127823|Etherlink Shadownet Testnet|XTZ||shadownet.explorer.etherlink.com;128123|Etherlink Testnet|XTZ||testnet.explorer.etherlink.com
132902|Form Testnet|ETH||sepolia-explorer.form.network;167000|Taiko Mainnet|ETH||taikoscan.io
167005|Taiko (Alpha-3 Testnet)|ETH||explorer.test.taiko.xyz;167007|Taiko Jolnir (Alpha-5 Testnet)|ETH||explorer.jolnir.taiko.xyz
167008|Taiko Katla (Alpha-6 Testnet)|ETH||explorer.katla.taiko.xyz;167009|Taiko Hekla L2|ETH||hekla.taikoscan.network
167013|Taiko Hoodi|ETH||hoodi.taikoscan.io;181228|HPP Sepolia|ETH||sepolia-explorer.hpp.io
190415|HPP Mainnet|ETH||explorer.hpp.io;200024|Nitrograph Testnet|NOS||explorer-testnet.nitrograph.foundation
200810|Bitlayer Testnet|BTC||testnet.btrscan.com;200901|Bitlayer Mainnet|BTC||www.btrscan.com
202601|Ronin Saigon Testnet|RON||saigon-explorer.roninchain.com;205205|Auroria Testnet|tSTRAX||auroria.explorer.stratisevm.com
309075|One World Chain Mainnet|OWCT||mainnet.oneworldchain.org;314159|Filecoin Calibration|tFIL||calibration.filscan.io
360890|LAVITA Mainnet|vTFUEL||tsub360890-explorer.thetatoken.org;380929|Silent Data Mainnet|ETH||explorer-mainnet.rollup.silentdata.com
421613|Arbitrum Goerli|ETH||goerli.arbiscan.io;421614|Arbitrum Sepolia|ETH||sepolia.arbiscan.io
440017|Graphite Network|@G||main.atgraphite.com;450815|Maroo Testnet|tOKRW||explorer-testnet.maroo.io
490092|Pumpfi Testnet|PMPT||testnetscan.pumpfi.me;513100|DisChain|DIS||www.oklink.com/dis
534351|Scroll Sepolia|ETH||sepolia.scrollscan.com;534352|Scroll|ETH||scrollscan.com
543210|Zero Network|ETH||explorer.zero.network;555888|DustBoy IoT|DST||dustboy.jibl2.com
560048|Hoodi|ETH||hoodi.etherscan.io;631571|Polter Testnet|GHST||polter-testnet.explorer.alchemy.com
641230|Bear Network Chain Mainnet|BRNKC||brnkscan.bearnetwork.net;656476|EDU Chain Testnet|EDU||explorer.testnet.educhain.xyz
660279|Xai Mainnet|XAI||explorer.xai-chain.net;666666|Vision Testnet|VS
685689|Gensyn Mainnet|ETH||gensyn-mainnet.explorer.alchemy.com;695569|Pyrope Testnet|ETH||pyrope.blockscout.com
723487|Radius Network|RUSD||network.radiustech.xyz;743111|Hemi Sepolia|ETH||testnet.explorer.hemi.xyz
747474|Katana|ETH||katanascan.com;751230|Bear Network Chain Testnet|tBRNKC||brnktest-scan.bearnetwork.net
752025|Ternoa|CAPS||explorer-mainnet.zkevm.ternoa.network;763373|Ink Sepolia|ETH||explorer-sepolia.inkonchain.com
763375|Surge Testnet|ETH||explorer.hoodi.surge.wtf;808813|BOB Sepolia|ETH||bob-sepolia.explorer.gobob.xyz
810180|zkLink Nova|ETH||explorer.zklink.io;810181|zkLink Nova Sepolia Testnet|ETH||sepolia.explorer.zklink.io
812242|Codex Testnet|ETH||explorer.codex-stg.xyz;839999|exSat Testnet|BTC||scan-testnet.exsat.network
888888|Vision|VS||visionscan.org;911867|Odyssey Testnet|ETH||odyssey-explorer.ithaca.xyz
978658|Treasure Topaz Testnet|MAGIC||topaz.treasurescan.io;984122|Forma|TIA||explorer.forma.art
984123|Forma Sketchpad|TIA||explorer.sketchpad-1.forma.art;1337803|Zhejiang|ZhejETH||zhejiang.beaconcha.in
1440000|XRPL EVM|XRP||explorer.xrplevm.org;1440002|XRPL EVM Devnet|XRP||explorer.xrplevm.org
1449000|XRPL EVM Testnet|XRP||explorer.testnet.xrplevm.org;1612127|PlayFi Albireo Testnet|ETH||albireo-explorer.playfi.ai
1998991|Xphere Testnet|XPT||xpt.tamsa.io;2019775|Jovay Sepolia Testnet|ETH||sepolia-explorer.jovay.io/l2
2524852|Huddle01 dRTC Chain Testnet|ETH||huddle-testnet.explorer.caldera.xyz;2651420|Horizen Testnet|ETH||horizen-testnet.explorer.caldera.xyz
3397901|Funki Sepolia Sandbox|ETH||sepolia-sandbox.funkichain.com;3441005|Manta Pacific Testnet|ETH||pacific-explorer.testnet.manta.network
3441006|Manta Pacific Sepolia Testnet|ETH||pacific-explorer.sepolia-testnet.manta.network;5042002|Arc Testnet|USDC||testnet.arcscan.app
5201420|Electroneum Testnet|ETN||blockexplorer.thesecurityteam.rocks;5318007|Reactive Lasna Testnet|lREACT||lasna.reactscan.net
5734951|Jovay Mainnet|ETH||explorer.jovay.io/l2;6038361|Astar zkEVM Testnet zKyoto|ETH||zkyoto.explorer.startale.com
6912115|ENI Testnet|ENI||scan-testnet.eniac.network;6985385|Humanity|H||humanity-mainnet.explorer.alchemy.com
7080969|Humanity Testnet|tHP||humanity-testnet.explorer.alchemy.com;7225878|Saakuru Mainnet|OAS||explorer.saakuru.network
7771777|VALYGO Smartchain|VYO||vyoscan.com;7773777|VALYGO NFT|VYO||nft.vyoscan.com
7777777|Zora|ETH||explorer.zora.energy;9999999|Fluence|FLT||blockscout.mainnet.fluence.dev
10241024|AlienX Mainnet|ETH||explorer.alienxchain.io;10241025|ALIENX Hal Testnet|ETH||hal-explorer.alienxchain.io
11142220|Celo Sepolia Testnet|S-CELO||celo-sepolia.blockscout.com;11155420|OP Sepolia|ETH||optimism-sepolia.blockscout.com
11155931|RISE Testnet|ETH||explorer.testnet.riselabs.xyz;12227332|Neo X Testnet T4|GAS||xt4scan.ngd.network
20240603|DBK chain|ETH||scan.dbkchain.io;20241133|Swan Proxima Testnet|sETH||proxima-explorer.swanchain.io
20250217|Xphere Mainnet|XP||xp.tamsa.io;20256789|ETP Mainnet|ETP||etpscan.xyz
21000000|Corn|BTCN||cornscan.io;21000001|Corn Testnet|BTCN||testnet.cornscan.io
21072026|Zagros|ZAGROS||zagrosradar.com;22052002|Excelon Mainnet|xlon||explorer.excelon.io
28122024|Ancient8 Testnet|ETH||scanv2-testnet.ancient8.gg;33772211|Xone Chain Testnet|XOC||testnet.xonescan.com
37084624|SKALE Nebula Testnet|sFUEL||lanky-ill-funny-testnet.explorer.testnet.skalenodes.com;41144114|Otim Devnet|ETH
52164803|Fluence Testnet|tFLT||blockscout.testnet.fluence.dev;111557560|Cyber Testnet|ETH||testnet.cyberscan.co
161221135|Plume Testnet (Legacy)|ETH||testnet-explorer.plumenetwork.xyz;168587773|Blast Sepolia|ETH||sepolia.blastscan.io
245022926|Neon EVM DevNet|NEON||devnet.neonscan.org;245022934|Neon EVM MainNet|NEON||neonscan.org
253368190|Flame|TIA||explorer.flame.astria.org;278611351|SKALE  Razor Network|sFUEL||turbulent-unique-scheat.explorer.mainnet.skalenodes.com
324705682|SKALE Base Sepolia Testnet|CREDIT||base-sepolia-testnet-explorer.skalenodes.com;333000333|Meld|MELD||meldscan.io
391845894|SKALE  Block Brawlers|BRAWL||frayed-decent-antares.explorer.mainnet.skalenodes.com;420420421|Westend Asset Hub|WND||westend-asset-hub-eth-explorer.parity.io
420420422|Paseo PassetHub|PAS||blockscout-passet-hub.parity-testnet.parity.io;531050104|Sophon Testnet|SOPH||explorer.testnet.sophon.xyz
666666666|Degen|DEGEN||explorer.degen.tips;728126428|Tron|TRX|6|tronscan.org
888888888|Ancient8|ETH||scan.ancient8.gg;974399131|SKALE Calypso Testnet|sFUEL||giant-half-dual-testnet.explorer.testnet.skalenodes.com
994873017|Lumia Mainnet|LUMIA||explorer.lumia.org;999999999|Zora Sepolia|ETH||sepolia.explorer.zora.energy
1020352220|SKALE Titan Testnet|sFUEL||aware-fake-trim-testnet.explorer.testnet.skalenodes.com;1026062157|SKALE  CryptoBlades|sFUEL||affectionate-immediate-pollux.explorer.mainnet.skalenodes.com
1032942172|SKALE  Crypto Colosseum|sFUEL||haunting-devoted-deneb.explorer.mainnet.skalenodes.com;1187947933|SKALE Base|CREDIT||skale-base-explorer.skalenodes.com
1273227453|SKALE  Human Protocol|sFUEL||wan-red-ain.explorer.mainnet.skalenodes.com;1313161554|Aurora|ETH||aurorascan.dev
1313161555|Aurora Testnet|ETH||testnet.aurorascan.dev;1350216234|SKALE Titan Hub|sFUEL||parallel-stormy-spica.explorer.mainnet.skalenodes.com
1444673419|SKALE Europa Testnet|sFUEL||juicy-low-small-testnet.explorer.testnet.skalenodes.com;1482601649|SKALE Nebula Hub|sFUEL||green-giddy-denebola.explorer.mainnet.skalenodes.com
1523903251|Haust Network Testnet|HAUST||explorer-testnet.haust.app;1564830818|SKALE Calypso Hub|sFUEL||honorable-steel-rasalhague.explorer.mainnet.skalenodes.com
1660990954|Status Network Sepolia|ETH||sepoliascan.status.network;1666600000|Harmony One|ONE||explorer.harmony.one
1722641160|Silicon Sepolia zkEVM|ETH||scope-sepolia.silicon.network;1802203764|Kakarot Sepolia|ETH||sepolia.kakarotscan.org
1952959480|Lumia Testnet|LUMIA||testnet-explorer.lumia.org;2046399126|SKALE Europa Hub|sFUEL||elated-tan-skat.explorer.mainnet.skalenodes.com
2139927552|Exorde Network|sFUEL||light-vast-diphda.explorer.mainnet.skalenodes.com;2494104990|Tron Shasta|TRX|6|shasta.tronscan.org
3448148188|Tron Nile|TRX|6|nile.tronscan.org;7078815900|Mekong Pectra Devnet|eth||explorer.mekong.ethpandaops.io
11297108099|Palm Testnet|PALM||palm.chainlens.com;37714555429|Xai Testnet|sXAI||testnet-explorer-v2.xai-chain.net
123420000220|Fluence Stage|tFLT||blockscout.stage.fluence.dev;123420001114|Basecamp Testnet|CAMP||basecamp.cloud.blockscout.com
383414847825|Zeniq Mainnet|ZENIQ||zeniqscan.com;920637907288165|Kakarot Starknet Sepolia|ETH||sepolia.kakarotscan.org
2713017997578000|Dchain Testnet|ETH||dchaintestnet-2713017997578000-1.testnet.sagaexplorer.io;2716446429837000|Dchain|ETH||dchain-2716446429837000-1.sagaexplorer.io
`;
