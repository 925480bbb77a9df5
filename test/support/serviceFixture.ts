// Nodes and services that a test sets up for itself, stopped after it; and values that such tests share.
import { afterEach } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { type ServiceOptions, type ServiceUnderTest, startService } from './filledChain.ts';
import {
  type NodeScript,
  type ScriptedExchange,
  type ScriptedRpcNode,
  startScriptedRpcNode,
} from './scriptedRpcNode.ts';
import { createTestClock } from './testClock.ts';

export interface ServiceFixture {
  /** A node on a free loopback port that answers by the script. */
  node(script: NodeScript): Promise<ScriptedRpcNode>;
  /** The service over these nodes; waiting takes no time unless another clock is given. */
  service(nodes: Readonly<Record<string, string>>, options?: ServiceOptions): ServiceUnderTest;
  /** Ends everything before the test does. */
  clear(): Promise<void>;
}

/** To be called once per test file, outside of tests. */
export function createServiceFixture(): ServiceFixture {
  const stops: (() => Promise<void>)[] = [];
  const clear = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  afterEach(clear);
  return {
    clear,
    async node(script) {
      const made = await startScriptedRpcNode(script);
      stops.push(() => made.stop());
      return made;
    },
    service(nodes, options = {}) {
      const made = startService(nodes, { clock: createTestClock(), ...options });
      stops.push(() => made.stop());
      return made;
    },
  };
}

/** The whole HTTP request is answered by `answer`. */
export const interceptExchange = (answer: (exchange: ScriptedExchange) => void) => (exchange: ScriptedExchange) => {
  answer(exchange);
  return true;
};

export const wallet: Hex = `0x${'ab'.repeat(20)}`;
export const hash32 = (byte: string): Hex => `0x${byte.repeat(32)}`;
