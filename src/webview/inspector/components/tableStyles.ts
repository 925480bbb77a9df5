// What a table's surroundings look like: the bar above it, the details beside or below it.
import { css } from 'lit';

export const tableStyles = css`
  :host { display: flex; flex-direction: column; height: 100%; min-height: 220px; }
  .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 6px 12px; }
  .search { flex: 1 1 220px; max-width: 560px; position: relative; display: flex; align-items: center; }
  .search vscode-icon { position: absolute; left: 6px; pointer-events: none; color: var(--vscode-descriptionForeground); }
  .search input { width: 100%; padding-left: 28px; }
  .counts { color: var(--vscode-descriptionForeground); font-variant-numeric: tabular-nums; margin-right: auto; white-space: nowrap; }
  .bar button { display: inline-flex; align-items: center; gap: 5px; }
  .problem { margin: 0; padding: 0 14px 6px; font-size: 11px; color: var(--vscode-editorWarning-foreground, var(--vscode-descriptionForeground)); }
  .rest { position: relative; flex: 1; min-height: 0; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
  .rest.split { grid-template-columns: minmax(0, 1fr) minmax(280px, 40%); }
  .empty { position: absolute; left: 0; right: 0; top: 56px; text-align: center; margin: 0; pointer-events: none; }
  .details { min-width: 0; min-height: 0; overflow: auto; border-left: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); }
  .details header { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; justify-content: space-between; padding: 0 6px 0 12px; height: 28px; background: var(--vscode-editor-background); border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); }
  .details h2 { margin: 0; font-size: 11px; font-weight: 600; color: var(--vscode-descriptionForeground); }
  @media (max-width: 760px) {
    .rest.split { grid-template: minmax(140px, 1fr) minmax(140px, 1fr) / minmax(0, 1fr); }
    .details { border-left: 0; border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); }
  }
`;
