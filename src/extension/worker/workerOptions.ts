// Memory limits of the worker thread; free of `vscode`, so that a benchmark can use them.

/** A small young generation keeps garbage from piling up during the first sync of a long chain. */
export const workerOptions = {
  name: 'hexlens-worker',
  resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 },
};
