// What the service says of itself: its OpenAPI document, and the reference as a page that runs nothing.
import { hash } from 'node:crypto';
import { renderOpenApi } from '../api/docs/openApi.ts';
import { REFERENCE_STYLE, renderReferencePage } from '../api/docs/referencePage.ts';
import type { OutgoingResponse } from './incomingRequest.ts';
import { defaultResponseHeaders } from './responses.ts';

export interface ServicePages {
  openapi(): OutgoingResponse;
  reference(): OutgoingResponse;
}

export function createServicePages(): ServicePages {
  let document: OutgoingResponse | undefined;
  let page: OutgoingResponse | undefined;
  return {
    openapi() {
      document ??= { status: 200, headers: defaultResponseHeaders, body: Buffer.from(JSON.stringify(renderOpenApi())) };
      return document;
    },
    reference() {
      page ??= {
        status: 200,
        headers: {
          ...defaultResponseHeaders,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', REFERENCE_STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
        },
        body: Buffer.from(renderReferencePage()),
      };
      return page;
    },
  };
}
