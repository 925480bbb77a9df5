// The hosted service's own JavaScript clients, unmodified, with nothing but the host of their requests turned to ours.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { Window } from 'happy-dom';

const require = createRequire(import.meta.url);

/** A request as the client sent it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A response of the SDK, which it parses when `result` is read. */
export interface SdkResponse {
  readonly result: unknown;
  readonly raw: unknown;
  hasNext?(): boolean;
  next?(): Promise<SdkResponse>;
  toJSON(): unknown;
}

type Call = (parameters: object) => Promise<SdkResponse | null>;
type Methods = Readonly<Record<string, Call>>;

export interface Sdk {
  start(configuration: object): Promise<void>;
  readonly EvmApi: Readonly<Record<'nft' | 'block' | 'balance' | 'events' | 'token' | 'transaction', Methods>>;
  readonly Auth: { verify(parameters: object): Promise<SdkResponse> };
}

export interface OfficialClient {
  readonly sdk: Sdk;
  readonly sentRequests: SentRequest[];
  stop(): Promise<void>;
}

/** The hosts of the SDKs, whose requests are sent to `target` instead. */
const HOSTS = /^(deep-index|authapi)\.moralis\.io$/;

/** The SDK as a Node package, each version with its own parts: its requests go through `https.request`. */
export async function startNodeClient(
  name: 'moralis' | 'moralis-2.22',
  target: string,
  apiKey: string,
): Promise<OfficialClient> {
  const sentRequests: SentRequest[] = [];
  const { hostname, port } = new URL(target);
  const original = https.request;
  const redirected = (...args: Parameters<typeof https.request>) => {
    const [options, second, third] = args as unknown as [https.RequestOptions, unknown, unknown];
    const host = String(options.hostname ?? options.host);
    if (!HOSTS.test(host)) return original(...args);
    const { method = 'GET', path = '/', headers = {} } = options;
    sentRequests.push({ method, url: `https://${host}${path}`, headers: headers as SentRequest['headers'] });
    const { agent: _agent, agents: _agents, ...rest } = options as https.RequestOptions & { agents?: unknown };
    const own = { ...rest, protocol: 'http:', hostname, host: hostname, port };
    return http.request(own, (typeof second === 'function' ? second : third) as () => void);
  };
  https.request = redirected as typeof https.request;
  const { default: sdk } = require(name) as { default: Sdk };
  await sdk.start({ apiKey });
  return {
    sdk,
    sentRequests,
    async stop() {
      https.request = original;
    },
  };
}

/** 2.22.5 as the page of a web site loads it, over a page's own requests: with origin, preflight and CORS. */
export async function startBrowserClient(target: string, apiKey: string, pageUrl: string): Promise<OfficialClient> {
  const sentRequests: SentRequest[] = [];
  const window = new Window({ url: pageUrl });
  class Redirected extends window.XMLHttpRequest {
    readonly #headers: Record<string, string> = {};
    #request: { method: string; url: string } = { method: '', url: '' };
    override open(method: string, url: string): void {
      const parsed = new URL(url);
      this.#request = { method, url };
      super.open(method, HOSTS.test(parsed.hostname) ? `${target}${parsed.pathname}${parsed.search}` : url);
    }
    override setRequestHeader(name: string, value: string): boolean {
      this.#headers[name.toLowerCase()] = value;
      return super.setRequestHeader(name, value);
    }
    override send(body?: unknown): void {
      sentRequests.push({ ...this.#request, headers: this.#headers });
      super.send(body as string);
    }
  }
  const code = readFileSync(new URL('../../node_modules/moralis-2.22/dist/moralis.js', import.meta.url), 'utf8');
  const module = { exports: {} as unknown };
  const names = [
    'module',
    'exports',
    'window',
    'self',
    'XMLHttpRequest',
    'FormData',
    'document',
    'navigator',
    'location',
  ];
  const { FormData, document, navigator, location } = window;
  // A script of a page finds these as globals.
  const script = new Function(...names, code);
  script(module, module.exports, window, window, Redirected, FormData, document, navigator, location);
  const sdk = module.exports as Sdk;
  await sdk.start({ apiKey });
  return { sdk, sentRequests, stop: () => window.happyDOM.close() };
}
