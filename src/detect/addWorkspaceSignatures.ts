// What the workspace's ABIs add to a subject: topics and selectors of the user's own contracts are known too.

import { type AbiItem, formatAbiItem } from '../decode/abiItem.ts';
import type { AbiRegistry } from '../decode/abiRegistry.ts';
import type { Signature } from '../decode/signatures/signature.ts';
import type { HexLiteral } from './hexLiteral.ts';

const signatureOf = (item: AbiItem): Signature => ({
  name: item.name,
  standard: item.source,
  text: formatAbiItem(item),
  canonical: item.canonical,
  hash: item.hash,
  indexedCount: item.inputs.filter(({ indexed }) => indexed).length,
});

/** The workspace's own first; a bundled one only where it says something else. */
function joined(own: readonly AbiItem[], bundled: readonly Signature[]): readonly Signature[] {
  const signatures = own.map(signatureOf);
  const known = new Set(signatures.map(({ canonical, indexedCount: indexed }) => `${canonical} ${indexed}`));
  return [
    ...signatures,
    ...bundled.filter(({ canonical, indexedCount: indexed }) => !known.has(`${canonical} ${indexed}`)),
  ];
}

/** The subject with the workspace's signatures. 32 bytes that are the topic of one of its events are no longer looked up. */
export function addWorkspaceSignatures(subject: HexLiteral, book: AbiRegistry | null): HexLiteral {
  if (book === null || book.size === 0) return subject;
  switch (subject.kind) {
    case 'hash32': {
      const own = subject.secretWord === null ? book.events(subject.hash).workspace : [];
      if (own.length === 0) return subject;
      const { start, end, text } = subject;
      return { kind: 'topic', start, end, text, topic: subject.hash, events: own.map(signatureOf) };
    }
    case 'topic':
      return { ...subject, events: joined(book.events(subject.topic).workspace, subject.events) };
    case 'selector': {
      const { selector } = subject;
      const functions = joined(book.functions(selector).workspace, subject.functions);
      return { ...subject, functions, errors: joined(book.errors(selector).workspace, subject.errors) };
    }
    case 'data': {
      if (subject.form !== 'calldata' && subject.form !== 'revert' && subject.form !== 'bytes') return subject;
      const selector = subject.text.slice(0, 10);
      const functions = joined(book.functions(selector).workspace, subject.functions);
      const errors = joined(book.errors(selector).workspace, subject.errors);
      const form = functions.length > 0 ? 'calldata' : errors.length > 0 ? 'revert' : subject.form;
      return { ...subject, form, functions, errors };
    }
    default:
      return subject;
  }
}
