// Shared by the address book suites: the committed file, an in-memory memento, and accepting all prompts.
import * as vscode from 'vscode';
import { until } from './siweActions.ts';

export const toTestAddress = (number: number): string => `0x${String(number).padStart(40, '0')}`;

export function getBookUri(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('No workspace folder is open.');
  return vscode.Uri.joinPath(folder.uri, '.hexlens', 'addresses.json');
}

export const getTeamStorage = () =>
  ({ kind: 'workspace', folder: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? '' }) as const;

export const writeBook = (text: string) => vscode.workspace.fs.writeFile(getBookUri(), new TextEncoder().encode(text));

export const readBook = async (): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(getBookUri()));

export async function removeBook(): Promise<void> {
  await vscode.workspace.fs.delete(vscode.Uri.joinPath(getBookUri(), '..'), { recursive: true }).then(
    () => {},
    () => {}, // no such file
  );
}

/** An in-memory memento that, like VS Code's, serializes stored values as JSON. */
export function createMemento(
  start: Readonly<Record<string, unknown>> = {},
): vscode.Memento & { readonly values: Map<string, unknown> } {
  const values = new Map(Object.entries(start));
  return {
    values,
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.has(key) ? values.get(key) : fallback) as T,
    async update(key, value) {
      values.set(key, value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
    },
  };
}

export const getBookProblems = () =>
  vscode.languages.getDiagnostics(getBookUri()).filter(({ source }) => source === 'HexLens');

/** Runs a command and presses Enter at every prompt until the command is done. */
export async function acceptAll<T>(command: string, ...args: readonly unknown[]): Promise<T> {
  let done: { readonly value: T } | undefined;
  let failed: unknown;
  Promise.resolve(vscode.commands.executeCommand<T>(command, ...args)).then(
    value => {
      done = { value };
    },
    error => {
      failed = error ?? new Error('failed');
    },
  );
  await until(
    async () => {
      if (done === undefined && failed === undefined)
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return done !== undefined || failed !== undefined;
    },
    isDone => isDone,
    `${command} done`,
  );
  if (done === undefined) throw failed;
  return done.value;
}
