// How often the nodes of this machine are asked how they are, while somebody looks.

const ANSWERED_MS = 3_000;
/** One's own node is soon started again, and asking a port where nobody listens costs next to nothing. */
const SILENT_MS = 4_000;

/** Milliseconds until the next question. */
export const getPollDelayMs = (answered: boolean): number => (answered ? ANSWERED_MS : SILENT_MS);
