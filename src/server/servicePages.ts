// What the service says of itself: its OpenAPI document, and the reference as a page that runs nothing.
import { hash } from 'node:crypto';
import { openApi } from '../api/docs/openApi.ts';
import { REFERENCE_STYLE, referenceHtml } from '../api/docs/referencePage.ts';
import type { Outgoing } from './incomingRequest.ts';
import { answerHeaders } from './responses.ts';

export interface Pages {
  openapi(): Outgoing;
  reference(): Outgoing;
}

export function createPages(): Pages {
  let document: Outgoing | undefined;
  let page: Outgoing | undefined;
  return {
    openapi() {
      document ??= { status: 200, headers: answerHeaders, body: Buffer.from(JSON.stringify(openApi())) };
      return document;
    },
    reference() {
      page ??= {
        status: 200,
        headers: {
          ...answerHeaders,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', REFERENCE_STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
        },
        body: Buffer.from(referenceHtml()),
      };
      return page;
    },
  };
}
