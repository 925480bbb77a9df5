// The examples in TSDoc comments, as TypeScript modules.

export interface Example {
  /** The source file, from the root of the project. */
  readonly path: string;
  readonly line: number;
  readonly code: string;
}

/** All fenced code blocks after `@example` in the doc comments of a source. */
export function extractExamples(path: string, source: string): readonly Example[] {
  return [...source.matchAll(/^ *\* @example\n((?: *\*.*\n)*?) *\* ```ts\n([\s\S]*?)^ *\* ```$/gm)].map(match => ({
    path,
    line: source.slice(0, match.index).split('\n').length,
    code: (match[2] ?? '').replace(/^ *\* ?/gm, ''),
  }));
}

/**
 * The example as a module: relative imports become absolute, and an example without imports gets the exports of its file
 * and a `client`.
 */
export function toModule({ path, code }: Example, source: string, root: string): string {
  const folder = new URL(`${path.replace(/[^/]+$/, '')}`, root);
  const resolved = code.replace(/from '(\.[^']*)'/g, (_, specifier: string) => {
    return `from '${new URL(specifier, folder).pathname}'`;
  });
  const exported = [...source.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const own = new URL(path, root).pathname;
  const client = new URL('src/client/client.ts', root).pathname;
  const imports = /^import /m.test(code)
    ? ''
    : `import { ${exported.join(', ')} } from '${own}';\ndeclare const client: import('${client}').Client;\n`;
  return `${imports}${resolved}\nexport {};\n`;
}
