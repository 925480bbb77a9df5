// Token metadata in one common shape: from whatever JSON a contract points to, to the fields that hosts give.

/** JSON from a contract: hostile, of any shape. */
export type MetadataJson = Readonly<Record<string, unknown>>;

export type Scalar = string | number | boolean;

export interface MetadataAttribute {
  readonly traitType: string | null;
  readonly value: Scalar | null;
  readonly displayType: string | null;
  readonly maxValue: Scalar | null;
  readonly traitCount: number | null;
  readonly order: number | null;
}

export interface NormalizedMetadata {
  readonly name: string | null;
  readonly description: string | null;
  readonly animationUrl: string | null;
  readonly externalLink: string | null;
  readonly image: string | null;
  readonly attributes: readonly MetadataAttribute[];
}

/** More traits than any collection has. */
const MOST_ATTRIBUTES = 200;

/** The object in a document; `null` when it is not one. Never throws. */
export function parseMetadata(text: string): MetadataJson | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The common shape; of no metadata the same shape with nothing in it. */
export function normalizeMetadata(json: MetadataJson | null): NormalizedMetadata {
  const source = json ?? {};
  return {
    name: text(source, 'name', 'title'),
    description: text(source, 'description'),
    animationUrl: text(source, 'animation_url', 'animation'),
    externalLink: text(source, 'external_link', 'external_url'),
    image: imageOf(source),
    attributes: attributesOf(own(source, 'attributes') ?? own(source, 'traits') ?? own(source, 'properties')),
  };
}

function imageOf(source: MetadataJson): string | null {
  const found = text(source, 'image', 'image_url', 'imageUrl');
  if (found !== null) return found;
  const drawing = text(source, 'image_data'); // SVG text, or a URI
  if (drawing === null || !drawing.trimStart().startsWith('<')) return drawing;
  return `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`;
}

function attributesOf(value: unknown): readonly MetadataAttribute[] {
  if (Array.isArray(value)) {
    return value
      .slice(0, MOST_ATTRIBUTES)
      .map(entry => (isObject(entry) ? attributeOf(entry) : isScalar(entry) ? plain(null, entry) : null))
      .filter(entry => entry !== null);
  }
  if (!isObject(value)) return [];
  // `{"Mood": "calm"}`, and ERC-1155's `{"Mood": {"value": "calm"}}`.
  return Object.entries(value)
    .slice(0, MOST_ATTRIBUTES)
    .flatMap(([name, entry]) => {
      const inner = isObject(entry) ? own(entry, 'value') : entry;
      return isScalar(inner) ? [plain(name, inner)] : [];
    });
}

const plain = (traitType: string | null, value: Scalar): MetadataAttribute => ({
  traitType,
  value,
  displayType: null,
  maxValue: null,
  traitCount: null,
  order: null,
});

function attributeOf(entry: MetadataJson): MetadataAttribute | null {
  const value = own(entry, 'value');
  const traitType = text(entry, 'trait_type', 'name');
  if (!isScalar(value) && traitType === null) return null;
  const maxValue = own(entry, 'max_value');
  return {
    traitType,
    value: isScalar(value) ? value : null,
    displayType: text(entry, 'display_type'),
    maxValue: isScalar(maxValue) ? maxValue : null,
    traitCount: count(own(entry, 'trait_count')),
    order: count(own(entry, 'order')),
  };
}

const isObject = (value: unknown): value is MetadataJson =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** A property of the document's own: `__proto__` and `constructor` are names like any other. */
const own = (source: MetadataJson, key: string): unknown => (Object.hasOwn(source, key) ? source[key] : undefined);

const count = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

function text(source: MetadataJson, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = own(source, key);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return null;
}
