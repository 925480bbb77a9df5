// The start of the service's tests: a filled test chain, or the URL of any node, with the service over it.

import { type AddressBookConfiguration, defaultProxyConfiguration } from '../../src/api/configuration.ts';
import type { Input, OperationId, Output } from '../../src/api/operations/operations.ts';
import { operations } from '../../src/api/operations/operations.ts';
import { decodeReply } from '../../src/api/wire/reply.ts';
import { encodeRequest, type WireReply } from '../../src/api/wire/request.ts';
import type { Clock } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Log } from '../../src/base/log.ts';
import { silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createService, type Service, type ServiceDeps } from '../../src/service/service.ts';
import { createEgress } from '../../src/worker/egress.ts';
import type { Anvil } from './chain/anvil.ts';
import { startFilledAnvil } from './chain/filledAnvil.ts';
import type { TestChain } from './chain/testChain.ts';
import { readUntil } from './readUntil.ts';
import { withTimeouts } from './withTimeouts.ts';

export interface ServiceUnderTest extends Service {
  /** The reply as sent on the wire. */
  send<Id extends OperationId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<WireReply>;
  /** The decoded output; fails when the status is not the operation's own. */
  get<Id extends OperationId>(id: Id, input: Input<Id>): Promise<Output<Id>>;
  /** The sentence of a refusal and its status; fails when the operation succeeds over an index that is not behind. */
  getFault<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
  ): Promise<{ status: number; code: string; message: string }>;
}

export interface ServiceOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly timeoutMs?: number;
  /** Instead, by the body of each request to a node. */
  readonly getTimeoutMs?: (body: string) => number;
  readonly addressBook?: AddressBookConfiguration;
  readonly openStore?: ServiceDeps['openStore'];
  readonly tasks?: ServiceDeps['tasks'];
  readonly getVerifiedSources?: () => readonly string[];
  /** Metadata of a development chain may come from this machine. */
  readonly allowsLoopbackMetadata?: boolean;
  /** With the egress policy of a backend whose settings name no host at all. */
  readonly loopbackOnly?: boolean;
}

/** Whether a reply is of an index that has not reached the head of its chain. */
export const isBehind = (headers: Readonly<Record<string, string>>): boolean =>
  headers['x-hexlens-index']?.startsWith('syncing') ?? false;

/** The service over nodes that are already there; `stop` ends its connections too. */
export function startService(nodes: ServiceDeps['nodes'], options: ServiceOptions = {}): ServiceUnderTest {
  const { clock = systemClock, log = silentLog, timeoutMs = 60_000, openStore, loopbackOnly = false } = options;
  const connections = createUndiciHttp(defaultProxyConfiguration);
  const http = options.getTimeoutMs === undefined ? connections : withTimeouts(connections, options.getTimeoutMs);
  const policy = () => ({
    origins: new Set<string>(),
    keys: new Map(),
    logins: new Map(),
    secrets: new Map(),
    metadataHosts: [],
    timeoutMs: 60_000,
  });
  const service = createService({
    nodes,
    http: loopbackOnly ? createEgress({ http, getPolicy: policy, log }) : http,
    clock,
    log,
    timeoutMs,
    getAddressBook: () => options.addressBook,
    ...(options.getVerifiedSources !== undefined && { getVerifiedSources: options.getVerifiedSources }),
    openStore,
    allowsLoopbackMetadata: () => options.allowsLoopbackMetadata === true,
    tasks: options.tasks,
  });
  const send: ServiceUnderTest['send'] = (id, input, signal) => service.handle(encodeRequest(id, input), { signal });
  return {
    ...service,
    send,
    async get(id, input) {
      const reply = await send(id, input);
      if (reply.status !== operations[id].reply.status) throw new Error(`${id}: ${JSON.stringify(reply.body)}`);
      return decodeReply(operations[id].reply, reply.body) as Output<typeof id>;
    },
    async getFault(id, input) {
      // On a busy machine an answer comes before the index has seen what is refused.
      const { status, headers, body } = await readUntil(
        () => send(id, input),
        reply => !isBehind(reply.headers),
      );
      if (status < 400) throw new Error(`${id} succeeded: ${JSON.stringify(body).slice(0, 500)}`);
      return { status, code: headers['x-hexlens-fault'] ?? '', message: (body as { message: string }).message };
    },
    async stop() {
      await service.stop();
      await connections.stop();
    },
  };
}

export interface FilledChain {
  readonly anvil: Anvil;
  readonly chain: TestChain;
  readonly service: ServiceUnderTest;
  stop(): Promise<void>;
}

export async function startFilledChain(options: ServiceOptions = {}): Promise<FilledChain> {
  const { anvil, chain } = await startFilledAnvil();
  const service = startService({ local: anvil.url }, options);
  return {
    anvil,
    chain,
    service,
    async stop() {
      await service.stop();
      await anvil.stop();
    },
  };
}
