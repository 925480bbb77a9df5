// Entry of the inspector's page: puts the parts together and joins them with the host.
import './elements.ts';
import { Inspector } from './inspector.ts';
import type { VsCodeApi } from './pageChannel.ts';
import { documentStyles } from './styles.ts';

declare function acquireVsCodeApi(): VsCodeApi;

if (documentStyles.styleSheet !== undefined) document.adoptedStyleSheets = [documentStyles.styleSheet];
const inspector = new Inspector(acquireVsCodeApi());
window.addEventListener('message', event => inspector.link.receive(event.data));
document.body.append(inspector);
