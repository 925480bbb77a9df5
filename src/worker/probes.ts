// Origins that may be asked "who are you?" because the user said so just now, for as long as that question takes.
import { type EgressPolicy, originOf } from './egress.ts';

export interface Probes {
  /** The policy with the origins of the questions under way. */
  widened(policy: EgressPolicy): EgressPolicy;
  /** Runs `ask`, during which the origin of `url` may be reached. */
  during<T>(url: string, ask: () => Promise<T>): Promise<T>;
}

export function createProbes(): Probes {
  const open: string[] = [];
  return {
    widened: policy => (open.length === 0 ? policy : { ...policy, origins: new Set([...policy.origins, ...open]) }),
    async during(url, ask) {
      const origin = originOf(url);
      if (origin !== null) open.push(origin);
      try {
        return await ask();
      } finally {
        if (origin !== null) open.splice(open.indexOf(origin), 1);
      }
    },
  };
}
