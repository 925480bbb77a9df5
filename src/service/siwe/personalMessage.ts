// EIP-191, version 0x45: the bytes that a wallet hashes and signs for a text.

const encoder = new TextEncoder();

/** `\x19Ethereum Signed Message:\n`, the number of bytes in decimal, and the bytes themselves. */
export function encodePersonalMessage(message: Uint8Array): Uint8Array {
  const head = encoder.encode(`\x19Ethereum Signed Message:\n${message.length}`);
  const bytes = new Uint8Array(head.length + message.length);
  bytes.set(head);
  bytes.set(message, head.length);
  return bytes;
}
