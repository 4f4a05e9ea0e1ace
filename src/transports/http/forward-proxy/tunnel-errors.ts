import { McpRecordError } from '../../../kernel/errors.ts';
import { refused } from '../proxy/error-response.ts';
import { authorityWithPort, type NamedHost } from './named-hosts.ts';

/** Returns the error for a request to a server that is not named. */
export function notNamed(request: string, authority: string, hosts: readonly NamedHost[]): McpRecordError {
  const named = hosts.map(({ upstream }) => authorityWithPort(upstream)).join(', ');
  return refused(
    request,
    `--proxy names ${named} alone`,
    `Add ${authority} to --proxy to record it, or to NO_PROXY of the client to reach it without the recorder.`,
  );
}

/** Returns the error for a tunnel with TLS to a server that is named with `http://`. */
export function secure(authority: string): McpRecordError {
  return refused(
    `a tunnel to ${authority}`,
    'the client begins TLS there, and --proxy names http',
    `Name the server with https: --proxy https://${authority}`,
  );
}

/** Returns the error for a tunnel without TLS to a server that is named with `https://`, or without a scheme. */
export function insecure(authority: string): McpRecordError {
  return refused(
    `a tunnel to ${authority}`,
    'the client does not begin TLS there, and --proxy names https',
    `If the server has no TLS, name it with its scheme: --proxy http://${authority}`,
  );
}

/** Returns the error for a client that did not complete the handshake, or left after it. */
export function distrusted(authority: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'PROXY_CERTIFICATE_DISTRUSTED',
    what: `Cannot record a client of ${authority}: it may not trust the certificate`,
    why,
    next: TRUST,
  });
}

const TRUST =
  'Start the client with the printed variables: NODE_EXTRA_CA_CERTS for Node, SSL_CERT_FILE for Python, Go and curl, REQUESTS_CA_BUNDLE for requests.';
