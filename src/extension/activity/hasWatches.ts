// Whether anything is watched in this workspace: only then the code that watches is loaded at the start.
import type { Memento } from 'vscode';

/** In `workspaceState`; see view/activity/watch.ts for why. */
export const WATCH_KEY = 'hexlens.watch';

export const hasWatches = (state: Memento): boolean => state.get(WATCH_KEY) !== undefined;
