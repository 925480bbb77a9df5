// What a value with members shows in its own row, as JavaScript's debugger does: `{amount: 5, name: "x"}`, `(3) [1, 2, 3]`.
import type { DebugVariable } from '../../api/debugSession.ts';

const MAX_MEMBERS = 5;
const MAX_LENGTH = 100;
const MAX_MEMBER_LENGTH = 40;
const MORE = '…';

const isArray = ({ type, count }: DebugVariable): boolean => count !== null || type?.endsWith(']') === true;
const isMapping = ({ type }: DebugVariable): boolean => type?.startsWith('mapping(') === true;

/** Of a mapping only where keys are known. */
export const hasPreview = (variable: DebugVariable): boolean =>
  variable.preview !== undefined && (variable.preview.length > 0 || !isMapping(variable));

/** A member that has members itself. */
const formatNested = (member: DebugVariable): string =>
  isArray(member) ? `[${member.count === 0 ? '' : MORE}]` : `{${MORE}}`;

/** `null` where it has none. `format` writes the value of a member without members, or the key of one. */
export async function formatPreview(
  variable: DebugVariable,
  format: (member: DebugVariable) => Promise<string>,
): Promise<string | null> {
  const { preview = [], count } = variable;
  if (!hasPreview(variable)) return null;
  const parts: string[] = [];
  let length = 0;
  // A mapping may have other keys than those.
  let isWhole = !isMapping(variable) && preview.length <= MAX_MEMBERS && (count === null || count <= preview.length);
  for (const member of preview.slice(0, MAX_MEMBERS)) {
    const text = await formatMember(member, isArray(variable), format);
    length += text.length + 2;
    if (length > MAX_LENGTH && parts.length > 0) {
      isWhole = false;
      break;
    }
    parts.push(text);
  }
  const list = [...parts, ...(isWhole ? [] : [MORE])].join(', ');
  return isArray(variable) ? `(${count ?? preview.length}) [${list}]` : `{${list}}`;
}

async function formatMember(
  member: DebugVariable,
  isElement: boolean,
  format: (member: DebugVariable) => Promise<string>,
): Promise<string> {
  const value = member.reference === null ? cut(await format(member)) : formatNested(member);
  if (isElement) return value;
  const [, key] = /^\[(.*)\]$/s.exec(member.name) ?? [];
  const { amountOf: _, ...named } = member;
  const name = key === undefined ? member.name : cut(await format({ ...named, value: key }));
  return `${name}: ${value}`;
}

/** A text keeps its end, so that it is seen to be one. */
function cut(text: string): string {
  if (text.length <= MAX_MEMBER_LENGTH) return text;
  const end = text.endsWith('"') ? '"' : '';
  return `${[...text].slice(0, MAX_MEMBER_LENGTH - 1 - end.length).join('')}${MORE}${end}`;
}
