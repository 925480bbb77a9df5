// VS Code's messages and progress. Texts of files, nodes and chains in them never become links, which could run commands.
import { type Progress, ProgressLocation, window } from 'vscode';
import { toMessageText } from '../../base/displayText.ts';
import { withAbortSignal } from '../editor/toAbortSignal.ts';

/** As `window.showInformationMessage`, which is looked up at each call. */
type ShowMessage = typeof window.showInformationMessage;

const createShow = (name: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage') =>
  ((message: string, ...actions: string[]) => window[name](toMessageText(message), ...actions)) as ShowMessage;

export const showInformationMessage = createShow('showInformationMessage');
export const showWarningMessage = createShow('showWarningMessage');
export const showErrorMessage = createShow('showErrorMessage');

export const withProgress: typeof window.withProgress = (options, task) =>
  window.withProgress({ ...options, ...(options.title && { title: toMessageText(options.title) }) }, task);

/** Shows a notification with a Cancel button, which aborts the signal, while `work` runs. */
export const withCancelButton = async <T>(
  title: string,
  work: (
    signal: AbortSignal,
    progress: Progress<{ readonly message?: string; readonly increment?: number }>,
  ) => Promise<T>,
): Promise<T> =>
  withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (progress, token) =>
    withAbortSignal(token, signal => work(signal, progress)),
  );
