/** `compute`, whose last value is returned again while the arguments are the same ones. */
export function memoizeLast<Args extends readonly unknown[], T>(compute: (...args: Args) => T): (...args: Args) => T {
  let last: { readonly args: Args; readonly value: T } | undefined;
  return (...args) => {
    if (!last?.args.every((arg, index) => arg === args[index])) last = { args, value: compute(...args) };
    return last.value;
  };
}
