// Compiles the contracts of the test chain, so that programs which start at once all find them in the cache.
import { compileContracts } from './compileContracts.ts';

await compileContracts();
