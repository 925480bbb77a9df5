// Writes settings where they have an effect: a value of the workspace would hide the user's own.
import { ConfigurationTarget, workspace } from 'vscode';

function targetOf(key: string): ConfigurationTarget {
  const written = workspace.getConfiguration('hexlens').inspect(key);
  return written?.workspaceValue === undefined ? ConfigurationTarget.Global : ConfigurationTarget.Workspace;
}

export const settingWriter = {
  /** `undefined` takes the setting out. Keys are without `hexlens.`. */
  async write(key: string, value: unknown): Promise<void> {
    await workspace.getConfiguration('hexlens').update(key, value, targetOf(key));
  },

  /** Adds one property to what is written of an object; defaults stay defaults. */
  async set(key: string, property: string, value: unknown): Promise<void> {
    const written = workspace.getConfiguration('hexlens').inspect<Readonly<Record<string, unknown>>>(key);
    const own = targetOf(key) === ConfigurationTarget.Global ? written?.globalValue : written?.workspaceValue;
    await settingWriter.write(key, { ...own, [property]: value });
  },
};
