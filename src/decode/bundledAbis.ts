// Only the signatures that HexLens brings, until the artifacts of the workspace are read.
import { createAbiRegistry } from './abiRegistry.ts';

export const bundledAbis = createAbiRegistry();
