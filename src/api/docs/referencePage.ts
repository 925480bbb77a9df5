// Renders the Markdown of the reference as one page of HTML without scripts, which loads nothing else.
import { renderReference, toAnchor } from './reference.ts';

export const REFERENCE_STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--link:light-dark(#0b57d0,#8ab4f8)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1.5rem 1.25rem 6rem;font:16px/1.55 system-ui,sans-serif}
a{color:var(--link)}
h1,h2,h3{line-height:1.25;scroll-margin-top:1rem}
h2{margin-top:3.5rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{margin-top:2.5rem}
h3 a,h2 a{color:inherit;text-decoration:none}
h3 a:hover::after,h2 a:hover::after{content:" #";opacity:.5}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.92em}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
th{font-weight:600;white-space:nowrap}
code{font:.92em ui-monospace,monospace;background:var(--soft);padding:.1em .3em;border-radius:3px;overflow-wrap:anywhere}
pre{background:var(--soft);padding:.7rem .9rem;border-radius:5px;overflow-x:auto}
pre code{background:none;padding:0}
`.trim();

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

/** Links, bold and backslash escapes of a text without code spans. */
function renderPlainSpans(text: string): string {
  return escapeHtml(text)
    .replace(/\[([^[\]]+)\]\((&#35;|#)([a-z0-9-]+)\)/g, '<a href="#$3">$1</a>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\\(&#\d+;|.)/g, '$1');
}

/** Code spans are replaced first, since nothing in them is markup; bold text may contain them. */
function renderSpans(text: string): string {
  const codes: string[] = [];
  const marked = text.replace(/`([^`]+)`/g, (_, code: string) => {
    codes.push(`<code>${escapeHtml(code.replaceAll('\\|', '|'))}</code>`);
    return `\u0000${codes.length - 1}\u0000`;
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the reference contains no null character.
  return renderPlainSpans(marked).replace(/\u0000(\d+)\u0000/g, (_, index: string) => codes[Number(index)] ?? '');
}

const renderCells = (row: string) =>
  row
    .replace(/^\| | \|$/g, '')
    .split(/ \| /)
    .map(cell => renderSpans(cell.trim()));

function renderTable(lines: readonly string[]): string {
  const [head = '', , ...rows] = lines;
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = rows.map(line => row('td', renderCells(line))).join('\n');
  return `<div class="wide"><table><thead>${row('th', renderCells(head))}</thead><tbody>\n${body}\n</tbody></table></div>`;
}

function renderBlock(text: string): string {
  const heading = /^(#{1,3}) (.+)$/.exec(text);
  if (heading !== null) {
    const [, { length: level } = '', title = ''] = heading;
    const anchor = toAnchor(title);
    return level === 1
      ? `<h1>${renderSpans(title)}</h1>`
      : `<h${level} id="${anchor}"><a href="#${anchor}">${renderSpans(title)}</a></h${level}>`;
  }
  if (text.startsWith('<!--')) return '';
  if (text.startsWith('|')) return renderTable(text.split('\n'));
  if (text.startsWith('- '))
    return `<ul>${text
      .split('\n')
      .map(line => `<li>${renderSpans(line.slice(2))}</li>`)
      .join('')}</ul>`;
  const fenced = /^```\w*\n([\s\S]*)\n```$/.exec(text);
  return fenced === null ? `<p>${renderSpans(text)}</p>` : `<pre><code>${escapeHtml(fenced[1] ?? '')}</code></pre>`;
}

/** The whole document; its style is `REFERENCE_STYLE`, so that a policy can name it by its hash. */
export function renderReferencePage(): string {
  const blocks = renderReference()
    .trim()
    .split('\n\n')
    .map(renderBlock)
    .filter(text => text !== '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HexLens: the service</title>
<style>${REFERENCE_STYLE}</style>
</head>
<body>
${blocks.join('\n')}
</body>
</html>
`;
}
