// Where a place in one of our small bundles stands in the source, by the maps of `node esbuild.mjs --maps`.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload, type SourceOrigin } from 'node:module';
import { join } from 'node:path';

/** Of `function bundle.js:line:column`; any other text, and a place without a map, as it is. */
export function createSourcePositions(dist: string): (place: string) => string {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (bundle: string): SourceMap | null => {
    const known = maps.get(bundle);
    if (known !== undefined) return known;
    const file = join(dist, `${bundle}.map`);
    const map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload) : null;
    maps.set(bundle, map);
    return map;
  };
  return place => {
    const [, name, bundle, line, column] = /^(\S+) (\S+\.js):(\d+):(\d+)$/.exec(place) ?? [];
    const origin: Partial<SourceOrigin> =
      (bundle === undefined ? undefined : mapOf(bundle)?.findOrigin(Number(line), Number(column))) ?? {};
    if (origin.fileName === undefined) return place;
    return `${origin.name ?? name} (${origin.fileName.replace(/^.*?src\//, '')}:${origin.lineNumber})`;
  };
}
