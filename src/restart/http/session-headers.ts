import { mapHeaders } from '../../transports/http/http1/raw-headers.ts';
import type { RawHeaders } from '../../transports/http/proxy/http-traffic.ts';
import { ownEventId } from './event-relay.ts';
import type { HttpSession } from './http-session.ts';

/** Returns the headers of a client's request for the present server of its session. */
export function headersToServer(headers: RawHeaders, session: HttpSession | undefined): RawHeaders {
  if (session === undefined) return headers;
  return mapHeaders(headers, (name, value) => {
    if (name === 'mcp-session-id') return session.serverId;
    return name === 'last-event-id' ? ownEventId(session.generation, value) : value;
  });
}

/** Returns the headers of a response for the client of a session. */
export function headersToClient(headers: RawHeaders, session: HttpSession | undefined): RawHeaders {
  if (session === undefined) return headers;
  return mapHeaders(headers, (name, value) => (name === 'mcp-session-id' ? session.clientId : value));
}
