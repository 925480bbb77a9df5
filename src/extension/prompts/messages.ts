// VS Code's messages and progress. Texts of files, nodes and chains in them never become links, which could run commands.
import { window } from 'vscode';
import { toMessageText } from '../../base/displayText.ts';

/** As `window.showInformationMessage`, which is looked up at each call. */
type ShowMessage = typeof window.showInformationMessage;

const createShow = (name: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage') =>
  ((message: string, ...actions: string[]) => window[name](toMessageText(message), ...actions)) as ShowMessage;

export const showInformationMessage = createShow('showInformationMessage');
export const showWarningMessage = createShow('showWarningMessage');
export const showErrorMessage = createShow('showErrorMessage');

export const withProgress: typeof window.withProgress = (options, task) =>
  window.withProgress({ ...options, ...(options.title && { title: toMessageText(options.title) }) }, task);
