// Loads the bundles of dist/ in a browser, where VS Code gives an extension no `require` for its own files.
import * as vscode from 'vscode';
import { HexLensError } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';

/** By bundle: itself and all bundles that it requires, if none of them needs Node.js. Computed by esbuild.mjs. */
declare const BROWSER_BUNDLES: Readonly<Record<string, readonly string[]>>;

interface Module {
  exports: unknown;
}

const texts = new Map<string, Promise<string>>();
const sources = new Map<string, string>();
const modules = new Map<string, Module>();
let folder: vscode.Uri | undefined;

/** Called first, with the folder of the extension. */
export function setExtensionFolder(extensionUri: vscode.Uri): void {
  folder = vscode.Uri.joinPath(extensionUri, 'dist');
}

const createDesktopFault = () =>
  new HexLensError(
    'not-implemented',
    localizable('This needs VS Code on the desktop: a browser has no databases, processes or threads of Node.js.'),
    {
      fix: localizable('Open the folder there, or set hexlens.evm.baseUrl to the URL of a running "hexlens serve".'),
    },
  );

function fetchText(file: string): Promise<string> {
  const known = texts.get(file);
  if (known !== undefined) return known;
  if (folder === undefined) throw new Error('setExtensionFolder was not called.');
  const text = vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, file)).then(
    bytes => new TextDecoder().decode(bytes),
    error => {
      texts.delete(file); // the next call tries again
      throw error;
    },
  );
  const promise = Promise.resolve(text);
  texts.set(file, promise);
  return promise;
}

function requireModule(id: string): unknown {
  if (id === 'vscode') return vscode;
  const file = id.replace('./', '');
  const known = modules.get(file);
  if (known !== undefined) return known.exports;
  const source = sources.get(file);
  if (source === undefined) throw createDesktopFault();
  const module: Module = { exports: {} };
  modules.set(file, module);
  // As VS Code runs the first file of an extension; the text is a file of this extension.
  const run = new Function('module', 'exports', 'require', `${source}\n//# sourceURL=hexlens/${file}`);
  try {
    run(module, module.exports, requireModule);
  } catch (error) {
    modules.delete(file); // its exports are incomplete
    throw error;
  }
  return module.exports;
}

/**
 * The exports of a bundle, such as `hovers.js`, which are the same as on the desktop.
 *
 * @throws {HexLensError} `not-implemented` for a bundle that needs Node.js.
 */
export async function loadBundle(file: string): Promise<unknown> {
  const files = BROWSER_BUNDLES[file];
  if (files === undefined) throw createDesktopFault();
  await Promise.all(files.map(async name => sources.set(name, await fetchText(name))));
  return requireModule(file);
}
