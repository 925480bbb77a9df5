interface MapLike<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: NoInfer<V>): unknown;
}

/** The value of the key, which is created where there is none: `getOrInsertComputed` of newer engines. */
export function getOrInsert<K, V>(map: MapLike<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
