// Compiles the contracts of the test chain, so that programs which start at once all find them in the cache.
import { compileContracts } from './compileContracts.ts';
import { GANACHE_EVM } from './ganache.ts';

await compileContracts();
await compileContracts({ evmVersion: GANACHE_EVM });
