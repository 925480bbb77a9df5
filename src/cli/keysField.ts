// `keys` of the configuration file: several keys, each with a name, its digest and its limits.
import { type ApiGroup, basePaths } from '../api/operations/operation.ts';
import { isStrongApiKey, isValidApiKey } from '../server/apiKey.ts';
import { type ApiKeySpec, hashApiKey } from '../server/keyring.ts';
import type { ConfigFile } from './configFile.ts';
import { createUsageError } from './usageError.ts';

export const KEYS_FIELD = 'keys';

const FIELDS = ['name', 'key', 'sha256', 'perSecond', 'perMinute', 'groups'] as const;
const MAX_RATE = 1_000_000;

type Fields = { readonly [Name in (typeof FIELDS)[number]]?: unknown };

/** `strict`: the service is open to other machines, so that no key may be guessable. */
export function readKeysField(file: ConfigFile, strict: boolean): readonly ApiKeySpec[] {
  const value = file.fields[KEYS_FIELD];
  if (value === undefined) return [];
  const place = file.describeField(KEYS_FIELD);
  const example = 'Write [{ "name": "ci", "sha256": "…", "perSecond": 20 }].';
  if (!Array.isArray(value) || value.length === 0) throw createUsageError(`${place} must be a list of keys.`, example);
  const keys = value.map((entry: unknown, index): ApiKeySpec => {
    const refuse = (what: string, fix = example) => createUsageError(`${place}: key ${index + 1} ${what}.`, fix);
    if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) throw refuse('must be an object');
    const unknown = Object.keys(entry).find(name => !(FIELDS as readonly string[]).includes(name));
    if (unknown !== undefined)
      throw refuse(`has "${unknown}", which means nothing`, `There are: ${FIELDS.join(', ')}.`);
    const { name, key, sha256, perSecond, perMinute, groups }: Fields = entry;
    if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
      throw refuse('needs a "name" of 1 to 64 letters, digits, dots and dashes', 'It stands in logs and metrics.');
    const rate = (field: string, given: unknown): number | undefined => {
      if (given === undefined) return undefined;
      if (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= MAX_RATE) return given;
      throw refuse(`has a "${field}" that is no whole number from 1 to ${MAX_RATE}`, 'Leave it out for no limit.');
    };
    const [second, minute] = [rate('perSecond', perSecond), rate('perMinute', perMinute)];
    return {
      name,
      sha256: digestIn({ key, sha256 }, strict, refuse),
      ...(second !== undefined && { perSecond: second }),
      ...(minute !== undefined && { perMinute: minute }),
      ...(groups !== undefined && { groups: groupsIn(groups, refuse) }),
    };
  });
  const twice = keys.find(({ name }, index) => keys.findIndex(other => other.name === name) !== index);
  if (twice !== undefined)
    throw createUsageError(`${place} has two keys of the name ${twice.name}.`, 'Names tell them apart.');
  return keys;
}

type Refuse = (what: string, fix?: string) => Error;

function digestIn({ key, sha256 }: Pick<Fields, 'key' | 'sha256'>, strict: boolean, refuse: Refuse): string {
  if ((key === undefined) === (sha256 === undefined)) throw refuse('needs either "key" or "sha256"');
  if (sha256 !== undefined) {
    if (typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256)) return sha256.toLowerCase();
    throw refuse('has a "sha256" that is not 64 hex digits', 'Make it with: printf %s "$KEY" | sha256sum.');
  }
  if (typeof key !== 'string' || !isValidApiKey(key))
    throw refuse('can not be sent in a header', 'Use 1 to 256 letters, digits and signs without spaces.');
  if (strict && !isStrongApiKey(key))
    throw refuse('is too short for a service that is open to other machines', 'Use 16 characters or more.');
  return hashApiKey(key);
}

function groupsIn(groups: unknown, refuse: Refuse): readonly ApiGroup[] {
  const known = Object.keys(basePaths);
  if (Array.isArray(groups) && groups.length > 0 && groups.every(group => known.includes(group)))
    return groups as readonly ApiGroup[];
  throw refuse(`has "groups" that are not a list of ${known.join(', ')}`, 'Leave it out for all of them.');
}
