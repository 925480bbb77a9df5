// Writes settings to the workspace if they are set there, else to the user settings.
import { ConfigurationTarget, workspace } from 'vscode';

/** `where written`: in the workspace if the setting is written there, else in the user settings. */
export type SettingStorage = 'where written' | 'workspace' | 'user';

type Written = Readonly<Record<string, unknown>>;

const inspect = <T>(key: string) => workspace.getConfiguration('hexlens').inspect<T>(key);
const update = async (key: string, value: unknown, target: ConfigurationTarget) =>
  workspace.getConfiguration('hexlens').update(key, value, target);

const getTarget = (key: string) =>
  inspect(key)?.workspaceValue === undefined ? ConfigurationTarget.Global : ConfigurationTarget.Workspace;

export const settingWriter = {
  /** `undefined` removes the setting. Keys are without `hexlens.`. */
  write: (key: string, value: unknown): Promise<void> => update(key, value, getTarget(key)),

  /** Whether the user or the workspace has written this property of an object setting. */
  isWritten(key: string, isSame: (name: string) => boolean): boolean {
    const { globalValue, workspaceValue } = inspect<Written>(key) ?? {};
    return Object.keys({ ...globalValue, ...workspaceValue }).some(isSame);
  },

  /**
   * Sets one property of an object setting without writing its default properties: where it is written, and by the name that
   * it has there.
   *
   * @param isSame Whether a name means the same property, such as `0x1` and `eth`.
   */
  async set(
    key: string,
    property: string,
    value: unknown,
    isSame: (name: string) => boolean,
    storage: SettingStorage = 'where written',
  ): Promise<void> {
    const { globalValue, workspaceValue } = inspect<Written>(key) ?? {};
    // VS Code merges both, and the first of several names counts.
    const name = Object.keys({ ...globalValue, ...workspaceValue }).find(isSame);
    const hasName = (written: Written | undefined) => name !== undefined && written?.[name] !== undefined;
    const target = hasName(workspaceValue)
      ? ConfigurationTarget.Workspace
      : hasName(globalValue)
        ? ConfigurationTarget.Global
        : storage === 'where written'
          ? getTarget(key)
          : storage === 'user'
            ? ConfigurationTarget.Global
            : ConfigurationTarget.Workspace;
    const current = target === ConfigurationTarget.Global ? globalValue : workspaceValue;
    await update(key, { ...current, [name ?? property]: value }, target);
  },

  /** Replaces values of an object setting, in the settings of the user and of the workspace, which VS Code merges. */
  async replaceEach(key: string, replace: (value: unknown) => unknown): Promise<void> {
    const { globalValue, workspaceValue } = inspect<Written>(key) ?? {};
    for (const [written, target] of [
      [globalValue, ConfigurationTarget.Global],
      [workspaceValue, ConfigurationTarget.Workspace],
    ] as const) {
      const entries = Object.entries(written ?? {}).map(([name, value]) => [name, value, replace(value)] as const);
      if (entries.some(([, before, after]) => before !== after))
        await update(key, Object.fromEntries(entries.map(([name, , after]) => [name, after])), target);
    }
  },
};
