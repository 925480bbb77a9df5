// What was read once stays while the node does not respond, and is refreshed when it responds again.
import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import * as vscode from 'vscode';
import type { TestChain } from '../../support/chain/testChain.ts';
import { findFreePort } from '../../support/freePort.ts';
import { getExtension, getHoverText, getTestChain } from './extensionHost.ts';
import { createEntry, createSidebarFixture, type SidebarFixture } from './sidebarFixture.ts';
import { openUntitled, until } from './siweActions.ts';

/** Forwards connections to the chain until it is closed. */
interface Forwarder {
  readonly port: number;
  /** While it is true nothing is forwarded to the chain. */
  isHolding: boolean;
  close(): Promise<void>;
}

async function forward(target: URL, port = 0): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  let isHolding = false;
  const add = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    socket.on('data', data => {
      if (isHolding) held.push(() => other.write(data));
      else other.write(data);
    });
  };
  const server: Server = createServer(incoming => {
    const outgoing = connect(Number(target.port), target.hostname);
    add(outgoing, incoming);
    add(incoming, outgoing);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    port: address.port,
    get isHolding() {
      return isHolding;
    },
    set isHolding(next) {
      isHolding = next;
      if (!isHolding) for (const release of held.splice(0)) release();
    },
    async close() {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

describe('while the node does not respond', () => {
  let chain: TestChain;
  let forwarder: Forwarder;
  let fixture: SidebarFixture | undefined;
  const settings = () => vscode.workspace.getConfiguration('hexlens');
  let nodesBefore: unknown;

  before(async function () {
    const found = getTestChain();
    if (found === undefined) this.skip();
    chain = found;
    await getExtension().activate();
    // A port that no server gets by chance while the forwarder is closed.
    forwarder = await forward(new URL(chain.url), await findFreePort());
    nodesBefore = settings().inspect('nodes')?.workspaceValue;
    const nodes = { local: `http://127.0.0.1:${forwarder.port}` };
    await settings().update('nodes', nodes, vscode.ConfigurationTarget.Workspace);
  });
  after(async () => {
    fixture?.dispose();
    await settings().update('nodes', nodesBefore, vscode.ConfigurationTarget.Workspace);
    await forwarder?.close();
  });

  const restart = async () => {
    forwarder = await forward(new URL(chain.url), forwarder.port);
  };

  it('shows rows with the time when they were read, and refreshes them by itself', async () => {
    fixture = await createSidebarFixture([createEntry('Alice', chain.accounts.alice)]);
    const { tree, labels } = fixture;
    const section = await fixture.path('Alice', 'Balance');
    await until(
      () => labels(section),
      found => /ETH$/.test(found.at(-1) ?? ''),
      'the balance',
    );
    await forwarder.close();
    const stale = await until(
      async () => {
        await tree.refresh(section);
        return labels(section);
      },
      found => /^Read /.test(found[0] ?? ''),
      'the time of the rows',
    );
    assert.match(stale.at(-1) ?? '', /ETH$/);
    const [fault] = await tree.getChildren(section);
    assert.match(String(fault && tree.getTreeItem(fault).contextValue), /\bretry\b/);
    await restart();
    await until(
      () => labels(section),
      found => found.length === 1,
      'the rows without a fault',
    );
  });

  it('shows the sections of a contract at once, and those of its kind when the node responds', async () => {
    fixture?.dispose();
    fixture = await createSidebarFixture([createEntry('Coin', chain.contracts.coin, { kind: 'contract' })]);
    const { path, labels } = fixture;
    forwarder.isHolding = true;
    const coin = await path('Coin');
    const first = await labels(coin);
    assert.ok(first.includes('ERC-20 Transfers') && first.includes('NFT Transfers'), first.join());
    forwarder.isHolding = false;
    await until(
      () => labels(coin),
      found => found.includes('ERC-20 Transfers') && !found.includes('NFT Transfers'),
      'the sections of a token',
    );
  });

  it('shows the last hover with its age and Retry', async () => {
    const { alice } = chain.accounts;
    const document = await openUntitled(`pay("${alice}")`);
    const hover = () => getHoverText(document, alice);
    await until(hover, text => / ETH/.test(text), 'the balance');
    await forwarder.close();
    const text = await until(hover, found => /Read .* ago|just now/.test(found), 'the age of the hover');
    assert.match(text, / ETH[\s\S]*\[Retry\]/);
    await restart();
    await until(hover, found => / ETH/.test(found) && !found.includes('Retry'), 'a new hover');
  });
});
