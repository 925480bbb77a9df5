// Objects whose fields are computed when they are first read.

/** Each of the functions runs once at most. The fields are own and enumerable, so that copies and clones have all of them. */
export function lazyFields<T extends object>(compute: { readonly [Name in keyof T]: () => T[Name] }): T {
  const fields = {} as T;
  const define = <Name extends keyof T>(name: Name) =>
    Object.defineProperty(fields, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = compute[name]();
        Object.defineProperty(fields, name, { enumerable: true, value });
        return value;
      },
    });
  for (const name of Object.keys(compute)) define(name as keyof T); // its own fields, and no others
  return fields;
}
