import { STATUS_CODES } from 'node:http';
import { isOutOfFiles, McpRecordError } from '../../../kernel/errors.ts';
import type { ResponseWriter } from '../http1/response-writer.ts';
import type { Upstream } from '../upstream/parse-upstream.ts';

/** Answers with a status and an error text. The connection is closed afterwards. */
export function refuse(answer: ResponseWriter, status: number, error: McpRecordError): void {
  const { headers, body } = refusalText(error);
  answer.isLasting = false;
  answer.head(status, STATUS_CODES[status] ?? '', headers);
  answer.write(Buffer.from(body));
  answer.end();
}

/** Returns the header fields and body of a refusal. */
export function refusalText({ message }: McpRecordError): { headers: string[]; body: string } {
  const body = `mcp-record: ${message}\n`;
  const length = String(Buffer.byteLength(body));
  return { headers: ['content-type', 'text/plain; charset=utf-8', 'content-length', length], body };
}

/** Answers a request for a token with an error that clients show (RFC 6749, 5.2). */
export function refuseForm(answer: Pick<ResponseWriter, 'head' | 'write' | 'end'>, why: string): void {
  const body = Buffer.from(JSON.stringify({ error: 'invalid_client', error_description: `mcp-record: ${why}` }));
  answer.head(400, 'Bad Request', [
    'content-type',
    'application/json',
    'content-length',
    String(body.length),
    'cache-control',
    'no-store',
  ]);
  answer.write(body);
  answer.end();
}

/** Returns the error for a refused request. `next`: what the user can do, other than at a reverse proxy. */
export function refused(request: string, why: string, next: string = AT_REVERSE_PROXY): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_REQUEST_REFUSED',
    what: `Cannot pass on ${request}`,
    why,
    next,
  });
}

const AT_REVERSE_PROXY =
  'Give the client the printed URL. A name of this machine beside localhost needs --allow-host NAME.';

/** Returns the error for a client above the connection limit. */
export function crowded(request: string, connectionsMax: number): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_TOO_MANY_CONNECTIONS',
    what: `Cannot pass on ${request}`,
    why: `${connectionsMax} connections are open, and this is one more`,
    next: 'Try again when others are closed. A recorder takes more with a higher --connections of record.',
  });
}

/** Returns the error for an unreachable or invalid server. */
export function badUpstream({ origin, isOfTest = false }: Upstream, cause: Error, isGarbage: boolean): McpRecordError {
  // After trying several addresses, Node's error has no message of its own.
  const why = cause.message || (cause as NodeJS.ErrnoException).code || cause.name;
  return new McpRecordError({
    code: isGarbage ? 'HTTP_UPSTREAM_INVALID' : 'HTTP_UPSTREAM_UNREACHABLE',
    what: isGarbage ? `Cannot understand ${origin}` : `Cannot reach ${origin}`,
    why,
    next: (isOfTest ? IN_TEST : ON_COMMAND_LINE)[
      isGarbage ? 'noHttp' : isOutOfFiles(cause) ? 'noMoreFiles' : 'noAnswer'
    ],
    cause,
  });
}

type BadUpstream = 'noHttp' | 'noMoreFiles' | 'noAnswer';

const ON_COMMAND_LINE: Readonly<Record<BadUpstream, string>> = {
  noHttp:
    'The server does not speak HTTP/1.1 there. Check the URL given with --http, or with --proxy of record, its scheme and its port.',
  noMoreFiles:
    'The system allows the recorder no more open files: raise that (ulimit -n), or lower --connections and --sessions of record.',
  noAnswer:
    'Start the server, or check the URL given with --http, or with --proxy of record. A certificate of your own authority needs --ca FILE.',
};
const IN_TEST: Readonly<Record<BadUpstream, string>> = {
  noHttp: 'The server does not speak HTTP/1.1 there. Check the url that the test gives, its scheme and its port.',
  noMoreFiles: 'The system allows the tests no more open files: raise that (ulimit -n), or run fewer at once.',
  noAnswer:
    'Start the server, or check the url that the test gives. A certificate of your own authority needs the variable NODE_EXTRA_CA_CERTS.',
};

/** Returns the error for an authorization that cannot pass the proxy. */
export function cannotAuthorize(why: string): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_CANNOT_AUTHORIZE',
    what: 'Cannot authorize every client through the recorder',
    why,
    next: "Give a recorder what authorizes it, by --header of record: --header 'Authorization: Bearer env:MY_TOKEN'.",
  });
}
