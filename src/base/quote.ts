/** Text of others in an error message: at most 48 characters, printable ASCII, one line, in quotes. */
export function quote(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?');
  return `"${printable.length > 48 ? `${printable.slice(0, 45)}...` : printable}"`;
}
