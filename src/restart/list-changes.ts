import { SUBSCRIPTION_FILTERS } from '../lint/rules/modern-revision.ts';
import { isObject } from '../protocol/message.ts';
import { META } from '../protocol/meta.ts';
import type { SessionState } from './session-state.ts';

const LISTED = ['tools', 'prompts', 'resources'] as const;

/** What the client of a restarted server hears about its lists. */
export interface ListChanges {
  /** Notifications for the client, as JSON. */
  notifications: string[];
  /** A sentence about lists that the client is not told about. Undefined: there are none. */
  untold?: string;
}

/**
 * Returns what a client hears of the lists when its server is restarted. A server without the capability `listChanged` may
 * send no such notification (Server features, "Capabilities"), so neither may this program in its place. From 2026-07-28
 * on, a client gets them on its subscriptions alone.
 */
export function listChanges(state: SessionState): ListChanges {
  if (state.isModern) return changesOfSubscriptions(state);
  if (state.told === undefined || state.initialized === undefined) return { notifications: [] };
  const { capabilities } = state.told;
  const declared = isObject(capabilities) ? capabilities : {};
  const known = LISTED.filter((name) => isObject(declared[name]));
  const isTold = (name: string) => isObject(declared[name]) && declared[name].listChanged === true;
  const untold = known.filter((name) => !isTold(name));
  return {
    notifications: known.filter(isTold).map((name) => notification(`notifications/${name}/list_changed`)),
    ...(untold.length > 0 && { untold: untoldWords(untold, 'the server has not declared listChanged for them') }),
  };
}

function changesOfSubscriptions({ listening }: SessionState): ListChanges {
  const methods = LISTED.map((name) => `notifications/${name}/list_changed`);
  const notifications = [...listening].flatMap(([id, agreed]) =>
    methods
      .filter((method) => agreed[SUBSCRIPTION_FILTERS.get(method)!] === true)
      .map((method) => notification(method, id)),
  );
  if (notifications.length > 0) return { notifications };
  return { notifications, untold: untoldWords(LISTED, 'it has not subscribed to that') };
}

function notification(method: string, subscription?: string): string {
  const meta = subscription === undefined ? '' : `,"params":{"_meta":{"${META.subscriptionId}":${subscription}}}`;
  return `{"jsonrpc":"2.0","method":"${method}"${meta}}`;
}

function untoldWords(names: readonly string[], why: string): string {
  return `The client is not told that ${names.join(', ')} may have changed: ${why}. Let it list them again.`;
}
