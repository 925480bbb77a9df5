// What a chain is called for people: names of networks as they are, our own words for local nodes translated.
import { t } from '../base/localize.ts';

/** As the backend makes it of a local node (`contract/chains.ts`), which speaks English to every program. */
const LOCAL_NODE = /^Local node \((.*)\)$/;

export function getChainTitle({ title }: { readonly title: string }): string {
  if (title === 'Local dev chain') return t('Local dev chain');
  const [, known] = LOCAL_NODE.exec(title) ?? [];
  return known === undefined ? title : t('Local node ({0})', known);
}
