// What the grid looks like: the list colours of the theme, a header that stays.
import { css } from 'lit';

export const gridStyles = css`
  :host { height: 100%; min-height: 160px; contain: strict; }
  .scroll { position: relative; height: 100%; overflow: auto; outline: none; }
  .top { position: sticky; top: 0; z-index: 2; width: min-content; }
  .head {
    position: relative; height: 28px; background: var(--vscode-editor-background);
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885));
  }
  .head [role='columnheader'] {
    position: absolute; height: 27px; display: flex; align-items: center; gap: 4px; padding: 0 10px; cursor: pointer; user-select: none;
    font-size: 11px; font-weight: 600; color: var(--vscode-descriptionForeground); white-space: nowrap; overflow: hidden;
  }
  .head [role='columnheader']:hover { color: var(--vscode-foreground); }
  .head .number { justify-content: flex-end; }
  .head .name { overflow: hidden; text-overflow: ellipsis; }
  .head .handle { position: absolute; right: 0; top: 4px; bottom: 4px; width: 7px; cursor: col-resize; touch-action: none; }
  .head [role='columnheader']:hover .handle { border-right: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #888)); }
  .body { position: relative; contain: layout style; }
  .row { position: absolute; left: 0; top: 0; height: 26px; display: flex; contain: strict; }
  .row.odd { background: color-mix(in srgb, var(--vscode-foreground) 3%, transparent); }
  .row:hover { color: var(--vscode-list-hoverForeground); background: var(--vscode-list-hoverBackground); outline: 1px dashed var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
  .row.selected { color: var(--vscode-list-inactiveSelectionForeground); background: var(--vscode-list-inactiveSelectionBackground); outline: 1px dotted var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
  .scroll:focus-within .row.selected { color: var(--vscode-list-activeSelectionForeground); background: var(--vscode-list-activeSelectionBackground); }
  .row.selected a, .row.selected .chip { color: inherit; }
  /* Rows and cells have sizes of their own: filling one never lays out another. Cells are neither positioned nor
     scrollable: a layer for each of them was a quarter of the work of a frame. */
  .cell { flex: none; contain: layout size style; padding: 0 10px; line-height: 26px; height: 26px; white-space: nowrap; overflow: clip; text-overflow: ellipsis; }
  /* Also after a click: Ctrl and a key would otherwise lead to a cell that does not show it. */
  .cell:focus { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  .cell.number { text-align: right; }
  .cell .chip { vertical-align: middle; }
`;
