// VS Code as vscode.dev serves it: only files for a browser, where the packed extension runs in the web extension host.
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { build } from 'esbuild';
import { installExtension } from './editorServer.ts';
import { ensureVSCodeServer } from './installCodeServer.ts';
import { root } from './paths.ts';

export interface WebWorkbenchOptions {
  /** The packed extension. */
  readonly vsix: string;
  /** Files of the opened folder by path, such as `notes.txt`. */
  readonly files: Readonly<Record<string, string>>;
}

export interface WebWorkbench {
  readonly origin: string;
  /** The page of a window with these settings and one file open. */
  url(settings: Readonly<Record<string, unknown>>, file: string): string;
  stop(): Promise<void>;
}

const WORKSPACE = { scheme: 'vscode-vfs', authority: 'github', path: '/sample' } as const;

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

/** code-server expects its own server behind the page; VS Code as it is released does not. */
const serverlessEdits = [
  [/remoteAuthority:location\.host/, 'remoteAuthority:void 0'],
  [/(userDataPath\)\.with\(\{scheme:\w+\.)vscodeRemote/, '$1vscodeUserData'],
] as const;

export async function startWebWorkbench({ vsix, files }: WebWorkbenchOptions): Promise<WebWorkbench> {
  const { main } = await ensureVSCodeServer();
  const vscode = dirname(dirname(main));
  const extensions = await mkdtemp(join(tmpdir(), 'hexlens-web-'));
  const removeExtensions = () => rm(extensions, { recursive: true, force: true });
  try {
    await installExtension(vsix, extensions);
    const installed = (await readdir(extensions)).find(name => name.includes('.hexlens-'));
    if (installed === undefined) throw new Error('The extension was not installed.');
    const generated: Readonly<Record<string, string>> = {
      '/files/package.json': JSON.stringify({
        ...{ name: 'files', publisher: 'hexlens-test', version: '1.0.0', engines: { vscode: '^1.100.0' } },
        ...{ browser: './extension.js', activationEvents: ['onFileSystem:vscode-vfs'] },
      }),
      '/files/extension.js': await bundleFileSystem(files),
      '/out/vs/code/browser/workbench/workbench.js': await readServerless(
        join(vscode, 'out/vs/code/browser/workbench/workbench.js'),
      ),
    };
    const template = await readFile(join(vscode, 'out/vs/code/browser/workbench/workbench.html'), 'utf8');

    const server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', origin);
      const send = (path: string, content: string | Buffer) =>
        response
          .writeHead(200, { 'content-type': contentTypes[extname(path)] ?? 'application/octet-stream' })
          .end(content);
      try {
        const settings = searchParams.get('settings');
        if (pathname === '/' && settings !== null) return send('index.html', renderPage(template, origin, settings));
        const made = generated[pathname];
        if (made !== undefined) return send(pathname, made);
        const path = normalize(decodeURIComponent(pathname));
        const file = path.startsWith('/hexlens/')
          ? join(extensions, installed, path.slice('/hexlens'.length))
          : join(vscode, path);
        return send(path, await readFile(file));
      } catch {
        return response.writeHead(404).end();
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      origin,
      url(settings, file) {
        const uri = `${WORKSPACE.scheme}://${WORKSPACE.authority}${WORKSPACE.path}/${file}`;
        const payload = JSON.stringify([['openFile', uri]]);
        return `${origin}/?${new URLSearchParams({ settings: JSON.stringify(settings), payload })}`;
      },
      async stop() {
        server.close();
        server.closeAllConnections();
        await removeExtensions();
      },
    };
  } catch (error) {
    await removeExtensions();
    throw error;
  }
}

async function readServerless(file: string): Promise<string> {
  let text = await readFile(file, 'utf8');
  for (const [pattern, replacement] of serverlessEdits) {
    const edited = text.replace(pattern, replacement);
    if (edited === text) throw new Error(`${file} has no ${pattern}: it is of another version.`);
    text = edited;
  }
  return text;
}

async function bundleFileSystem(files: Readonly<Record<string, string>>): Promise<string> {
  const byPath = Object.fromEntries(Object.entries(files).map(([path, text]) => [`${WORKSPACE.path}/${path}`, text]));
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/editor/webFileSystem.ts')],
    bundle: true,
    write: false,
    format: 'cjs',
    external: ['vscode'],
    define: { FILES: JSON.stringify(byPath) },
  });
  return outputFiles[0]?.text ?? '';
}

/** The page as the server of VS Code renders it, for a window without a server. */
function renderPage(template: string, origin: string, settings: string): string {
  const { protocol, host } = new URL(origin);
  const toUri = (path: string) => ({ scheme: protocol.slice(0, -1), authority: host, path });
  const configuration = {
    folderUri: WORKSPACE,
    additionalBuiltinExtensions: [toUri('/hexlens'), toUri('/files')],
    configurationDefaults: JSON.parse(settings) as unknown,
    productConfiguration: {
      webviewContentExternalBaseUrlTemplate: `${origin}/out/vs/workbench/contrib/webview/browser/pre/`,
      extensionsGallery: undefined,
    },
    // Of code-server.
    userDataPath: '/',
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
  };
  const values: Readonly<Record<string, string>> = {
    WORKBENCH_WEB_CONFIGURATION: JSON.stringify(configuration).replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    WORKBENCH_WEB_BASE_URL: origin,
    WORKBENCH_NLS_FALLBACK_URL: `${origin}/out/nls.messages.js`,
    WORKBENCH_NLS_URL: `${origin}/out/nls.messages.js`,
    BASE: origin,
    VS_BASE: origin,
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_match, name: string) => values[name] ?? '');
}
