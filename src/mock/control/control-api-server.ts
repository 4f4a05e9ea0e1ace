import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { mediaType } from '../../transports/http/http1/raw-headers.ts';
import { type HttpListener, listen, type ReceivedHttpRequest } from '../../transports/http/server/http-listener.ts';
import { BodyObject, parseBody } from './body-object.ts';
import { BodyError, statusOf } from './control-errors.ts';
import type { ServerControl } from './control-operations.ts';
import { ROUTES, type Route } from './control-routes.ts';

export interface ControlApiOptions {
  control: ServerControl;
  /** Loopback address, and a port; 0 picks a free one. */
  address: { hostname: string; port: number };
  /** Accepted host names in addition to the loopback names. */
  allowed: readonly string[];
  /** Called with each refused request and the reason. */
  refused(request: string, why: string): void;
}

/** Maximum body size of a control API request, in bytes. */
export const CONTROL_BODY_BYTES_MAX: number = 16 * 1024 * 1024;

/**
 * Starts the control API: JSON over HTTP, for programs that inspect and change a mock server (docs/control.md,
 * schema/control-1.yaml).
 * @throws McpRecordError HTTP_CANNOT_LISTEN
 */
export async function startControlApi(options: ControlApiOptions): Promise<HttpListener> {
  try {
    return await listening(options);
  } catch (error) {
    if (!(error instanceof McpRecordError)) throw error;
    const next = 'Choose another port with --control 127.0.0.1:PORT; port 0 takes any that is free.';
    throw new McpRecordError({ ...error.problem, next });
  }
}

function listening({ control, address, allowed, refused }: ControlApiOptions): Promise<HttpListener> {
  return listen({
    ...address,
    path: '',
    otherPaths: 'all',
    allowed,
    refused,
    bodyMax: CONTROL_BODY_BYTES_MAX,
    errorsAreJson: true,
    serve(request, responder) {
      let isGone = false;
      const answer = (status: number, body: object, headers: Record<string, string> = {}) => {
        if (isGone) return;
        const text = `${JSON.stringify(body)}\n`;
        responder.answer({ status, headers: { 'content-type': 'application/json', ...headers }, body: text });
      };
      answerTo(control, request).then(
        (body) => answer(200, body),
        (error: unknown) => answer(...errorAnswer(error)),
      );
      return () => {
        isGone = true;
      };
    },
  });
}

async function answerTo(
  control: ServerControl,
  { method, target, headers, body }: ReceivedHttpRequest,
): Promise<object> {
  const [path = '', search = ''] = target.split(/\?(.*)/s, 2);
  const route = routeOf(method, path);
  const query = new URLSearchParams(search);
  checkQuery(query, route);
  return route.answer({ control, query, body: bodyOf(route, { type: headers['content-type'], text: body }) });
}

/**
 * Returns the route of a request.
 * @throws McpRecordError CONTROL_UNKNOWN_PATH, CONTROL_WRONG_METHOD
 */
function routeOf(method: string, path: string): Route {
  const paths = Object.keys(ROUTES);
  const routes = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  if (routes === undefined) {
    const meant = didYouMean(path, paths);
    throw new McpRecordError({
      code: 'CONTROL_UNKNOWN_PATH',
      what: `Cannot serve ${path}`,
      why: 'the control API has no such path',
      next: `${meant === undefined ? '' : `Did you mean ${meant}? `}There are: ${paths.join(', ')}.`,
    });
  }
  const route = Object.hasOwn(routes, method) ? routes[method] : undefined;
  if (route) return route;
  throw new WrongMethod(path, method, Object.keys(routes));
}

/** Error for an unsupported method, which lists the supported methods. */
class WrongMethod extends McpRecordError {
  readonly allowed: readonly string[];

  constructor(path: string, method: string, allowed: readonly string[]) {
    const what = `Cannot serve ${method} ${path}`;
    const next = `Use ${allowed.join(' or ')}.`;
    super({ code: 'CONTROL_WRONG_METHOD', what, why: 'this path does not have the method', next });
    this.allowed = allowed;
  }
}

/**
 * Checks the query parameters against those of the route.
 * @throws McpRecordError CONTROL_UNKNOWN_QUERY
 */
function checkQuery(query: URLSearchParams, { query: known = [] }: Route): void {
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, known);
  throw new McpRecordError({
    code: 'CONTROL_UNKNOWN_QUERY',
    what: `Cannot use "${unknown}" in the query`,
    why: known.length === 0 ? 'this path takes no query' : `it may have: ${known.join(', ')}`,
    next: meant === undefined ? 'Leave it out.' : `Did you mean "${meant}"?`,
  });
}

/**
 * Returns the parsed body of a request.
 * @throws McpRecordError CONTROL_NOT_JSON, and those of `parseBody`
 */
function bodyOf({ hasBody }: Route, { type, text }: { type: string | undefined; text: string }): unknown {
  if (!hasBody) {
    // Some clients send an empty object with each POST.
    if (text.trim() !== '') new BodyObject({ value: parseBody(text), path: [] }, []);
    return undefined;
  }
  if (mediaType(type) === 'application/json') return parseBody(text);
  throw new McpRecordError({
    code: 'CONTROL_NOT_JSON',
    what: 'Cannot read the body of the request',
    why: type === undefined ? 'it has no Content-Type' : `its Content-Type is ${type}`,
    next: 'Send JSON with "Content-Type: application/json".',
  });
}

function errorAnswer(error: unknown): [status: number, body: object, headers: Record<string, string>] {
  if (!(error instanceof McpRecordError)) return errorAnswer(internalError(error));
  const { code, what, why, next } = error.problem;
  const pointer = error instanceof BodyError && { pointer: error.pointer };
  const headers: Record<string, string> = error instanceof WrongMethod ? { allow: error.allowed.join(', ') } : {};
  return [statusOf(error), { error: { code, message: `${what}: ${why}.`, next, ...pointer } }, headers];
}

function internalError(error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'CONTROL_INTERNAL',
    what: 'Cannot serve the request',
    why: messageOf(error),
    next: 'Report this: it is a mistake of mcp-record.',
    cause: error,
  });
}
