// Hovers of Solidity show what the node says: private variables by storage, all others by calls, at the same block.
import * as assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { keccak256 } from 'ox/Hash';
import * as vscode from 'vscode';
import { silentLog } from '../../../src/base/log.ts';
import { type AbiProvider, createAbiProvider } from '../../../src/extension/abi/abiProvider.ts';
import { buildDebugInformation } from '../../../src/extension/source/buildDebugInformation.ts';
import { SourceDeployments } from '../../../src/extension/source/sourceDeployments.ts';
import type { ValueProject } from '../../support/chain/valueProjects.ts';
import { createMemento } from './addressBookFixture.ts';
import { getExtension, getTestChain } from './extensionHost.ts';
import { createSidebarBackend, type SidebarBackend } from './sidebarFixture.ts';
import { until } from './siweActions.ts';

type Kind = 'uint' | 'int' | 'bool' | 'address' | 'string' | 'uint[3]';

/** A name in the source, and where the node has its value; without a slot it is called. */
const VALUES: readonly (readonly [name: string, kind: Kind, slot?: number, offset?: number, bytes?: number])[] = [
  ['LIMIT', 'uint'],
  ['rate', 'uint'],
  ['stock', 'uint', 0, 0, 16],
  ['since', 'uint', 0, 16, 8],
  ['isOpen', 'bool', 0, 24, 1],
  ['offset', 'int', 0, 25, 4],
  ['owner', 'address'],
  ['label', 'string', 2],
  ['bins', 'uint[3]', 3],
  ['total', 'uint'],
];
const DEPLOYMENTS = 4;

const toWord = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const hash = (text: string | Uint8Array) =>
  keccak256(typeof text === 'string' ? new TextEncoder().encode(text) : text, { as: 'Hex' });

async function request<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return ((await response.json()) as { readonly result: T }).result;
}

function formatWord(word: bigint, kind: Kind, bytes = 32): string {
  if (kind === 'bool') return String(word !== 0n);
  if (kind === 'int') return String(BigInt.asIntN(8 * bytes, word));
  if (kind !== 'address') return String(word);
  const digits = word.toString(16).padStart(40, '0');
  return `0x${digits.slice(0, 4)}…${digits.slice(-4)}`;
}

/** What the node says, read without any code of HexLens. */
async function readFromNode(url: string, address: string, block: number, value: (typeof VALUES)[number]) {
  const [name, kind, slot, offset = 0, bytes = 32] = value;
  const at = `0x${block.toString(16)}`;
  const readSlot = async (of: bigint) =>
    BigInt(await request<string>(url, 'eth_getStorageAt', [address, toWord(of), at]));
  if (slot === undefined) {
    const call = { to: address, data: hash(`${name}()`).slice(0, 10) };
    return formatWord(BigInt(await request<string>(url, 'eth_call', [call, at])), kind);
  }
  if (kind === 'uint[3]') {
    const words = await Promise.all([0n, 1n, 2n].map(index => readSlot(BigInt(slot) + index)));
    return `[${words.join(', ')}]`;
  }
  const word = await readSlot(BigInt(slot));
  if (kind !== 'string')
    return formatWord((word >> BigInt(8 * offset)) & ((1n << BigInt(8 * bytes)) - 1n), kind, bytes);
  const isLong = (word & 1n) === 1n;
  const length = Number(isLong ? (word - 1n) / 2n : (word & 0xffn) / 2n);
  const first = BigInt(hash(Buffer.from(toWord(BigInt(slot)).slice(2), 'hex')));
  const words = isLong ? await Promise.all([0n, 1n].map(index => readSlot(first + index))) : [word];
  const digits = words.map(each => toWord(each).slice(2)).join('');
  return `"${Buffer.from(digits, 'hex').subarray(0, length).toString()}"`;
}

/** Without thousands separators and the checksum of addresses, which are shown short. */
const toPlain = (text: string): string =>
  text.replace(/(?<=\d),(?=\d{3})/g, '').replace(/0x[0-9a-f]{4}…[0-9a-f]{4}/gi, each => each.toLowerCase());

/** The first line that a process prints. */
async function readLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The process has no output.');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('The nodes did not start.');
}

describe('live values', () => {
  const [node, root] = [process.env['HEXLENS_TEST_NODE'], process.env['HEXLENS_TEST_ROOT']];
  const configuration = () => vscode.workspace.getConfiguration('hexlens');
  let folder: vscode.Uri;
  let projects: readonly ValueProject[];
  let nodes: ChildProcess | undefined;
  let backend: SidebarBackend | undefined;
  let abis: AbiProvider | undefined;
  let shown: SourceDeployments | undefined;

  before(async function () {
    this.timeout(300_000);
    const [workspaceFolder] = vscode.workspace.workspaceFolders ?? [];
    if (getTestChain() === undefined || workspaceFolder === undefined || !node || !root) this.skip();
    folder = vscode.Uri.joinPath(workspaceFolder.uri, 'values');
    await getExtension().activate();
    const program = join(root, 'test', 'support', 'chain', 'valueProjects.ts');
    nodes = spawn(node, [program, folder.fsPath], { stdio: ['ignore', 'pipe', 'inherit'] });
    projects = JSON.parse(await readLine(nodes));
    const urls = Object.fromEntries(projects.map(({ chain, url }) => [chain, url]));
    const own = configuration().get<Record<string, string>>('nodes');
    await configuration().update('nodes', { ...own, ...urls }, vscode.ConfigurationTarget.Workspace);
    backend = await createSidebarBackend([]);
    const { settings, book, worker } = backend;
    abis = createAbiProvider({ settings, book, storageUri: vscode.Uri.joinPath(folder, 'storage'), log: silentLog });
    shown = new SourceDeployments({ settings, book, worker, abis, isAllowed: () => false });
    const selectors = () => worker.chains().map(({ selector }) => selector);
    await until(selectors, all => projects.every(({ chain }) => all.includes(chain)), 'the chains of the nodes');
  });

  after(async () => {
    for (const part of [shown, abis, backend]) part?.dispose();
    nodes?.kill();
    if (projects === undefined) return;
    const { workspaceValue } = configuration().inspect<Record<string, string>>('nodes') ?? {};
    const chains = projects.map(({ chain }) => chain);
    const left = Object.entries(workspaceValue ?? {}).filter(([chain]) => !chains.includes(chain));
    await configuration().update('nodes', Object.fromEntries(left), vscode.ConfigurationTarget.Workspace);
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  async function hover(document: vscode.TextDocument, name: string): Promise<string> {
    const at = document.positionAt(document.getText().search(new RegExp(`\\b${name}(?: =|;|\\(\\))`)) + 1);
    const { token } = new vscode.CancellationTokenSource();
    const found = await shown?.values.provideHover(document, at, token);
    return (found?.contents ?? []).map(each => (typeof each === 'string' ? each : each.value)).join('\n');
  }

  /** Compares what hovers say of each deployment; returns how many values were compared. */
  async function compare({ url, folder: name, source }: ValueProject): Promise<number> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, name, source));
    let compared = 0;
    for (const value of VALUES) {
      const text = await hover(document, value[0]);
      const lines = [...text.matchAll(/^`(.+?)` · `.+?` `(0x\w{4})…(\w{4})` · .+? · block ([\d,]+)/gm)];
      assert.equal(lines.length, DEPLOYMENTS, `${value[0]}: ${text}`);
      for (const [, read = '', start = '', end = '', block = ''] of lines) {
        const address = [...addresses].find(
          each => each.startsWith(start.toLowerCase()) && each.endsWith(end.toLowerCase()),
        );
        const number = Number(block.replaceAll(',', ''));
        assert.equal(toPlain(read), await readFromNode(url, address ?? '', number, value), `${value[0]} of ${address}`);
        compared++;
      }
    }
    return compared;
  }

  /** Of the public mapping, of which the sender is a key; as its getter returns it. */
  async function compareMapping({ url, folder: name, source }: ValueProject): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, name, source));
    const text = await hover(document, 'balances');
    const found = [...text.matchAll(/^1 key seen · `.+?` `(0x\w{4})…(\w{4})` .+\n`\[Dev account #0\]` → `(\d+)` *$/gm)];
    assert.equal(found.length, DEPLOYMENTS, text);
    const [sender = ''] = await request<readonly string[]>(url, 'eth_accounts', []);
    for (const [, start = '', end = '', value] of found) {
      const [to] = [...addresses].filter(
        each => each.startsWith(start.toLowerCase()) && each.endsWith(end.toLowerCase()),
      );
      const data = `${hash('balances(address)').slice(0, 10)}${sender.slice(2).padStart(64, '0')}`;
      assert.equal(BigInt(await request<string>(url, 'eth_call', [{ to, data }, 'latest'])), BigInt(value ?? '0'));
    }
  }

  /** All addresses that were deployed, in lower case. */
  const addresses = new Set<string>();

  async function readAddresses(pattern: string): Promise<void> {
    for (const uri of await vscode.workspace.findFiles(new vscode.RelativePattern(folder, pattern))) {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      for (const [address] of text.matchAll(/\b0x[0-9a-fA-F]{40}\b/g)) addresses.add(address.toLowerCase());
    }
  }

  it('are those of the node in a Foundry project, whose build has names after Build Debug Information', async function () {
    this.timeout(120_000);
    const [project] = projects;
    if (project === undefined || abis === undefined) throw new Error('There is no project.');
    await readAddresses('foundry/broadcast/**/run-latest.json');
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(folder, project.folder, project.source),
    );
    assert.match(await hover(document, 'stock'), /The build does not say where this variable is/);
    const workspaceState = createMemento({ 'hexlens.sideBuild': true });
    await buildDebugInformation({ abis, workspaceState });
    assert.equal(await compare(project), DEPLOYMENTS * VALUES.length);
    await compareMapping(project);
  });

  it('are those of the node in a project of Hardhat 3 with deployments of Ignition', async function () {
    this.timeout(120_000);
    const [, project] = projects;
    if (project === undefined) this.skip();
    await readAddresses('hardhat/ignition/**/deployed_addresses.json');
    assert.equal(await compare(project), DEPLOYMENTS * VALUES.length);
    await compareMapping(project);
  });
});
