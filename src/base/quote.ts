// Text of others as it may stand in an error.

/** Text as it may be quoted in an error: short, printable, one line. */
export function quote(text: string): string {
  const clean = text.replace(/[^\x20-\x7e]/g, '?');
  return `"${clean.length > 48 ? `${clean.slice(0, 45)}...` : clean}"`;
}
