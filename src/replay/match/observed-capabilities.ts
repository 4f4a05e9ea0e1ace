import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { isNotification, isObject, isRequest, type Params, paramsOf } from '../../protocol/message.ts';

type Capabilities = Record<string, Record<string, unknown>>;

/** Server capabilities by method prefix, with the capability's member that the method needs, if any. */
const SERVER: readonly (readonly [prefix: string, capability: string, member?: string])[] = [
  ['tools/', 'tools'],
  ['prompts/', 'prompts'],
  ['resources/', 'resources'],
  ['resources/subscribe', 'resources', 'subscribe'],
  ['completion/', 'completions'],
  ['logging/', 'logging'],
  ['notifications/message', 'logging'],
  ['notifications/tools/list_changed', 'tools', 'listChanged'],
  ['notifications/prompts/list_changed', 'prompts', 'listChanged'],
  ['notifications/resources/list_changed', 'resources', 'listChanged'],
  ['notifications/resources/updated', 'resources', 'subscribe'],
];

/** Returns the capabilities that the server needs for the client's requests and its own notifications in a cassette. */
export function serverCapabilities(entries: readonly SessionEntry[]): Capabilities {
  const capabilities: Capabilities = {};
  for (const { from, message } of entries) {
    const isShown = from === 'client' ? isRequest(message) : isNotification(message);
    if (!isShown || !('method' in message!)) continue;
    for (const [prefix, capability, member] of SERVER) {
      if (!message.method.startsWith(prefix)) continue;
      capabilities[capability] ??= {};
      if (member !== undefined) capabilities[capability][member] = true;
    }
  }
  return capabilities;
}

/** Returns the capabilities that the client needs for the server's requests in a cassette. */
export function clientCapabilities(entries: readonly SessionEntry[]): Capabilities {
  const capabilities: Capabilities = {};
  for (const { from, message } of entries) {
    if (from === 'server' && isRequest(message))
      Object.assign(capabilities, capabilitiesFor(message.method, paramsOf(message)));
    if (from === 'client' && isNotification(message) && message.method === 'notifications/roots/list_changed')
      capabilities.roots = { listChanged: true };
  }
  return capabilities;
}

function capabilitiesFor(method: string, params: Params | undefined): Capabilities {
  switch (method) {
    case 'sampling/createMessage':
      return { sampling: isObject(params) && 'tools' in params ? { tools: {} } : {} };
    case 'elicitation/create':
      return { elicitation: { form: {}, ...(params?.mode === 'url' && { url: {} }) } };
    case 'roots/list':
      return { roots: { listChanged: true } };
    default:
      return {};
  }
}
