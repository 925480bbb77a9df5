// Links to other pages of the inspector, here or, with Ctrl or Cmd, to the side; and to lines of sources.
import { html, nothing, type TemplateResult } from 'lit';
import type { SourceLocation } from '../../../api/transactionStack.ts';
import { t } from '../../../base/localize.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import { formatLocation } from '../../../view/source/stackHover.ts';
import type { PageContext } from '../pageContext.ts';
import { toVisibleText } from '../rows/cellFormat.ts';

export interface TargetLinkOptions {
  readonly isMono?: boolean;
  readonly title?: string;
  /** False inside a widget that moves the focus itself. */
  readonly isFocusable?: boolean;
}

export function renderTargetLink(
  context: PageContext,
  target: InspectorTarget,
  content: unknown,
  { isMono = false, title, isFocusable = true }: TargetLinkOptions = {},
): TemplateResult {
  return html`<a href="#" class=${isMono ? 'mono' : ''} title=${title ?? nothing} tabindex=${isFocusable ? nothing : -1} @click=${(
    event: MouseEvent,
  ) => {
    event.preventDefault();
    event.stopPropagation();
    context.navigate(target, event.ctrlKey || event.metaKey ? 'side' : 'here');
  }}>${content}</a>`;
}

/** Only text where the source is not known. */
export function renderLocation({ channel }: PageContext, location: SourceLocation): TemplateResult {
  const text = toVisibleText(formatLocation(location), 200);
  if (location.file === null && location.textHash === undefined) return html`<span class="muted">${text}</span>`;
  const open = () => channel.notify('openLocation', { location });
  return html`<button class="plain place" title=${t('Open the source')} @click=${open}>${text}</button>`;
}
