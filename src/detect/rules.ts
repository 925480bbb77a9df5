// The rules of docs/security.md by which 32 bytes are sent or not.

/**
 * The rules of docs/security.md, by their numbers: what forbids to send 32 bytes, even by a click (1, 2) or without one (3 to 8),
 * and what proves that they are a hash (9 to 16).
 */
export const RULES = {
  secretWord: 1,
  secretFile: 2,
  accountRemark: 3,
  usedAsKey: 4,
  aboutAccounts: 5,
  oneOfSeveral: 6,
  otherPlace: 7,
  nothing: 8,
  hashName: 9,
  lookup: 10,
  link: 11,
  column: 12,
  type: 13,
  lookedUp: 14,
  report: 15,
  surroundings: 16, // by the text around it, which may also be about an account
  recorded: 17, // by another file, whatever rules 3 and 5 to 8 say
} as const;

export type RuleName = keyof typeof RULES;

/** Whether a rule is one of those that prove a hash. */
export const isProof = (rule: RuleName): boolean => RULES[rule] >= RULES.hashName;
