// Leads a debugger through a transaction by a script, in which lines are named by their markers.
import type { DebugProtocol } from '@vscode/debugprotocol';
import { expect } from 'vitest';
import { AdapterClient, FILE } from './adapterClient.ts';
import type { DebugChain, TracedRun } from './debugChain.ts';

/** A transaction, and the script that leads a debugger through it. */
export interface LedRun {
  readonly title: string;
  /** The contract of `$SELF` in the script. */
  readonly self: string;
  readonly run: (chain: DebugChain) => Promise<TracedRun>;
  readonly script: string;
}

/** Steps within one line before it counts as stuck. */
const MAX_STEPS_OF_LINE = 60;

/**
 * Commands are `entry`, `next`, `in`, `out`, `back` with the lines where it stops, one after the other, equal ones once; `to` and
 * `at` with a line, and a condition, to run to; `fails` with that of the failure; `frames` with names; `locals` and `state`
 * with values; `eval` with `expression == value`, separated by `;;`.
 */
export class DebugScript {
  readonly #client: AdapterClient;
  /** What is written for addresses in the script, such as `$ALICE`. */
  readonly #names: Readonly<Record<string, string>>;
  #place = '';

  private constructor(client: AdapterClient, names: Readonly<Record<string, string>>) {
    this.#client = client;
    this.#names = names;
  }

  /** Ends with what differs from the script. */
  static async run(run: TracedRun, script: string, names: Readonly<Record<string, string>>): Promise<void> {
    const client = await AdapterClient.connect(run);
    try {
      const leading = new DebugScript(client, names);
      [, leading.#place] = await client.launch();
      for (const line of script.trim().split('\n')) await leading.#execute(line.trim());
    } finally {
      await client.stop();
    }
  }

  #toText(text: string): string {
    return text.replace(/\$(\w+)/g, (found, name) => this.#names[name] ?? found);
  }

  async #execute(line: string): Promise<void> {
    const [, command = '', text = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
    const client = this.#client;
    const steps = { next: client.next, in: client.stepIn, out: client.stepOut, back: client.stepBack };
    if (command === 'entry') expect(this.#place).toBe(text);
    else if (command in steps) await this.#step(line, text.split(' '), steps[command as keyof typeof steps]);
    else if (command === 'to' || command === 'at') await this.#runTo(text);
    else if (command === 'fails') expect(await client.continue()).toEqual(['exception', text]);
    else if (command === 'frames') expect(await client.frames()).toEqual(text.split(' '));
    else if (command === 'locals')
      expect([this.#place, await this.#scope('Locals')]).toEqual([this.#place, parse(this.#toText(text))]);
    else if (command === 'state') expect(await this.#scope('State Variables')).toMatchObject(parse(this.#toText(text)));
    else if (command === 'eval') for (const each of this.#toText(text).split(' ;; ')) await this.#evaluate(each);
    else throw new Error(`There is no command ${command}.`);
  }

  async #step(line: string, places: readonly string[], step: () => Promise<readonly [string, string]>): Promise<void> {
    const found: string[] = [];
    for (const _ of places) {
      const before = this.#place;
      for (let i = 0; i < MAX_STEPS_OF_LINE && (i === 0 || this.#place === before); i++) {
        [, this.#place] = await step();
        if (places[found.length] === before) break;
      }
      found.push(this.#place);
    }
    expect([line, found]).toEqual([line, places]);
  }

  async #runTo(text: string): Promise<void> {
    const [marker = '', ...condition] = text.split(' ');
    const breakpoint = {
      line: this.#client.lineOf(marker),
      ...(condition.length > 0 && { condition: condition.join(' ') }),
    };
    const set = (breakpoints: DebugProtocol.SourceBreakpoint[]) =>
      this.#client.dap.setBreakpointsRequest({ source: { path: FILE }, breakpoints });
    await set([breakpoint]);
    [, this.#place] = await this.#client.continue();
    await set([]);
    expect(this.#place).toBe(marker);
  }

  async #evaluate(text: string): Promise<void> {
    const at = text.lastIndexOf(' == ');
    const [expression, value] = [text.slice(0, at), text.slice(at + 4)];
    const result = await this.#client.evaluate(expression).catch(error => (error as Error).message);
    expect([this.#place, expression, result.replace(/ \([\d.]+ ETH\)$/, '')]).toEqual([this.#place, expression, value]);
  }

  async #scope(name: string): Promise<Readonly<Record<string, string>>> {
    const { dap } = this.#client;
    const { body } = await dap.stackTraceRequest({ threadId: 1 });
    const { scopes } = (await dap.scopesRequest({ frameId: body.stackFrames[0]?.id ?? 0 })).body;
    const reference = scopes.find(each => each.name === name)?.variablesReference ?? 0;
    const { variables } = (await dap.variablesRequest({ variablesReference: reference })).body;
    const found = variables.filter(each => !/^return/.test(each.name));
    return Object.fromEntries(
      await Promise.all(found.map(async each => [each.name, await this.#describe(each)] as const)),
    );
  }

  /** With all members: `{a:1,b:[1,2]}`. */
  async #describe({ value, variablesReference }: DebugProtocol.Variable): Promise<string> {
    if (variablesReference === 0) return value;
    const { variables } = (await this.#client.dap.variablesRequest({ variablesReference })).body;
    const members = await Promise.all(variables.map(async each => [each.name, await this.#describe(each)] as const));
    const isList = members.length > 0 ? members.every(([name], i) => name === `[${i}]`) : value.includes('[');
    if (isList) return `[${members.map(([, text]) => text).join()}]`;
    return `{${members.map(([name, text]) => `${name}:${text}`).join()}}`;
  }
}

/** `a=1 b=[1,2]`. */
function parse(text: string): Readonly<Record<string, string>> {
  const parts = text
    .split(/ (?=[\w$]+=)/)
    .map(part => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]);
  return Object.fromEntries(parts);
}
