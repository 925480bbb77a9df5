// Entry of the inspector's page.
import './elements.ts';
import { Inspector, type VsCodeApi } from './inspector.ts';
import { documentStyles } from './styles.ts';

declare function acquireVsCodeApi(): VsCodeApi;

if (documentStyles.styleSheet !== undefined) document.adoptedStyleSheets = [documentStyles.styleSheet];
const inspector = new Inspector(acquireVsCodeApi());
window.addEventListener('message', event => inspector.channel.receive(event.data));
document.body.append(inspector);
