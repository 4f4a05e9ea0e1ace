import { parsePointer } from '../../protocol/json-pointer.ts';
import { isRequestMethod } from '../../protocol/method-table.ts';
import { isOAuthName } from '../../protocol/oauth-requests.ts';
import { senderOf } from './method-sender.ts';
import { isOfNotifications, type When } from './when.ts';

/** Keys that apply to messages only. */
const OF_MESSAGES = ['tool', 'prompt', 'resource', 'at', 'line'] as const;

/** Requests that name a tool or prompt. Their responses and progress notifications match as well. */
const NAMING = { tool: 'tools/call', prompt: 'prompts/get' } as const;
const PROGRESS = 'notifications/progress';

/** Members that each kind of message lacks. */
const LACKING = {
  request: ['result', 'error'],
  notification: ['id', 'result', 'error'],
  response: ['method', 'params'],
} as const;

/** Returns why no frame can ever match `when`. Undefined: some frame can. */
export function whyUnsatisfiable(when: When): string | undefined {
  const { kind, method, from = 'server' } = when;
  const named = (['tool', 'prompt', 'resource'] as const).filter((key) => when[key] !== undefined);
  if (named.length > 1) return `no message is about a ${named.join(' and a ')}`;
  if (kind === 'authorization' || isOAuthName(method)) return reasonNotOAuth(when);
  if (kind === 'end' || kind === 'open' || kind === 'start') {
    const key = OF_MESSAGES.find((one) => when[one] !== undefined) ?? (kind === 'open' ? undefined : 'method');
    if (key !== undefined && when[key] !== undefined) return `"kind: ${kind}" is not a message, and has no "${key}"`;
    return kind === 'open' && from === 'server' ? '"kind: open" is said by the client alone' : undefined;
  }
  if (method !== undefined && kind === 'notification' && isRequestMethod(method))
    return `"${method}" is a request, and no notification`;
  if (method?.startsWith('notifications/') && (kind === 'request' || kind === 'response'))
    return `"${method}" is a notification, and no ${kind}`;
  for (const key of ['tool', 'prompt'] as const) {
    if (when[key] !== undefined && method !== undefined && method !== NAMING[key] && method !== PROGRESS)
      return `"${method}" names no ${key}`;
  }
  return lackedBy(when) ?? reasonOtherSide(when);
}

/** Returns why the side that `when` selects sends no such message. */
function reasonOtherSide({ kind, method, tool, prompt, from = 'server' }: When): string | undefined {
  const subject = method ?? (tool === undefined ? prompt && NAMING.prompt : NAMING.tool);
  const sender = subject === undefined ? undefined : senderOf(subject);
  if (sender === undefined) return undefined;
  const other = sender === 'client' ? 'server' : 'client';
  const messages = `the rule is about messages of the ${from}`;
  if (isOfNotifications({ method: subject! }) || kind === 'request')
    return from === sender ? undefined : `only the ${sender} sends "${subject}", and ${messages}`;
  return kind === 'response' && from === sender ? `only the ${other} answers "${subject}", and ${messages}` : undefined;
}

/** Returns the reason why `when` matches neither a request nor a response of an authorization flow. */
function reasonNotOAuth(when: When): string | undefined {
  const { kind, method } = when;
  const key = (['tool', 'prompt', 'resource'] as const).find((one) => when[one] !== undefined);
  if (key !== undefined) return `a request of an authorization flow has no "${key}"`;
  if (kind !== undefined && kind !== 'authorization') return `"${method}" is not a message, and no "kind: ${kind}"`;
  return undefined;
}

/** Returns why the members of `at` never occur together in a message of this kind. */
function lackedBy({ kind, at = {} }: When): string | undefined {
  const members = Object.keys(at).map((path) => parsePointer(path)[0] ?? '');
  const kinds = kind === undefined ? (['request', 'notification', 'response'] as const) : [kind];
  const isLacked = (one: string) =>
    one in LACKING && LACKING[one as keyof typeof LACKING].some((member) => members.includes(member));
  if (!kinds.every(isLacked)) return undefined;
  return `no ${kind ?? 'message'} has ${members.map((member) => `"${member}"`).join(' and ')}`;
}
