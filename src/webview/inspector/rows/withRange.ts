// A part of a range as a condition of a filter line.

/** The filter without what it says of this range, and with the one part of it. */
export const replaceRangeCondition = (filter: string, field: string, range: string): string =>
  `${filter.replace(new RegExp(`(^|\\s)${field}:\\S+`, 'g'), '')} ${field}:${range}`.trim();
