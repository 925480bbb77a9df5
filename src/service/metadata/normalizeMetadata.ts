// Token metadata in one common form: from any JSON that a contract points to, to the fields that hosts return.

import { textToBase64 } from '../../base/base64.ts';
import { isObject } from '../../base/isObject.ts';
import { parseHostJson } from '../../base/parseHostJson.ts';

/** JSON from a contract: may be hostile and of any structure. */
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

/** More than any collection has. */
const MAX_ATTRIBUTES = 200;

/** The object in a document; `null` when it is not one. Never rejects. */
export async function parseMetadata(text: string): Promise<MetadataJson | null> {
  try {
    const value = await parseHostJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Without metadata all fields are `null`. */
export function normalizeMetadata(json: MetadataJson | null): NormalizedMetadata {
  const source = json ?? {};
  return {
    name: getText(source, 'name', 'title'),
    description: getText(source, 'description'),
    animationUrl: getText(source, 'animation_url', 'animation'),
    externalLink: getText(source, 'external_link', 'external_url'),
    image: getImage(source),
    attributes: parseAttributes(
      getOwn(source, 'attributes') ?? getOwn(source, 'traits') ?? getOwn(source, 'properties'),
    ),
  };
}

function getImage(source: MetadataJson): string | null {
  const found = getText(source, 'image', 'image_url', 'imageUrl');
  if (found !== null) return found;
  const imageData = getText(source, 'image_data'); // SVG text, or a URI
  if (imageData === null || !imageData.trimStart().startsWith('<')) return imageData;
  return `data:image/svg+xml;base64,${textToBase64(imageData)}`;
}

function parseAttributes(value: unknown): readonly MetadataAttribute[] {
  if (Array.isArray(value)) {
    return value
      .slice(0, MAX_ATTRIBUTES)
      .map(entry => (isObject(entry) ? parseAttribute(entry) : isScalar(entry) ? createAttribute(null, entry) : null))
      .filter(entry => entry !== null);
  }
  if (!isObject(value)) return [];
  // `{"Mood": "calm"}`, and ERC-1155's `{"Mood": {"value": "calm"}}`.
  return Object.entries(value)
    .slice(0, MAX_ATTRIBUTES)
    .flatMap(([name, entry]) => {
      const inner = isObject(entry) ? getOwn(entry, 'value') : entry;
      return isScalar(inner) ? [createAttribute(name, inner)] : [];
    });
}

const createAttribute = (traitType: string | null, value: Scalar): MetadataAttribute => ({
  traitType,
  value,
  displayType: null,
  maxValue: null,
  traitCount: null,
  order: null,
});

function parseAttribute(entry: MetadataJson): MetadataAttribute | null {
  const value = getOwn(entry, 'value');
  const traitType = getText(entry, 'trait_type', 'name');
  if (!isScalar(value) && traitType === null) return null;
  const maxValue = getOwn(entry, 'max_value');
  return {
    traitType,
    value: isScalar(value) ? value : null,
    displayType: getText(entry, 'display_type'),
    maxValue: isScalar(maxValue) ? maxValue : null,
    traitCount: toCount(getOwn(entry, 'trait_count')),
    order: toCount(getOwn(entry, 'order')),
  };
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** An own property of the document: inherited ones such as `constructor` are not part of it. */
const getOwn = (source: MetadataJson, key: string): unknown => (Object.hasOwn(source, key) ? source[key] : undefined);

const toCount = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);

function getText(source: MetadataJson, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = getOwn(source, key);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return null;
}
