// Makes windows of VS Code in Chromium cost less: without transitions, and with a short way for messages.
import type { BrowserContext } from 'playwright-core';

/** Small: without a graphics card, every changed pixel is the work of a processor. The editor still has room beside the sidebar. */
export const smallViewport = { width: 640, height: 400 };

/** For all pages that the context opens from now on. */
export async function makePagesQuick(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // Scrollbars that fade, and icons that spin, would make it draw 60 times a second.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { animation: none !important; transition: none !important; }');
    document.adoptedStyleSheets.push(sheet);

    // VS Code takes each message of its server as a Blob and reads that: two more ways through other processes.
    const { WebSocket: BlobSocket } = globalThis;
    globalThis.WebSocket = class extends BlobSocket {
      constructor(...args: ConstructorParameters<typeof BlobSocket>) {
        super(...args);
        this.binaryType = 'arraybuffer';
      }
    };
    const { readAsArrayBuffer } = FileReader.prototype;
    FileReader.prototype.readAsArrayBuffer = function (this: FileReader, data: Blob | ArrayBuffer) {
      if (data instanceof Blob) readAsArrayBuffer.call(this, data);
      else
        queueMicrotask(() => {
          Object.defineProperty(this, 'result', { value: data, configurable: true });
          this.dispatchEvent(new ProgressEvent('load'));
        });
    };
  });
}
