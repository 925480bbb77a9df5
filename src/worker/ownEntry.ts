// What a table that the user wrote says of an address: its own entries only, whatever the letter case.

/** The value of a key in lower case; `null` when there is none. */
export const getOwnEntry = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | null =>
  table !== undefined && Object.hasOwn(table, key.toLowerCase()) ? (table[key.toLowerCase()] ?? null) : null;
