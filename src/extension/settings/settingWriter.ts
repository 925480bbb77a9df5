// Writes settings to the workspace if they are set there, else to the user settings.
import { ConfigurationTarget, workspace } from 'vscode';

function getTarget(key: string): ConfigurationTarget {
  const inspected = workspace.getConfiguration('hexlens').inspect(key);
  return inspected?.workspaceValue === undefined ? ConfigurationTarget.Global : ConfigurationTarget.Workspace;
}

export const settingWriter = {
  /** `undefined` removes the setting. Keys are without `hexlens.`. */
  async write(key: string, value: unknown): Promise<void> {
    await workspace.getConfiguration('hexlens').update(key, value, getTarget(key));
  },

  /** Sets one property of an object setting without writing its default properties. */
  async set(key: string, property: string, value: unknown): Promise<void> {
    const inspected = workspace.getConfiguration('hexlens').inspect<Readonly<Record<string, unknown>>>(key);
    const isGlobal = getTarget(key) === ConfigurationTarget.Global;
    const current = isGlobal ? inspected?.globalValue : inspected?.workspaceValue;
    await settingWriter.write(key, { ...current, [property]: value });
  },
};
