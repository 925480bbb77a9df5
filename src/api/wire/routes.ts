// Matches method and path to an operation: literal segments take precedence over parameters.
import { HexLensError } from '../../base/errors.ts';
import { type AnyOperation, basePaths } from '../operations/operation.ts';
import { type OperationId, operations } from '../operations/operations.ts';

export interface RouteMatch {
  readonly operation: AnyOperation & { readonly id: OperationId };
  /** Decoded path parameters by wire name. */
  readonly values: ReadonlyMap<string, string>;
}

interface Route {
  readonly operation: RouteMatch['operation'];
  readonly segments: readonly string[];
  /** Whether a literal segment follows the base path. */
  readonly hasLiteral: boolean;
}

const isParameter = (segment: string) => segment.startsWith(':');

/** Orders routes of the same length: literal segments before parameters, from the left. */
function compareRoutes(a: Route, b: Route): number {
  for (let i = 0; i < a.segments.length; i++) {
    const difference = Number(isParameter(a.segments[i] ?? '')) - Number(isParameter(b.segments[i] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** By the number of their segments. */
const routes: ReadonlyMap<number, Route[]> = Map.groupBy(
  Object.values(operations).flatMap(operation =>
    basePaths[operation.group].map(base => ({
      operation,
      segments: `${base}${operation.path}`.slice(1).split('/'),
      hasLiteral: operation.path
        .slice(1)
        .split('/')
        .some(segment => !isParameter(segment)),
    })),
  ),
  ({ segments }) => segments.length,
);
for (const group of routes.values()) group.sort(compareRoutes);

/** Those without parameters by method and path: most POSTs. No route with parameters comes before them. */
const literalMatches: ReadonlyMap<string, RouteMatch> = new Map(
  [...routes.values()]
    .flat()
    .filter(({ segments }) => !segments.some(isParameter))
    .map(({ operation, segments }) => [
      `${operation.method} /${segments.join('/')}`,
      { operation, values: new Map<string, string>() },
    ]),
);

/** @param segments As many as the route has. */
function matchRoute(route: Route, segments: readonly string[]): ReadonlyMap<string, string> | null {
  const patterns = route.segments;
  for (let i = 0; i < patterns.length; i++) {
    const pattern = patterns[i] ?? '';
    if (isParameter(pattern) ? segments[i] === '' : pattern !== segments[i]) return null;
  }
  const values = new Map<string, string>();
  for (const [i, pattern] of patterns.entries())
    if (isParameter(pattern)) values.set(pattern.slice(1), segments[i] ?? '');
  // `/unknown` must not match `/:address`: where a route has no literal segment, its values must be hex.
  if (!route.hasLiteral && [...values.values()].some(value => !/^0x/i.test(value))) return null;
  return values;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment; // nearly all of them: decoding costs more than matching
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HexLensError('bad-input', 'The path is not valid: a % is not followed by two hex digits of UTF-8.');
  }
}

/**
 * @param path Percent-encoded, without the query. One slash at its end is ignored.
 * @throws `not-found`, `method-not-allowed`, or `bad-input` for an invalid escape.
 */
export function matchPath(method: string, path: string): RouteMatch {
  const literal = literalMatches.get(`${method} ${path}`);
  if (literal !== undefined) return literal;
  const hasFinalSlash = path.endsWith('/') && !path.endsWith('//');
  const segments = path
    .slice(1, hasFinalSlash ? -1 : undefined)
    .split('/')
    .map(decodeSegment);
  let otherMethod: Route | undefined;
  for (const route of routes.get(segments.length) ?? []) {
    const values = matchRoute(route, segments);
    if (values === null) continue;
    if (route.operation.method === method) return { operation: route.operation, values };
    otherMethod ??= route;
  }
  if (otherMethod !== undefined) {
    throw new HexLensError(
      'method-not-allowed',
      `${method} is not possible here: ${otherMethod.operation.id} is a ${otherMethod.operation.method}.`,
    );
  }
  throw new HexLensError('not-found', 'There is no operation at this path.', {
    fix: 'The reference at /openapi.json lists all of them.',
  });
}

/** The path of every operation, for documents: base path and template (`/block/{block_number_or_hash}`). */
export function getRouteTemplates(): readonly {
  readonly operation: AnyOperation;
  readonly base: string;
  readonly template: string;
}[] {
  return Object.values(operations).map(operation => ({
    operation,
    base: basePaths[operation.group][0],
    template: operation.path.replace(/:([a-z0-9_]+)/g, '{$1}'),
  }));
}
