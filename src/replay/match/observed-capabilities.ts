import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { isNotification, isObject, isRequest, type Params, paramsOf } from '../../protocol/message.ts';

type Capabilities = Record<string, Record<string, unknown>>;

/** What of the server a method shows: a capability, and a member of it where the protocol has one. */
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

/** The capabilities that a server must have declared to be asked, and to say, what a cassette shows. */
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

/** The capabilities that a client must have declared to be asked what the server of a cassette asks. */
export function clientCapabilities(entries: readonly SessionEntry[]): Capabilities {
  const capabilities: Capabilities = {};
  for (const { from, message } of entries) {
    if (from === 'server' && isRequest(message)) Object.assign(capabilities, asked(message.method, paramsOf(message)));
    if (from === 'client' && isNotification(message) && message.method === 'notifications/roots/list_changed')
      capabilities.roots = { listChanged: true };
  }
  return capabilities;
}

function asked(method: string, params: Params | undefined): Capabilities {
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
