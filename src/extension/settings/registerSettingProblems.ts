// Nonsense in settings: said in the log and, once per problem, to the user, with the way to the setting.
import { commands, l10n, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { SettingsSource } from './settingsSource.ts';

export interface RegisterSettingProblemsDeps {
  readonly settings: SettingsSource;
  readonly log: Log;
}

export function registerSettingProblems({ settings, log }: RegisterSettingProblemsDeps): Disposable {
  const said = new Set<string>();
  const say = () => {
    for (const { setting, message } of settings.problems()) {
      if (said.has(message)) continue;
      said.add(message);
      log.warn(`Setting ${setting}: ${message}`);
      const open = l10n.t('Open Setting');
      void window.showWarningMessage(`HexLens: ${message}`, open).then(choice => {
        if (choice === open) void commands.executeCommand('workbench.action.openSettings', setting);
      });
    }
  };
  say();
  return settings.onDidChange(say);
}
