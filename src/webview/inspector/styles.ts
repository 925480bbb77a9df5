// Styles shared by all elements of the page: the theme's own colors and sizes.
import { css } from 'lit';

export const baseStyles = css`
  :host { display: block; }
  :host([hidden]), [hidden] { display: none !important; }
  *, *::before, *::after { box-sizing: border-box; }
  a { color: var(--vscode-textLink-foreground); text-decoration: none; cursor: pointer; }
  a:hover { color: var(--vscode-textLink-activeForeground); text-decoration: underline; }
  :focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  .mono { font-family: var(--vscode-editor-font-family, monospace); font-size: 0.95em; }
  .muted { color: var(--vscode-descriptionForeground); }
  .chip {
    display: inline-flex; align-items: center; gap: 5px; max-width: 100%;
    height: 18px; padding: 0 8px; border-radius: 9px; font-size: 11px; line-height: 1;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    color: var(--vscode-foreground);
    background: var(--vscode-textCodeBlock-background, transparent);
    overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  .chip.method { border-color: var(--vscode-widget-border, var(--vscode-contrastBorder, transparent)); }
  .chip .dot { flex: none; width: 7px; height: 7px; border-radius: 50%; background: var(--vscode-descriptionForeground); }
  .chip.ok .dot { background: var(--vscode-testing-iconPassed, #73c991); }
  .chip.bad .dot { border-radius: 1px; background: var(--vscode-testing-iconFailed, #f14c4c); }
  .chip.wait .dot { background: var(--vscode-charts-yellow, #cca700); }
  button.plain {
    font: inherit; color: inherit; background: none; border: 0; padding: 2px 4px; border-radius: 4px; cursor: pointer;
  }
  button.plain:hover { background: var(--vscode-toolbar-hoverBackground); }
  button.action {
    font: inherit; padding: 4px 12px; border-radius: 4px; cursor: pointer;
    border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent));
    color: var(--vscode-button-foreground); background: var(--vscode-button-background);
  }
  button.action:hover { background: var(--vscode-button-hoverBackground); }
  button.action.second { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
  button.action.second:hover { background: var(--vscode-button-secondaryHoverBackground); }
  /* Focusable buttons use aria-disabled: the disabled attribute would take the focus away. */
  button:disabled, button[aria-disabled='true'] { opacity: 0.5; cursor: default; }
  input, select, textarea {
    font: inherit; color: var(--vscode-input-foreground); background: var(--vscode-input-background);
    border: 1px solid var(--vscode-input-border, var(--vscode-settings-textInputBorder, var(--vscode-widget-border, transparent)));
    border-radius: 4px; padding: 3px 6px; min-height: 26px;
  }
  select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background); }
  input[type='checkbox'] { min-height: 0; margin: 0; accent-color: var(--vscode-focusBorder); }
  vscode-icon { vertical-align: middle; }
  input::placeholder, textarea::placeholder { color: var(--vscode-input-placeholderForeground); opacity: 1; }
  input:focus, select:focus, textarea:focus { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  .hidden-label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media (prefers-reduced-motion: no-preference) {
    a, button { transition: background-color 80ms; }
  }
`;

/** Of the document itself, outside of all elements. */
export const documentStyles = css`
  html { height: 100%; font-size: var(--vscode-font-size, 13px); }
  body {
    height: 100%; margin: 0; padding: 0; overflow: auto;
    color: var(--vscode-foreground); background: var(--vscode-editor-background);
    font-family: var(--vscode-font-family); font-size: var(--vscode-font-size, 13px); line-height: 1.4;
  }
`;
