// Which sources are those of others, as compilers name them.

/** `node_modules/@openzeppelin/…`, `npm/solady@0.1.0/…` of Hardhat 3, `lib/forge-std/…` of Foundry. */
export const isLibrarySource = (path: string): boolean =>
  /(?:^|\/)(?:node_modules|npm|lib)\//.test(path) || /^@/.test(path);
