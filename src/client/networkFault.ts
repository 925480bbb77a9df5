// Network failures as faults: a message without path, query or key, and a fix.
import { HexLensError } from '../base/errors.ts';
import { type LocalizableText, localizable } from '../base/localize.ts';
import { isLoopbackHost } from '../base/loopback.ts';

/** How far a request had come when it failed. */
export type Phase = 'connecting' | 'waiting' | 'reading';

interface NetworkError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly port?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly errors?: readonly unknown[];
  readonly cause?: unknown;
}

const CHECK_PROXY = localizable('Check http.proxy in the settings, or HTTPS_PROXY and NO_PROXY in the environment.');
const CHECK_ADDRESS = localizable('Check the address in the HexLens settings.');

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
]);

const CLOSED = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_INFO',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'HPE_INVALID_EOF_STATE',
]);

/** Codes of failures that a retry cannot fix: a setting, a name or a certificate must change first. */
const PERMANENT =
  /^(ENOTFOUND|EPROTO|ERR_TLS_|ERR_SSL_|CERT_|SELF_|DEPTH_|UNABLE_|HPE_|UND_ERR_PRX|UND_ERR_INVALID|PROXY_)/;

interface Permanent {
  readonly code: string;
}

/** Whether a retry is pointless although the fault's code is retryable. */
export function isPermanentFailure(error: unknown): boolean {
  const code = ((error as { cause?: unknown } | null)?.cause as Permanent | undefined)?.code;
  return typeof code === 'string' && PERMANENT.test(code);
}

function unreachable(code: string, message: LocalizableText, fix: LocalizableText): HexLensError {
  // Only the code is passed on: the original error may hold addresses, headers or response bytes.
  return new HexLensError('node-unreachable', message, { details: code, fix, cause: { code } satisfies Permanent });
}

const seconds = (ms: number) => `${ms >= 1000 ? Math.round(ms / 100) / 10 : ms / 1000} s`;

export function createTimeoutFault(url: URL, phase: Phase, ms: number): HexLensError {
  const what = {
    connecting: localizable('No connection to {0} within {1}.', url.host, seconds(ms)),
    waiting: localizable('{0} did not respond within {1}.', url.host, seconds(ms)),
    reading: localizable('{0} did not finish its response within {1}.', url.host, seconds(ms)),
  }[phase];
  return new HexLensError('node-timeout', what, {
    details: `timeout while ${phase}`,
    fix: isLoopbackHost(url.hostname)
      ? localizable('Your node hangs: look at its output, or restart it.')
      : localizable('Try again, or use another node.'),
  });
}

export function createResponseTooLargeFault(url: URL, maxBytes: number): HexLensError {
  return new HexLensError(
    'too-large',
    localizable('The response of {0} is larger than {1}.', url.host, mebibytes(maxBytes)),
    {
      details: `more than ${maxBytes} bytes`,
      fix: localizable('Ask for less: a smaller limit or a shorter range of blocks.'),
    },
  );
}

/** All responses that are being read take more memory together than they may. */
export function createBudgetFault(url: URL, maxBytes: number): HexLensError {
  return new HexLensError(
    'too-large',
    localizable(
      'The response of {0} and the others that are being read are larger than {1} together.',
      url.host,
      mebibytes(maxBytes),
    ),
    {
      details: `more than ${maxBytes} bytes together`,
      fix: localizable('Ask for less: a smaller limit or a shorter range of blocks.'),
    },
  );
}

/** A small response that becomes a huge one is no honest one. */
export function createRatioFault(url: URL, ratio: number): HexLensError {
  return new HexLensError(
    'too-large',
    localizable('The response of {0} is compressed to less than 1/{1} of its size.', url.host, ratio),
    {
      details: `compressed more than ${ratio} times`,
      fix: localizable('Ask for less: a smaller limit or a shorter range of blocks.'),
    },
  );
}

const mebibytes = (bytes: number) => (bytes >= 1 << 20 ? `${Math.round(bytes / (1 << 20))} MiB` : `${bytes} bytes`);

export function createUnreadableBodyFault(url: URL, encoding: string): HexLensError {
  return unreachable(
    'UNREADABLE_BODY',
    localizable('The compressed response of {0} is damaged or has an unsupported encoding ({1}).', url.host, encoding),
    localizable('Try again; if it happens again, something between you and the host changes its responses.'),
  );
}

const toText = (value: unknown) => (typeof value === 'string' ? value : '');

/** The system error inside undici's errors, or inside those of the addresses that were tried. */
function getSystemError(error: unknown): NetworkError {
  const outer = (error ?? {}) as NetworkError;
  if (Array.isArray(outer.errors) && outer.errors.length > 0) return getSystemError(outer.errors[0]);
  const inner = outer.cause as NetworkError | null | undefined;
  return outer.code === undefined && typeof inner?.code === 'string' ? getSystemError(inner) : outer;
}

/** The fault of a proxy; `null` when the failure is not one of a proxy. */
function createProxyFault(url: URL, code: string, error: NetworkError): HexLensError | null {
  // undici has no code for this, only these two messages.
  const message = toText(error.message);
  const refused = /Proxy response \((\d{3})\)/.exec(message)?.[1] ?? /Required \((407)\)/.exec(message)?.[1];
  if (refused === '407') {
    return unreachable(
      'PROXY_407',
      localizable('The proxy wants a user name and password.'),
      localizable('Put them into http.proxy or http.proxyAuthorization.'),
    );
  }
  if (refused !== undefined)
    return unreachable(
      `PROXY_${refused}`,
      localizable('The proxy does not let HexLens through to {0} ({1}).', url.host, refused),
      CHECK_PROXY,
    );
  if (code === 'UND_ERR_PRX_TLS')
    return unreachable(code, localizable('The certificate of the proxy does not carry its name.'), CHECK_PROXY);
  if (code === 'UND_ERR_PRX_CONN')
    return unreachable(code, localizable('The proxy closed the connection.'), CHECK_PROXY);
  if (code.startsWith('UND_ERR_SOCKS5'))
    return unreachable(code, localizable('The SOCKS proxy refused the connection.'), CHECK_PROXY);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (typeof error.port === 'number' && error.port !== port) {
    return unreachable(
      code,
      localizable('The proxy at {0}:{1} is unreachable.', toText(error.address) || 'port', error.port),
      CHECK_PROXY,
    );
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (code === 'ENOTFOUND' && toText(error.hostname) !== '' && error.hostname !== hostname)
    return unreachable(
      code,
      localizable('The name of the proxy {0} does not exist.', toText(error.hostname)),
      CHECK_PROXY,
    );
  return null;
}

function createConnectionRefusedFault(url: URL, code: string): HexLensError {
  return isLoopbackHost(url.hostname)
    ? unreachable(
        code,
        localizable('Nothing is listening at {0}.', url.host),
        localizable('Start your node (anvil, npx hardhat node) or change hexlens.nodes.'),
      )
    : unreachable(code, localizable('{0} refuses connections.', url.host), CHECK_ADDRESS);
}

function createTlsFault(url: URL, code: string): HexLensError | null {
  if (UNTRUSTED.has(code)) {
    return unreachable(
      code,
      localizable('The certificate of {0} is not signed by an authority that this machine trusts.', url.host),
      localizable("Add that authority to the system's certificates, or turn off http.proxyStrictSSL at your own risk."),
    );
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return unreachable(
      code,
      localizable('The certificate of {0} is not valid today.', url.host),
      localizable("Check this machine's clock, or tell the host."),
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return unreachable(code, localizable('The certificate of {0} belongs to another host.', url.host), CHECK_ADDRESS);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return unreachable(
      code,
      localizable('{0} does not speak TLS on this port.', url.host),
      localizable('Use http:// instead of https://.'),
    );
  return code.startsWith('ERR_TLS_') || code.startsWith('CERT_')
    ? unreachable(code, localizable('{0} has no acceptable certificate.', url.host), CHECK_ADDRESS)
    : null;
}

/** Any error of a socket, of TLS, of a proxy or of the HTTP parser as a fault that names the host of `url`. */
export function toNetworkFault(url: URL, error: unknown, phase: Phase, connectMs: number): HexLensError {
  if (error instanceof HexLensError) return error;
  const inner = getSystemError(error);
  // Errors of undici's parser have no code.
  const code = toText(inner.code) || (inner.name === 'HTTPParserError' ? 'HPE_' : 'UNKNOWN');
  const proxy = createProxyFault(url, code, inner);
  if (proxy !== null) return proxy;
  const tls = createTlsFault(url, code);
  if (tls !== null) return tls;
  if (code === 'ECONNREFUSED') return createConnectionRefusedFault(url, code);
  if (code === 'ENOTFOUND')
    return unreachable(code, localizable('The host name {0} does not exist.', url.hostname), CHECK_ADDRESS);
  if (code === 'EAI_AGAIN')
    return unreachable(
      code,
      localizable('The host name {0} cannot be resolved right now.', url.hostname),
      localizable('Check your connection.'),
    );
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return unreachable(code, localizable('There is no route to {0}.', url.host), localizable('Check your connection.'));
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return createTimeoutFault(url, 'connecting', connectMs);
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return new HexLensError('node-timeout', localizable('{0} stopped in the middle of its response.', url.host), {
      details: code,
      fix: localizable('Try again.'),
    });
  if (code.startsWith('HPE_') && !CLOSED.has(code)) {
    return phase === 'reading'
      ? unreachable(code, localizable('The response of {0} is damaged.', url.host), localizable('Try again.'))
      : unreachable(code, localizable('What listens at {0} does not speak HTTP.', url.host), CHECK_ADDRESS);
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return unreachable(code, localizable('{0} responds with headers that are too large.', url.host), CHECK_ADDRESS);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')
    return new HexLensError('cancelled', localizable('The request was cancelled: HexLens is closing its connections.'));
  if (CLOSED.has(code)) {
    return phase === 'reading'
      ? unreachable(
          code,
          localizable('{0} closed the connection in the middle of its response.', url.host),
          localizable('Try again.'),
        )
      : unreachable(
          code,
          localizable('{0} closed the connection without a response.', url.host),
          localizable('Try again.'),
        );
  }
  return unreachable(code, localizable('{0} is unreachable.', url.host), CHECK_ADDRESS);
}
