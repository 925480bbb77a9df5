// Maps positions in bundles to source positions, by the maps of `node esbuild.mjs --maps`.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload, type SourceOrigin } from 'node:module';
import { join } from 'node:path';

/** Converts `function bundle.js:line:column`; leaves other texts, and positions without a map, unchanged. */
export function createSourcePositions(dist: string): (position: string) => string {
  const maps = new Map<string, SourceMap | null>();
  const getMap = (bundle: string): SourceMap | null => {
    const cached = maps.get(bundle);
    if (cached !== undefined) return cached;
    const file = join(dist, `${bundle}.map`);
    const map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload) : null;
    maps.set(bundle, map);
    return map;
  };
  return position => {
    const [, name, bundle, line, column] = /^(\S+) (\S+\.js):(\d+):(\d+)$/.exec(position) ?? [];
    const origin: Partial<SourceOrigin> =
      (bundle === undefined ? undefined : getMap(bundle)?.findOrigin(Number(line), Number(column))) ?? {};
    if (origin.fileName === undefined) return position;
    return `${origin.name ?? name} (${origin.fileName.replace(/^.*?src\//, '')}:${origin.lineNumber})`;
  };
}
