// The settings of token metadata, judged: from which hosts it may come, and what IPFS is read through.
import { quote } from '../base/quote.ts';
import { defaults } from './settingDefaults.ts';
import type { ReportProblem } from './validateUrl.ts';

const HOST = /^(\*|(\*\.)?[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?)+)$/;

/** Host names in lower case; what is none is left out. */
export function readMetadataHosts(value: unknown, complain: ReportProblem): readonly string[] {
  const key = 'hexlens.metadata.hosts';
  if (!Array.isArray(value)) {
    complain(`${key} must be a list of host names such as ["example.com"]; none is asked.`);
    return [];
  }
  const hosts = (value as readonly unknown[]).flatMap(entry => {
    const host = typeof entry === 'string' ? entry.trim().toLowerCase() : '';
    if (HOST.test(host)) return [host];
    const shown = typeof entry === 'string' ? quote(entry) : `a value of type ${typeof entry}`;
    complain(`${key} holds ${shown}, which is no host name: write one without scheme and path, such as example.com.`);
    return [];
  });
  return [...new Set(hosts)];
}

/** Ends with a slash; `null` when IPFS is not to be read. */
export function readIpfsGateway(value: unknown, complain: ReportProblem): string | null {
  const key = 'hexlens.metadata.ipfsGateway';
  const text = typeof value === 'string' ? value.trim() : null;
  if (text === '') return null;
  const url = text === null ? null : URL.parse(text);
  if (url?.protocol === 'https:' && url.search === '' && url.hash === '' && url.username === '' && url.password === '')
    return url.href.replace(/\/*$/, '/');
  complain(
    `${key} must be an https address that ends in the path of IPFS, such as ${defaults[key]}; IPFS is not read until then.`,
  );
  return null;
}
