// A child process with a Hono handler that only sends fixed bytes: the least that an HTTP server in Node costs.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** Status and body by path with query; written by the benchmark. */
const responses = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Readonly<
  Record<string, { readonly status: 200 | 201; readonly body: string }>
>;
const app = new Hono();
app.all('*', async c => {
  const url = c.req.url;
  const response = responses[url.slice(url.indexOf('/', 8))];
  if (response === undefined) return c.text('nothing', 404);
  if (c.req.method === 'POST') await c.req.text();
  return c.body(response.body, response.status, { 'content-type': 'application/json; charset=utf-8' });
});
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});
