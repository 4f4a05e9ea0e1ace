import { SUBSCRIPTION_FILTERS } from '../../lint/rules/modern-revision.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject, type Params, paramsOf, type Request } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';

/** A client's subscription of 2026-07-28 to notifications. */
export interface ListenSubscription {
  /** Id of the listen request, as a JSON token. */
  id: string;
  stream: number | undefined;
  wanted: Params;
}

/** Clients' open `subscriptions/listen` requests (2026-07-28). */
export class ListenSubscriptions {
  readonly #open = new Map<string, ListenSubscription>();

  /** Adds a subscription. Returns the acknowledgement, the first message that the client must receive. */
  add(request: Request, id: string, stream: number | undefined): JsonText {
    const { notifications } = paramsOf(request);
    const wanted = isObject(notifications) ? notifications : {};
    this.#open.set(id, { id, stream, wanted });
    return notification('notifications/subscriptions/acknowledged', { notifications: wanted }, id);
  }

  /** Removes a subscription. Returns whether the id was subscribed. */
  remove(id: string): boolean {
    return this.#open.delete(id);
  }

  /** Yields a notification for each subscription that includes the method, with its stream. */
  *addressed(method: string, params: Params = {}): Generator<{ json: JsonText; stream: number | undefined }> {
    for (const { id, stream, wanted } of this.#open.values())
      if (isWanted(wanted, method, params)) yield { json: notification(method, params, id), stream };
  }
}

function isWanted(wanted: Params, method: string, { uri }: Params): boolean {
  const { resourceSubscriptions } = wanted;
  if (method === 'notifications/resources/updated')
    return Array.isArray(resourceSubscriptions) && resourceSubscriptions.includes(uri);
  return wanted[SUBSCRIPTION_FILTERS.get(method) ?? ''] === true;
}

function notification(method: string, params: Params, id: string): JsonText {
  const text = JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta: { [META.subscriptionId]: 0 } } });
  return new JsonText(text.replace(`"${META.subscriptionId}":0`, () => `"${META.subscriptionId}":${id}`));
}
