// The HTML document of a panel, which loads only the extension's own script and stylesheet.

export interface PanelResources {
  readonly cspSource: string;
  readonly script: string;
  readonly icons: string;
  readonly nonce: string;
  readonly language: string;
}

/** The content security policy allows images as data only, and no connections, frames, forms, inline scripts or styles. */
export function renderPanelHtml({ cspSource, script, icons, nonce, language }: PanelResources): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    'img-src data: blob:',
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HexLens</title>
<link id="vscode-codicon-stylesheet" rel="stylesheet" href="${icons}">
<script type="module" nonce="${nonce}" src="${script}"></script>
</head>
<body></body>
</html>
`;
}
