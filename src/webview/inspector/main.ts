// Entry of the inspector's page. What its parts that are loaded later share with it is exported (see esbuild.mjs).
import './elements.ts';
import { Inspector, type VsCodeApi } from './inspector.ts';
import { documentStyles } from './styles.ts';

export { css, html, LitElement, nothing } from 'lit';
export { repeat } from 'lit/directives/repeat.js';
export { formatInteger } from '../../base/formatUnits.ts';
export { t } from '../../base/localize.ts';
export { AmountUnitsController } from './amountUnitsController.ts';
export { renderLocation, renderTargetLink } from './components/targetLink.ts';
export {
  renderCopyButton,
  renderValue,
  renderValueTable,
  shortenType,
  valueStyles,
} from './components/valueTable.ts';
export { FocusGuard } from './focusGuard.ts';
export { PageElement, TracedElement } from './pageElement.ts';
export { RequestController } from './requestController.ts';
export { getNumberClass, toVisibleText } from './rows/cellFormat.ts';
export { baseStyles } from './styles.ts';

declare function acquireVsCodeApi(): VsCodeApi;

if (documentStyles.styleSheet !== undefined) document.adoptedStyleSheets = [documentStyles.styleSheet];
const inspector = new Inspector(acquireVsCodeApi());
window.addEventListener('message', event => inspector.channel.receive(event.data));
document.body.append(inspector);
