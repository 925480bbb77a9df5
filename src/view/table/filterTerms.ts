// Splits a filter line into its terms; what they mean is decided where the fields are known.

export interface FilterTerm {
  /** `-` in front. */
  readonly not: boolean;
  /** In lower case; `null` for a bare word. */
  readonly name: string | null;
  readonly operator: ':' | '=' | '>' | '>=' | '<' | '<=' | undefined;
  /** Without its quotes. */
  readonly value: string;
}

/** An optional minus, an optional name with operator, then a quoted or bare value. */
const TERM = /(-)?(?:([A-Za-z][\w.]*)(:|>=|<=|=|>|<))?(?:"([^"]*)"?|(\S*))/y;

/** Longer lines are not typed. */
const MAX_LENGTH = 2_000;

export function parseFilterTerms(query: string): readonly FilterTerm[] {
  const text = query.slice(0, MAX_LENGTH);
  const found: FilterTerm[] = [];
  TERM.lastIndex = 0;
  while (TERM.lastIndex < text.length) {
    const at = TERM.lastIndex;
    if (/\s/.test(text[at] ?? '')) {
      TERM.lastIndex = at + 1;
      continue;
    }
    const [whole, minus, name, operator, quoted, bare = ''] = TERM.exec(text) ?? [''];
    if (whole === '') break;
    const value = quoted ?? bare;
    if (name === undefined && value === '') continue; // a lone minus or empty quotes: still being typed
    found.push({
      not: minus !== undefined,
      name: name?.toLowerCase() ?? null,
      operator: operator as FilterTerm['operator'], // one of the alternatives of the pattern
      value,
    });
  }
  return found;
}
