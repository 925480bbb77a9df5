// Reads a page's DOM, shadow trees included.

/** All text below a node, shadow trees included. */
export function textOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  const root = (node as Element).shadowRoot;
  const children = [...(root?.childNodes ?? []), ...node.childNodes];
  return children
    .filter(child => (child as Element).tagName !== 'STYLE')
    .map(textOf)
    .join(' ');
}

/** The first matching element below a node, shadow trees included. */
export function find(node: ParentNode, selector: string): HTMLElement | null {
  const here = node.querySelector<HTMLElement>(selector);
  if (here !== null) return here;
  for (const element of node.querySelectorAll('*')) {
    const inside = element.shadowRoot === null ? null : find(element.shadowRoot, selector);
    if (inside !== null) return inside;
  }
  return null;
}

/** Adds the icons' style sheet, as the extension does: icons warn without it. */
export function prepareDocument(): void {
  const { happyDOM } = window as unknown as { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: boolean } } };
  happyDOM.settings.handleDisabledFileLoadingAsSuccess = true;
  const icons = document.createElement('link');
  icons.id = 'vscode-codicon-stylesheet';
  icons.setAttribute('href', 'codicon.css');
  icons.setAttribute('nonce', 'x');
  document.head.append(icons);
}
