// The layer table of src as data, and the check of imports against it.
import { isBuiltin } from 'node:module';

/** `pure` runs anywhere: no Node modules, no DOM. `node` has Node's. `dom` runs in a page. `editor` has `vscode` and Node's. */
export type Platform = 'pure' | 'node' | 'dom' | 'editor';

export interface Layer {
  readonly mayImport: readonly string[];
  readonly platform: Platform;
  /** npm packages, by name; their sub-paths are meant too. */
  readonly packages: readonly string[];
  /** Layers that only this one file may import. */
  readonly onlyFrom?: Readonly<Record<string, string>>;
}

export const layers: Readonly<Record<string, Layer>> = {
  base: { mayImport: [], platform: 'pure', packages: ['ox'] },
  api: { mayImport: ['base'], platform: 'pure', packages: [] },
  decode: { mayImport: ['base', 'api'], platform: 'pure', packages: ['ox'] },
  detect: { mayImport: ['base', 'api', 'decode'], platform: 'pure', packages: ['ox'] },
  addressBook: { mayImport: ['base', 'api'], platform: 'pure', packages: ['csv-parse', 'jsonc-parser'] },
  view: { mayImport: ['base', 'api', 'decode', 'detect', 'addressBook'], platform: 'pure', packages: ['ox'] },
  protocol: {
    mayImport: ['base', 'api', 'decode', 'detect', 'addressBook', 'view'],
    platform: 'pure',
    packages: [],
  },
  manifest: { mayImport: ['base', 'api'], platform: 'pure', packages: [] },
  client: { mayImport: ['base', 'api'], platform: 'node', packages: ['ipaddr.js', 'undici'] },
  service: {
    mayImport: ['base', 'api', 'decode'],
    platform: 'node',
    packages: [
      '@ethereumjs/common',
      '@ethereumjs/evm',
      '@ethereumjs/util',
      '@mysten/bcs',
      '@noble/hashes',
      'lru-cache',
      'ox',
      'pg',
    ],
  },
  server: {
    mayImport: ['base', 'api', 'service'],
    platform: 'node',
    packages: ['ipaddr.js', 'lru-cache', 'prom-client'],
  },
  worker: {
    mayImport: ['base', 'api', 'client', 'service', 'server'],
    platform: 'node',
    packages: ['lru-cache'],
    onlyFrom: { server: 'src/worker/worker.ts' },
  },
  mcp: {
    mayImport: ['base', 'api', 'decode', 'detect', 'addressBook', 'view'],
    platform: 'node',
    packages: ['@modelcontextprotocol/sdk', 'ox'],
  },
  cli: {
    mayImport: ['base', 'api', 'decode', 'addressBook', 'client', 'service', 'server', 'worker', 'mcp'],
    platform: 'node',
    packages: ['@modelcontextprotocol/sdk'],
  },
  webview: {
    mayImport: ['base', 'api', 'decode', 'detect', 'addressBook', 'view', 'protocol'],
    platform: 'dom',
    packages: ['@vscode-elements/elements', '@vscode/codicons', 'lit', 'uplot'],
  },
  extension: {
    mayImport: [
      'base',
      'api',
      'decode',
      'detect',
      'addressBook',
      'view',
      'protocol',
      'manifest',
      'client',
      'server',
      'worker',
    ],
    platform: 'editor',
    packages: ['vscode', '@vscode/debugadapter', '@vscode/debugprotocol'],
  },
  'extension.ts': { mayImport: ['extension', 'base'], platform: 'editor', packages: ['vscode'] },
  'extension.web.ts': { mayImport: ['extension', 'base'], platform: 'editor', packages: ['vscode'] },
  'cli.ts': { mayImport: ['cli', 'base'], platform: 'node', packages: [] },
  'mcp.ts': { mayImport: ['cli', 'base'], platform: 'node', packages: [] },
};

/** One import of one file, whether of values or of types only. */
export interface Import {
  /** The importing file, from the root of the project: `src/client/httpTransport.ts`. */
  readonly file: string;
  /** As it is written: `../base/http.ts`, `node:fs`, `undici`. */
  readonly specifier: string;
}

/** `src/client/httpTransport.ts` is in `client`, `src/cli.ts` in `cli.ts`; `null` outside of `src`. */
export function getLayer(file: string): string | null {
  const [source, layer] = file.split('/');
  return source === 'src' && layer !== undefined ? layer : null;
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The file that a relative specifier means, from the root of the project; a way out of the project starts with `../`. */
export function resolveImport({ file, specifier }: Import): string {
  const parts = file.split('/').slice(0, -1);
  for (const step of specifier.split('/')) {
    if (step === '..') parts.length > 0 && parts.at(-1) !== '..' ? parts.pop() : parts.push('..');
    else if (step !== '.') parts.push(step);
  }
  return parts.join('/');
}

/** Why the import is not allowed, in one sentence; `null` when it is. */
export function describeViolation(imported: Import): string | null {
  const { file, specifier } = imported;
  const from = getLayer(file);
  const layer = from === null ? undefined : layers[from];
  if (from === null || layer === undefined) return `${file} is in no layer of the table.`;
  if (specifier.startsWith('.')) {
    const target = resolveImport(imported);
    const to = getLayer(target);
    if (to === null) return `${file} imports ${specifier}, which is outside of src.`;
    if (!/\.(ts|css|json)$/.test(specifier)) return `${file} imports ${specifier} without its extension.`;
    if (layers[to] === undefined) return `${file} imports ${target}, which is in no layer of the table.`;
    if (to === from) return null;
    if (!layer.mayImport.includes(to)) return `${file} imports ${target}: ${from} may not import ${to}.`;
    const onlyFile = layer.onlyFrom?.[to];
    return onlyFile === undefined || onlyFile === file
      ? null
      : `${file} imports ${target}: only ${onlyFile} may import ${to}.`;
  }
  if (specifier.startsWith('/')) return `${file} imports ${specifier} by an absolute path.`;
  if (isBuiltin(specifier)) {
    if (!specifier.startsWith('node:')) return `${file} imports ${specifier} without node: before it.`;
    return layer.platform === 'node' || layer.platform === 'editor'
      ? null
      : `${file} imports ${specifier}: ${from} is ${layer.platform} and has no Node modules.`;
  }
  const name = packageOf(specifier);
  return layer.packages.includes(name)
    ? null
    : `${file} imports ${specifier}: ${from} may not use the package ${name}.`;
}

/** Layers that can reach themselves through others: there must be none. */
export function findLayerCycles(table: Readonly<Record<string, Layer>>): readonly string[] {
  const reaches = (from: string, seen: ReadonlySet<string>): boolean =>
    (table[from]?.mayImport ?? []).some(next => seen.has(next) || reaches(next, new Set([...seen, next])));
  return Object.keys(table).filter(name => reaches(name, new Set([name])));
}

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const STATIC = /(?:^|[;}])\s*(?:import|export)\b(?:[^'"`;=(){}]|\{[^'"`;=(){}]*\})*?\bfrom\s*(['"])([^'"\n]+)\1/gm;
const BARE = /(?:^|[;}])\s*import\s*(['"])([^'"\n]+)\1/gm;
const DYNAMIC = /\b(?:import|require)\s*\(\s*(?:(['"])([^'"\n]+)\1\s*[,)])?/g;

/**
 * Every import of a TypeScript source: static, for side effects, re-exports, dynamic, types only. A dynamic import of
 * anything but a literal has the specifier `?`, which no layer may use.
 */
export function scanImports(file: string, source: string): readonly Import[] {
  const text = source.replace(COMMENTS, '');
  const specifiers = [STATIC, BARE, DYNAMIC].flatMap(pattern =>
    [...text.matchAll(pattern)].map(match => match[2] ?? '?'),
  );
  return [...new Set(specifiers)].map(specifier => ({ file, specifier }));
}

/** Circles of imports, those of types included: each as the sorted list of the files that can all reach each other. */
export function findImportCircles(imports: readonly Import[]): readonly (readonly string[])[] {
  const targets = new Map<string, string[]>();
  for (const imported of imports.filter(({ specifier }) => /^\..*\.ts$/.test(specifier)))
    targets.set(imported.file, [...(targets.get(imported.file) ?? []), resolveImport(imported)]);
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  // Tarjan's algorithm for strongly connected components.
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    lowest.set(file, index);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      const reached = order.has(target)
        ? stack.includes(target)
          ? (order.get(target) ?? index)
          : index
        : visit(target);
      lowest.set(file, Math.min(lowest.get(file) ?? index, reached));
    }
    const low = lowest.get(file) ?? index;
    if (low === index) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1 || targets.get(file)?.includes(file)) circles.push(circle.sort());
    }
    return low;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles;
}
