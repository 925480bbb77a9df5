// Whether a document is open in a tab: VS Code keeps it for a while after its last one.
import { TabInputText, type TextDocument, window } from 'vscode';

export function hasOpenTab({ uri }: TextDocument): boolean {
  const wanted = uri.toString();
  return window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === wanted),
  );
}
