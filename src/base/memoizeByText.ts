/** Nodes have one URL each, hosts many. */
const MAX_TEXTS = 100;

/** `parse` for texts that come again and again, such as URLs: parsing one takes longer than all the rest of a small request. */
export function memoizeByText<T extends object>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return text => {
    let value = known.get(text);
    if (value === undefined) {
      value = parse(text);
      if (known.size >= MAX_TEXTS) known.clear();
      known.set(text, value);
    }
    return value;
  };
}
