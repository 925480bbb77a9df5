// A small Move package and a script that uses it, with addresses of the Aptos test scenario.
import { alice, bob, carol, gem, MOON } from '../aptos/sampleLedger.ts';

/** Text by path relative to the workspace. */
export const moveFiles: ReadonlyMap<string, string> = new Map([
  [
    'move/Move.toml',
    `[package]
name = "Tips"
version = "1.0.0"
upgrade_policy = "compatible"

[addresses]
tips = "${alice}"
treasury = "_"

[dev-addresses]
treasury = "${carol}"

[dependencies.AptosFramework]
git = "https://github.com/aptos-labs/aptos-framework.git"
rev = "mainnet"
subdir = "aptos-framework"
`,
  ],
  [
    'move/sources/tips.move',
    `/// Tips in APT: a share of each goes to the treasury.
module tips::tips {
    use std::signer;
    use aptos_framework::aptos_coin::AptosCoin;
    use aptos_framework::coin;

    const E_NOTHING: u64 = 0x1;
    const SHARE: u64 = 0x14;
    const BOB: address = @${bob};

    struct Jar has key {
        coins: coin::Coin<0x1::aptos_coin::AptosCoin>,
        tips: u64,
    }

    public entry fun tip(from: &signer, amount: u64) acquires Jar {
        assert!(amount > 0, E_NOTHING);
        coin::transfer<AptosCoin>(from, @treasury, amount / SHARE);
        let jar = borrow_global_mut<Jar>(@tips);
        jar.tips = jar.tips + 1;
        coin::merge(&mut jar.coins, coin::withdraw<AptosCoin>(from, amount));
        assert!(signer::address_of(from) != @0x0 && exists<0x1::account::Account>(@0x1), E_NOTHING);
    }
}
`,
  ],
  [
    'scripts/aptos.ts',
    `import { Aptos, AptosConfig, Network } from '@aptos-labs/ts-sdk';

const aptos = new Aptos(new AptosConfig({ network: Network.LOCAL }));
const recipient = '${carol}';
const moon = '${MOON}';
const collectionOwner = '${alice}';
const rubyObject = '${gem.object}';
// https://explorer.aptoslabs.com/txn/3?network=local

await aptos.getAccountCoinAmount({ accountAddress: recipient, coinType: '0x1::aptos_coin::AptosCoin' });
await aptos.getAccountInfo({ accountAddress: '0x1' });
console.log(moon, collectionOwner, rubyObject);
`,
  ],
]);
