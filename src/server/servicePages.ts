// Documentation that the service serves: its OpenAPI document, and the reference as a page without scripts.
import { hash } from 'node:crypto';
import { renderOpenApi } from '../api/docs/openApi.ts';
import { REFERENCE_STYLE, renderReferencePage } from '../api/docs/referencePage.ts';
import { jsonHeaders } from './httpHeaders.ts';
import type { OutgoingResponse } from './incomingRequest.ts';

export interface ServicePages {
  openapi(): OutgoingResponse;
  reference(): OutgoingResponse;
}

export function createServicePages(): ServicePages {
  let openApiResponse: OutgoingResponse | undefined;
  let referenceResponse: OutgoingResponse | undefined;
  return {
    openapi() {
      openApiResponse ??= { status: 200, headers: jsonHeaders, body: Buffer.from(JSON.stringify(renderOpenApi())) };
      return openApiResponse;
    },
    reference() {
      referenceResponse ??= {
        status: 200,
        headers: {
          ...jsonHeaders,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', REFERENCE_STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
        },
        body: Buffer.from(renderReferencePage()),
      };
      return referenceResponse;
    },
  };
}
