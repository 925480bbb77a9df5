// The field `keys` of the configuration file: several API keys, each with a name, its digest and its limits.
import { type ApiGroup, basePaths } from '../api/operations/operation.ts';
import { hashApiKey, isStrongApiKey, isValidApiKey } from '../server/apiKey.ts';
import type { ApiKeySpec } from '../server/keyring.ts';
import { type ConfigFile, createUsageError } from './configFile.ts';

export const KEYS_FIELD = 'keys';

const KEY_PROPERTIES = ['name', 'key', 'sha256', 'perSecond', 'perMinute', 'groups'] as const;
const MAX_RATE = 1_000_000;

type KeyEntry = { readonly [Name in (typeof KEY_PROPERTIES)[number]]?: unknown };
type CreateError = (problem: string, fix?: string) => Error;

/** @param requireStrongKeys For a server that other machines can reach. */
export function readKeysField(file: ConfigFile, requireStrongKeys: boolean): readonly ApiKeySpec[] {
  const value = file.fields[KEYS_FIELD];
  if (value === undefined) return [];
  const field = file.describeField(KEYS_FIELD);
  const example = 'Write [{ "name": "ci", "sha256": "…", "perSecond": 20 }].';
  if (!Array.isArray(value) || value.length === 0) throw createUsageError(`${field} must be a list of keys.`, example);
  const keys = value.map((entry: unknown, index): ApiKeySpec => {
    const createError: CreateError = (problem, fix = example) =>
      createUsageError(`${field}: key ${index + 1} ${problem}.`, fix);
    if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) throw createError('must be an object');
    const unknownName = Object.keys(entry).find(name => !(KEY_PROPERTIES as readonly string[]).includes(name));
    if (unknownName !== undefined)
      throw createError(`has an unknown field "${unknownName}"`, `Known fields: ${KEY_PROPERTIES.join(', ')}.`);
    const { name, key, sha256, perSecond, perMinute, groups }: KeyEntry = entry;
    if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
      throw createError(
        'needs a "name" of 1 to 64 letters, digits, dots and dashes',
        'It appears in logs and metrics.',
      );
    return {
      name,
      sha256: readDigest({ key, sha256 }, requireStrongKeys, createError),
      ...(perSecond !== undefined && { perSecond: readRate('perSecond', perSecond, createError) }),
      ...(perMinute !== undefined && { perMinute: readRate('perMinute', perMinute, createError) }),
      ...(groups !== undefined && { groups: readGroups(groups, createError) }),
    };
  });
  const duplicate = keys.find(({ name }, index) => keys.findIndex(other => other.name === name) !== index);
  if (duplicate !== undefined)
    throw createUsageError(`${field} has two keys of the name ${duplicate.name}.`, 'Give each key its own name.');
  return keys;
}

function readRate(name: string, value: unknown, createError: CreateError): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_RATE) return value;
  throw createError(`has a "${name}" that is no whole number from 1 to ${MAX_RATE}`, 'Leave it out for no limit.');
}

function readDigest(
  { key, sha256 }: Pick<KeyEntry, 'key' | 'sha256'>,
  requireStrongKeys: boolean,
  createError: CreateError,
): string {
  if ((key === undefined) === (sha256 === undefined)) throw createError('needs either "key" or "sha256"');
  if (sha256 !== undefined) {
    if (typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256)) return sha256.toLowerCase();
    throw createError('has a "sha256" that is not 64 hex digits', 'Make it with: printf %s "$KEY" | sha256sum.');
  }
  if (typeof key !== 'string' || !isValidApiKey(key))
    throw createError('can not be sent in a header', 'Use 1 to 256 letters, digits and signs without spaces.');
  if (requireStrongKeys && !isStrongApiKey(key))
    throw createError('is too short for a service that is open to other machines', 'Use 16 characters or more.');
  return hashApiKey(key);
}

function readGroups(groups: unknown, createError: CreateError): readonly ApiGroup[] {
  const knownGroups = Object.keys(basePaths);
  if (Array.isArray(groups) && groups.length > 0 && groups.every(group => knownGroups.includes(group)))
    return groups as readonly ApiGroup[];
  throw createError(`has "groups" that are not a list of ${knownGroups.join(', ')}`, 'Leave it out for all of them.');
}
