// Entry of the inspector's page: puts the parts together and joins them with the host.
import '@vscode-elements/elements/dist/vscode-icon/index.js';
import '@vscode-elements/elements/dist/vscode-progress-ring/index.js';
import './parts/calls.ts';
import './parts/decoded.ts';
import './parts/balances.ts';
import './parts/facts.ts';
import './parts/gallery.ts';
import './parts/perBlock.ts';
import './parts/fault.ts';
import './parts/gas.ts';
import './parts/grid.ts';
import './parts/input.ts';
import './parts/menu.ts';
import './parts/raw.ts';
import './parts/table.ts';
import './parts/tabs.ts';
import './parts/toolbar.ts';
import './pages/address.ts';
import './pages/block.ts';
import './pages/head.ts';
import './pages/operation.ts';
import './pages/transaction.ts';
import { Inspector } from './inspector.ts';
import type { PageApi } from './link.ts';
import { documentStyles } from './styles.ts';

declare function acquireVsCodeApi(): PageApi;

if (documentStyles.styleSheet !== undefined) document.adoptedStyleSheets = [documentStyles.styleSheet];
const inspector = new Inspector(acquireVsCodeApi());
window.addEventListener('message', event => inspector.link.receive(event.data));
document.body.append(inspector);
