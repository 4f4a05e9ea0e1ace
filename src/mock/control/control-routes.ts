import type { ServerControl } from './server-control.ts';

/** What a route is given. */
interface RouteRequest {
  control: ServerControl;
  /** The parsed body. */
  body: unknown;
  query: URLSearchParams;
}

export interface Route {
  /** It reads the body, which has to be there. Others have none. */
  hasBody?: true;
  /** Names in its query. */
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
