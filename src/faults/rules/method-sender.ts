import type { Side } from '../../channel/frame.ts';
import { CLIENT_CAPABILITIES, capabilityOf, isRequestMethod } from '../../protocol/method-table.ts';

/** Methods of requests that both sides send. */
const OF_BOTH_SIDES: ReadonlySet<string> = new Set(['ping', 'tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list']);

/** Notifications that only the client sends. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['notifications/initialized', 'notifications/roots/list_changed']);

/**
 * Returns the only side that sends requests or notifications of a method. Undefined: both sides send the method, or the
 * method is unknown.
 */
export function senderOf(method: string): Side | undefined {
  if (OF_BOTH_SIDES.has(method)) return undefined;
  if (CLIENT_CAPABILITIES.has(method)) return 'server';
  if (isRequestMethod(method) || OF_CLIENTS.has(method)) return 'client';
  // Notifications that need a declared capability come from the server.
  return capabilityOf(method) === undefined ? undefined : 'server';
}
