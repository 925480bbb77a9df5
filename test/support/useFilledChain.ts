// A filled test chain with the service over it, for all tests of a file or suite.
import { afterAll, beforeAll } from 'vitest';
import { type FilledChain, type ServiceOptions, startFilledChain } from './filledChain.ts';

/** To be called outside of tests: it is there from before the first of them until after the last. */
export function useFilledChain(options?: ServiceOptions): Omit<FilledChain, 'stop'> {
  let started: FilledChain | undefined;
  beforeAll(async () => {
    started = await startFilledChain(options);
  });
  afterAll(() => started?.stop());
  const get = (): FilledChain => {
    if (started === undefined) throw new Error('The chain is started before the first test.');
    return started;
  };
  return {
    get anvil() {
      return get().anvil;
    },
    get chain() {
      return get().chain;
    },
    get service() {
      return get().service;
    },
  };
}
