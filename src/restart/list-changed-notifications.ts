import { SUBSCRIPTION_FILTERS } from '../lint/rules/modern-revision.ts';
import { isObject } from '../protocol/message.ts';
import { META } from '../protocol/meta.ts';
import type { SessionState } from './session-state.ts';

const LISTED = ['tools', 'prompts', 'resources'] as const;

/** Notifications to a client about lists that a restart may have changed. */
export interface ListChanges {
  /** Notifications for the client, as JSON. */
  notifications: string[];
  /** Sentence that names the lists without a notification. Undefined: the client is notified of every list. */
  untold?: string;
}

/**
 * Returns the `list_changed` notifications to send to a client after a restart. A server without the capability
 * `listChanged` may send no such notification (Server features, "Capabilities"), so neither may this program in its
 * place. From 2026-07-28 on, a client gets these notifications only on its subscriptions.
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
