import { TabInputText, type Uri, window } from 'vscode';

/** Whether a tab shows the document; VS Code keeps documents for a while after their last tab is closed. */
export function hasOpenTab(uri: Uri): boolean {
  const wanted = uri.toString();
  return window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === wanted),
  );
}
