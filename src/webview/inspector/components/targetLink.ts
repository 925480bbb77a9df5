// A link to another page of the inspector: a click opens it here, with Ctrl or Cmd to the side.
import { html, nothing, type TemplateResult } from 'lit';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { PageContext } from '../pageContext.ts';

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
