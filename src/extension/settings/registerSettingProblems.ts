// Reports each problem of the settings once, in the log and as a warning with a button to open the setting.
import { commands, l10n } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showWarningMessage } from '../prompts/showMessage.ts';

export type RegisterSettingProblemsDeps = Pick<FeatureDeps, 'settings' | 'log'>;

export function registerSettingProblems({ settings, log }: RegisterSettingProblemsDeps): Disposable {
  const reported = new Set<string>();
  const report = () => {
    for (const { setting, message } of settings.problems()) {
      if (reported.has(message)) continue;
      reported.add(message);
      log.warn(`Setting ${setting}: ${message}`);
      const open = l10n.t('Open Setting');
      void showWarningMessage(`HexLens: ${message}`, open).then(choice => {
        if (choice === open) void commands.executeCommand('workbench.action.openSettings', setting);
      });
    }
  };
  report();
  return settings.onDidChange(report);
}
