import type { ServerControl } from './control-operations.ts';

/** Arguments of a route's `answer`. */
interface RouteRequest {
  control: ServerControl;
  /** The parsed body. */
  body: unknown;
  query: URLSearchParams;
}

export interface Route {
  /** Marks a route that requires a body. Other routes accept none. */
  hasBody?: true;
  /** Names of the accepted query parameters. */
  query?: readonly string[];
  answer(request: RouteRequest): object | Promise<object>;
}

/** Every path of the control API, with its methods. */
export const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  '/health': { GET: { answer: ({ control }) => control.health() } },
  '/journal': {
    GET: { query: ['method'], answer: ({ control, query }) => control.journal(query.get('method') ?? undefined) },
  },
  '/journal/wait': { POST: { hasBody: true, answer: ({ control, body }) => control.wait(body) } },
  '/findings': { GET: { answer: ({ control }) => control.findings() } },
  '/reset': { POST: { answer: ({ control }) => control.reset() } },
  '/faults': {
    GET: { answer: ({ control }) => control.faults() },
    PUT: { hasBody: true, answer: ({ control, body }) => control.putFaults(body) },
    DELETE: { answer: ({ control }) => control.deleteFaults() },
  },
  '/handlers': {
    GET: { answer: ({ control }) => control.handlers() },
    PUT: { hasBody: true, answer: ({ control, body }) => control.putHandlers(body) },
    DELETE: { answer: ({ control }) => control.deleteHandlers() },
  },
  '/fail-next': { POST: { hasBody: true, answer: ({ control, body }) => control.failNext(body) } },
  '/sessions/expire': { POST: { answer: ({ control }) => control.expireSessions() } },
  '/notify': { POST: { hasBody: true, answer: ({ control, body }) => control.notify(body) } },
  '/request': { POST: { hasBody: true, answer: ({ control, body }) => control.request(body) } },
};
