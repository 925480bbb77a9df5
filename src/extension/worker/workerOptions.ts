// How much memory the backend's thread may use; apart from what needs the editor, so that a bench can hold it to that.

/** A small nursery keeps the first sync of a long chain from piling up garbage; the rest is room that is rarely used. */
export const workerOptions = {
  name: 'hexlens-backend',
  resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 },
};
