// What the suites about the address book share: its file in the workspace, a memento, and Enter for whatever asks.
import * as vscode from 'vscode';
import { until } from './siweActions.ts';

export const addressOf = (number: number): string => `0x${String(number).padStart(40, '0')}`;

export function bookFile(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('No workspace folder is open.');
  return vscode.Uri.joinPath(folder.uri, '.hexlens', 'addresses.json');
}

export const teamPlace = () =>
  ({ kind: 'workspace', folder: vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? '' }) as const;

export const writeBook = (text: string) => vscode.workspace.fs.writeFile(bookFile(), new TextEncoder().encode(text));

export const readBook = async (): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(bookFile()));

export async function removeBook(): Promise<void> {
  await vscode.workspace.fs.delete(vscode.Uri.joinPath(bookFile(), '..'), { recursive: true }).then(
    () => {},
    () => {}, // there is none
  );
}

/** Global state as VS Code keeps it: in memory, and every value through JSON when it is stored. */
export function memento(
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

export const problems = () => vscode.languages.getDiagnostics(bookFile()).filter(({ source }) => source === 'HexLens');

/** Runs a command and presses Enter in every box and list that it shows, until it is done. */
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
    over => over,
    `${command} done`,
  );
  if (done === undefined) throw failed;
  return done.value;
}
