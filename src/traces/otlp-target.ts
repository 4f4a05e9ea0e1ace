import { McpRecordError, messageOf } from '../kernel/errors.ts';

/** Collector that spans are sent to. */
export interface OtlpTarget {
  url: string;
  /** Address for messages, without credentials. */
  shown: string;
  /** Headers of each request, possibly secret. */
  headers: Record<string, string>;
  /** Name under which trace viewers show the spans. Absent: that of this program. */
  service?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Default address of a local collector, as specified by OTLP. */
const LOCAL = 'http://localhost:4318';
const PATH = '/v1/traces';

/**
 * Returns the collector of `--otlp`, with its URL or without one (`true`), and OpenTelemetry's environment variables for
 * exporters of OTLP.
 * @throws McpRecordError USAGE_BAD_OTLP_URL, USAGE_OTLP_PROTOCOL, USAGE_BAD_OTLP_HEADERS
 */
export function otlpTarget(given: string | true, env: Environment): OtlpTarget {
  const { OTEL_SERVICE_NAME: service } = env;
  const url = given === true ? urlOfEnvironment(env) : withPath(urlIn(given, '--otlp'));
  // `fetch` refuses URLs with credentials.
  const { username, password } = url;
  [url.username, url.password] = ['', ''];
  const basic = `Basic ${Buffer.from(decodeURIComponent(`${username}:${password}`)).toString('base64')}`;
  return {
    url: url.href,
    shown: url.origin + url.pathname,
    headers: { ...(username && { authorization: basic }), ...headersIn(env) },
    ...(service && { service }),
  };
}

function urlOfEnvironment(env: Environment): URL {
  const [name, value] = setIn(env, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL') ?? [];
  if (name !== undefined && value === 'grpc') throw speaksGrpc(name);
  const own = setIn(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  if (own) return urlIn(own[1], own[0]);
  const [base, text] = setIn(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') ?? ['--otlp', LOCAL];
  return withPath(urlIn(text, base));
}

/** Returns the first variable that is set, with its value. An empty one counts as not set. */
function setIn(env: Environment, ...names: string[]): [name: string, value: string] | undefined {
  const name = names.find((one) => env[one]?.trim());
  return name === undefined ? undefined : [name, env[name]!.trim()];
}

function urlIn(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new McpRecordError({
    code: 'USAGE_BAD_OTLP_URL',
    what: `Cannot send traces to ${url ? `${url.protocol}//${url.host}` : `"${text}"`}, the collector of ${source}`,
    why: url ? 'it is no URL of HTTP' : 'it is no URL',
    next: 'Write the URL of a collector: --otlp http://localhost:4318. To use the one of OTEL_EXPORTER_OTLP_ENDPOINT, write -- before the command of the server.',
  });
}

/** Appends the path for traces to a collector's URL, if the path is missing. */
function withPath(url: URL): URL {
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(PATH) ? path : path + PATH;
  return url;
}

/** Returns the headers in the environment: `name=value` pairs with commas between, percent-encoded. */
function headersIn(env: Environment): Record<string, string> {
  const names = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
  const headers = new Headers();
  for (const name of names) {
    const pairs = (env[name] ?? '').split(',').filter((pair) => pair.trim() !== '');
    for (const [index, pair] of pairs.entries()) {
      const at = pair.indexOf('=');
      try {
        if (at < 0) throw new Error('it has no "="');
        headers.set(pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim()));
      } catch (error) {
        throw badHeaders(name, index + 1, at < 0 ? messageOf(error) : 'it is no header');
      }
    }
  }
  return Object.fromEntries(headers);
}

/** Returns the error for a malformed header. The error omits the header's value, which may be secret. */
function badHeaders(name: string, position: number, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_OTLP_HEADERS',
    what: `Cannot read header ${position} of ${name}`,
    why,
    next: `Write name=value pairs with commas between, and percent-encode other characters: ${name}='authorization=Bearer%20…'`,
  });
}

function speaksGrpc(name: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_OTLP_PROTOCOL',
    what: 'Cannot send traces by gRPC',
    why: `${name} is grpc, and mcp-record sends OTLP over HTTP alone`,
    next: 'Write the address at which the collector takes OTLP over HTTP: --otlp http://localhost:4318',
  });
}
