// Names of events and methods by the bundled table of well-known signatures: what decoding falls back to.
import type { Describer, Description } from '../../panels/decoding.ts';
import { eventByTopic, functionBySelector } from '../../view/signatures/lookup.ts';
import type { Signature } from '../../view/signatures/signature.ts';

const textsOf = (signatures: readonly Signature[]) => [...new Set(signatures.map(({ canonical }) => canonical))];

const candidates = (signatures: readonly Signature[]): Description =>
  signatures.length === 0
    ? null
    : {
        kind: 'ambiguous',
        candidates: signatures.map(({ text, standard }) => ({ signature: text, source: standard })),
      };

/** Knows signatures only: their values are read where an ABI decoder stands behind the same port. */
export function createSignatureDescriber(): Describer {
  return {
    eventsOf: topic0 => textsOf(eventByTopic(topic0)),
    methodsOf: selector => textsOf(functionBySelector(selector)),
    describeLog({ topics: [topic0, ...indexed] }) {
      const found = topic0 === undefined ? [] : eventByTopic(topic0);
      const fitting = found.filter(signature => signature.indexed === indexed.length);
      return candidates(fitting.length > 0 ? fitting : found);
    },
    describeCall: ({ input }) => candidates(functionBySelector(input.slice(0, 10))),
  };
}
