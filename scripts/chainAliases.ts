// Completes viem's list of chains: short names of EIP-3770 (ethereum-lists/chains), names that hosted services use, and
// explorers (the words with a dot), each after the chain's id.
export const CHAIN_ALIASES = `
1 eth ethereum homestead eth.blockscout.com etherscan.io ethplorer.io beaconcha.in
2 exp
5 gor eth-goerli.blockscout.com goerli.etherscan.io
7 tch
8 ubq
10 oeth op optimism.blockscout.com optimistic.etherscan.io explorer.optimism.io
11 meta
14 flr mainnet.flarescan.com
16 cflr coston.testnet.flarescan.com
19 sgb songbird.flarescan.com
20 esc
21 esct
25 cro cronos cronoscan.com explorer.cronos.org
30 rsk rootstock.blockscout.com
31 trsk explorer.testnet.rsk.co
40 telosevm
41 telosevmtestnet
47 aic
50 xdcscan.io xdc.blocksscan.io
51 txdc apothem.xinfinscan.com apothem.blocksscan.io
52 cet
56 bnb binance binance-smart-chain bnbchain bnb-smart-chain bscscan.com bsctrace.com
57 sys
60 go
61 etc etc.blockscout.com explorer-blockscout.etc-network.info explorer-alethio.etc-network.info etcerscan.com etc.tokenview.io
66 okt
71 cfxtest evmtestnet.confluxscan.net
81 joc
83 meter-test
86 gt
88 vic
89 vict
94 sdlt
96 bkc
97 bnbt bnb-testnet binance-testnet testnet.bscscan.com
98 six
100 gno xdai gnosis-chain gnosis.blockscout.com gnosisscan.io
103 wlc
106 vlx
108 tt
109 shibariumecosystem
114 c2flr coston2.testnet.flarescan.com
123 spark
130 uniscan.xyz unichain.blockscout.com
133 hskt hashkeychain-testnet-explorer.alt.technology
137 matic pol polygon-pos matic-network polygonscan.com polygon.blockscout.com
138 dfio-meta-main blockscout.defi-oracle.io explorer.defi-oracle.io
140 eter
143 mon monadvision.com
146 sonicscan.org
148 shimmerevm
151 rbn
153 rbn-testnet explorer.testnet.redbelly.network
157 puppynet
177 hsk
183 ethernity-mainnet
196 okb
199 btt
204 obnb mainnet.opbnbscan.com opbnb.bscscan.com
223 b2-mainnet
239 tacchain
242 plgchain
246 ewt
248 oas explorer.oasys.games
250 ftm ftmscan.com explorer.fantom.network
251 glide
252 fraxscan.com
253 glidexp
261 tguru
295 hedera-mainnet
300 zksync-sepolia sepolia-era.zksync.network
311 omaxray.com
314 filscan.io
321 kcs
324 era zksync-era explorer.zksync.io era.zksync.network
336 sdn
338 tcro
361 theta-mainnet
369 pls pulse scan.pulsechain.com otter.pulsechain.com
388 zkcro
420 ogor optimism-goerli.blockscout.com
462 tarea
463 area
478 formnetwork
480 wc worldchain-mainnet.explorer.alchemy.com
570 sys-rollux
571 metatime
592 astr
595 maca
646 eth.flowscan.io
686 kar
699 tmatchain
701 darwinia-koi
721 lyc
747 flow
766 qom
787 aca
841 tara
842 taratest
888 wan
919 modesep
943 t4pls otter-testnet-pulsechain.g4mm4.io
964 bittensor-evm-mainnet
988 stablescan.xyz
995 5ire
997 t5ire
999 hyper_evm purrsec.com hyperscan.com
1001 kaia-kairos kairos.kaiascope.com
1012 new
1028 tbtt testscan.bittorrentchain.io
1030 cfx evm.confluxscan.net
1039 bronos-mainnet
1073 shimmerevm-testnet
1075 iotaevm-testnet
1088 metis-andromeda andromeda-explorer.metis.io
1101 zkevm zkevm.polygonscan.com
1112 twemix microscope.test.wemix.com
1114 tcore2
1115 tcore
1116 core
1123 b2-testnet
1130 dfi
1131 dfi-t
1231 ultronmainnet utronmainnet
1284 mbeam moonbeam.moonscan.io moonscan.io
1285 mriver
1287 mbase moonbase
1301 unichain-sep unichain-sepolia.blockscout.com
1329 seitrace.com
1338 elst
1442 testnet-zkevm-mango
1453 metatimeistanbul
1514 sty
1625 gscan.xyz
1686 minttest
1729 reya
1874 wch-sepolia
1875 wbt
1923 swellchainscan.io
1924 swellchain-sep
1946 minato explorer-testnet.soneium.org
1995 edxt edx
2000 dc
2017 tel
2021 edg
2022 edgt
2024 saturn
2039 aleph
2221 tkava
2331 rss3-testnet
2340 atla polkadot-explorer.atleta.network
2355 silicon-zk
2391 tacchain_2391-1
2442 zkevm-testnet-cardona
2625 twbt
2710 tmorph
2730 txr
2741 abstract abscan.org
2810 hmorph
3068 bfc
3109 savm
3110 tsavm
3636 btnxt blockscout.botanixlabs.dev
3637 btnx btcm btxtestchain.com
3737 csb
3776 astrzk
3939 dost
3993 apexsep
4002 tftm testnet.ftmscan.com
4090 oasis
4200 merlin-mainnet
4202 lisksep
4460 orderlyl2
4663 robinhoodchain
4689 iotex-mainnet
4759 testmev
4777 tbxn
4801 wcsep
5000 mnt explorer.mantle.xyz mantlescan.xyz
5003 mnt-sep
5124 seismic-testnet
5165 ftn
5234 hmnd
5330 sseed
5611 obnbt opbnb-testnet.bscscan.com opbnbscan.com
5700 tsys
5858 changchain
5887 dukong
5888 mantrachain
6001 bouncebit-mainnet
6497 awaji
6900 cataclysm-1
6969 tombchain
7000 zetachain-mainnet zeta explorer.zetachain.com
7001 zetachain-testnet athens.explorer.zetachain.com zetachain-athens-3.blockscout.com
7070 explorer.planq.network
7200 xsat
7560 cyeth
7668 trn-mainnet explorer.rootnet.live
7672 trn-porcini explorer.rootnet.cloud
7887 kintomainnet
7979 dos
8017 isc
8082 sphinx10
8150 alpen
8217 kaia-mainnet kaiascope.com
8408 zentest
8453 base.blockscout.com basescan.org
8822 iotaevm
8880 unq
8881 qtz
8882 opl
9000 testnet.escan.live
9496 twvm
9700 mainnetdev
9745 plasmascan.to
9990 agng agung.subscan.io
10081 joct
10143 mon-testnet testnet.monadscan.com testnet.monadexplorer.com
10200 chi gnosis-testnet gnosis-chiado.blockscout.com
10242 aa
10243 aat
11011 shapesep
11124 abstract-sepolia
11235 islm
11501 bevm
11822 artela
13371 imx
13473 imx-testnet
14601 testnet.sonicscan.org
14853 hmnd-t5
16600 0gai-testnet
16661 0g
17000 holesky holesky.beaconcha.in holesky.otterscan.io holesky.etherscan.io
21363 leth
22222 nautchain
22776 mapo
23451 dreyerx
25925 bkct
29112 testnet.explorer.hychain.com
29548 mchv
32520 brise
32659 fsn
32769 zil
33101 zil-testnet
33139 apescan.io
33979 funki funki.superscan.network
34443 explorer.mode.network modescan.io
35441 q
37111 lens-sepolia
41923 occ-mainnet edu-chain.blockscout.com
42161 arb1 arbitrum-one arb explorer.arbitrum.io arbiscan.io arbitrum.blockscout.com
42170 arb-nova nova-explorer.arbitrum.io nova.arbiscan.io
42220 explorer.celo.org celoscan.io
42421 rwa
42766 zkfair-mainnet
42793 etlk
43113 fuji avalanche-testnet testnet.snowtrace.io testnet.snowscan.xyz
43114 avax avalanche-c-chain avaxc avalanche-c snowtrace.io snowscan.xyz
43419 gunz-mainnet
44787 alfa alfajores.celoscan.io
46630 robinhoodchaintestnet
46688 tfsn
48900 zircuit-mainnet
50005 yvm
50006 yvt
50104 explorer.sophon.xyz
52014 etn-mainnet
53302 seedsep
53457 dodochain
53935 explorer.dfkchain.com
54211 islmt
55244 spn
57000 tsys-rollux
57054 blaze
57073 explorer.inkonchain.com
58008 seppgn
59140 explorer.goerli.linea.build
59141 explorer.sepolia.linea.build
59144 explorer.linea.build linea.l2scan.co lineascan.build
66665 ceth
71402 gw-mainnet-v1
73115 icbx
80001 maticmum mumbai.polygonscan.com
80002 amoy polygonamoy amoy.polygonscan.com
80084 berachainbartio
80085 berachainartio
80094 bera berascan.com
81457 blastmainnet blastexplorer.io blastscan.io
84531 basegor base-goerli.blockscout.com
84532 basesep base-sep base-sepolia.blockscout.com sepolia.basescan.org
88882 chzspicy chiliz-testnet testnet.chiliscan.com
88888 chzmainnet chiliscan.com
98866 explorer.plume.org
102030 ctc
102031 ctctest
102032 ctcdev
110110 mars
127823 etls
128123 etlt testnet-explorer.etherlink.com
132902 testnet-explorer.form.network
167000 tko-mainnet
167005 taiko-l2
167007 tko-jolnir
167008 tko-katla
167009 tko-hekla blockscoutapi.hekla.taiko.xyz
167013 tko-hoodi
190415 hpp-mainnet
200810 btrt
202601 ronin-testnet
309075 owctm
314159 calibration.filfox.info
360890 lavita-mainnet
421613 arb-goerli
421614 arb-sep arb-sepolia sepolia-explorer.arbitrum.io sepolia.arbiscan.io
513100 dis
534351 scr-sepolia sepolia.scrollscan.com
534352 scr scrollscan.com blockscout.scroll.io
560048 hoe hoodi.etherscan.io
631571 poltergeist
641230 brnkc
656476 open-campus-codex opencampus-codex.blockscout.com
660279 xaiscan.io
666666 vpioneer
743111 hemi-sep
747474 katanascan.com
751230 brnkctest
810181 zklink-nova-sepolia
839999 txsat
978658 topaz
1612127 alberio
3441005 manta-testnet.calderaexplorer.xyz
5201420 etn-testnet
6038361 azkyt astar-zkyoto.blockscout.com
6985385 hp
7080969 thp
7777777 explorer.zora.energy
10241025 alienxhal
11142220 celo-sep
11155111 sep eth-sepolia ethereum-sepolia sepolia.otterscan.io sepolia.etherscan.io eth-sepolia.blockscout.com
11155420 opsep op-sepolia oeth-sepolia sepolia-optimism.etherscan.io optimism-sepolia.blockscout.com sepolia-optimistic.etherscan.io
20241133 proxima
22052002 xlon
28122024 a8
37084624 nebula-testnet
111557560 cysep
161221135 plume-testnet-legacy
168587773 blastsep testnet.blastscan.io
245022926 neonevm-devnet neon-devnet.blockscout.com
245022934 neonevm-mainnet neon.blockscout.com
278611351 razor
666666666 degen-chain
974399131 calypso-testnet
999999999 zsep
1020352220 titan-testnet
1273227453 human-mainnet
1313161554 explorer.aurora.dev
1313161555 explorer.testnet.aurora.dev
1350216234 titan-mainnet
1444673419 europa-testnet
1482601649 nebula-mainnet
1564830818 calypso-mainnet
1660990954 sn-sepolia
1666600000 hmy-s0
1722641160 silicon-sepolia-testnet
1802203764 kkrt-sepolia
2046399126 europa
11297108099 tpalm testnet.palm.chainlens.com
11297108109 explorer.palm.io
383414847825 smart.zeniq.net
920637907288165 kkrt-starknet-sepolia
2713017997578000 dchaint
2716446429837000 dchainmainnet
`;
