// Origins that may be asked "who are you?" because the user said so just now, for as long as that question takes.
import { type EgressPolicy, parseOrigin } from './egress.ts';

export interface TemporaryOrigins {
  /** The policy with the origins of the questions under way. */
  extendPolicy(policy: EgressPolicy): EgressPolicy;
  /** Runs `ask`, during which the origin of `url` may be reached. */
  allowDuring<T>(url: string, ask: () => Promise<T>): Promise<T>;
}

export function createTemporaryOrigins(): TemporaryOrigins {
  const open: string[] = [];
  return {
    extendPolicy: policy =>
      open.length === 0 ? policy : { ...policy, origins: new Set([...policy.origins, ...open]) },
    async allowDuring(url, ask) {
      const origin = parseOrigin(url);
      if (origin !== null) open.push(origin);
      try {
        return await ask();
      } finally {
        if (origin !== null) open.splice(open.indexOf(origin), 1);
      }
    },
  };
}
