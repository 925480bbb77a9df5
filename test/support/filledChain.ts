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
import { Service, type ServiceDeps, type ServiceEndpoints, type ServiceStores } from '../../src/service/service.ts';
import { createEgress } from '../../src/worker/egress.ts';
import type { Anvil } from './chain/anvil.ts';
import { startFilledAnvil } from './chain/filledAnvil.ts';
import type { TestChain } from './chain/testChain.ts';
import { readUntil } from './readUntil.ts';
import { withTimeouts } from './withTimeouts.ts';

export class ServiceUnderTest extends Service {
  readonly #connections: { stop(): Promise<void> };

  constructor(deps: ServiceDeps, connections: { stop(): Promise<void> }) {
    super(deps);
    this.#connections = connections;
  }

  /** The reply as sent on the wire. */
  send<Id extends OperationId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<WireReply> {
    return this.handle(encodeRequest(id, input), { signal });
  }

  /** The decoded output; fails when the status is not the operation's own. */
  async get<Id extends OperationId>(id: Id, input: Input<Id>): Promise<Output<Id>> {
    const reply = await this.send(id, input);
    if (reply.status !== operations[id].reply.status) throw new Error(`${id}: ${JSON.stringify(reply.body)}`);
    return decodeReply(operations[id].reply, reply.body) as Output<Id>;
  }

  /** The sentence of a refusal and its status; fails when the operation succeeds over an index that is not behind. */
  async getFault<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
  ): Promise<{ status: number; code: string; message: string }> {
    // On a busy machine an answer comes before the index has seen what is refused.
    const { status, headers, body } = await readUntil(
      () => this.send(id, input),
      reply => !isBehind(reply.headers),
    );
    if (status < 400) throw new Error(`${id} succeeded: ${JSON.stringify(body).slice(0, 500)}`);
    return { status, code: headers['x-hexlens-fault'] ?? '', message: (body as { message: string }).message };
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#connections.stop();
  }
}

export interface ServiceOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly timeoutMs?: number;
  /** Instead, by the body of each request to a node. */
  readonly getTimeoutMs?: (body: string) => number;
  readonly addressBook?: AddressBookConfiguration;
  readonly openStore?: ServiceStores['openStore'];
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
export function startService(nodes: ServiceEndpoints['nodes'], options: ServiceOptions = {}): ServiceUnderTest {
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
  return new ServiceUnderTest(
    {
      endpoints: { nodes, timeoutMs },
      http: loopbackOnly ? createEgress({ http, getPolicy: policy, log }) : http,
      clock,
      log,
      getSettings: () => ({
        ...(options.addressBook !== undefined && { addressBook: options.addressBook }),
        verifiedSources: options.getVerifiedSources?.() ?? [],
        metadata: { hosts: [], ipfsGateway: null, allowsLoopback: options.allowsLoopbackMetadata === true },
      }),
      stores: { openStore },
      tasks: options.tasks,
    },
    connections,
  );
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
