import { jsonOf } from '../../protocol/json-text.ts';
import { isObject, paramsOf, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { LISTEN, subjectOf } from '../../protocol/method-table.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';
import { isWithin } from './utilities.ts';

const CACHED = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'skills/list',
  'skills/get',
]);
const REMOVED = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'notifications/initialized',
  'notifications/roots/list_changed',
]);
/** Member of the filter of `subscriptions/listen` that asks for a notification, by method. */
export const SUBSCRIPTION_FILTERS: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
  ['notifications/resources/updated', 'resourceSubscriptions'],
]);
const MAY_ASK = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Rules for the changes of 2026-07-28: no handshake, no requests from servers, self-describing requests. */
export const MODERN_REVISION_RULES: readonly LintRule[] = [
  {
    id: 'request-describes-itself',
    severity: 'error',
    sentence: 'Every request has its protocol version and the client’s capabilities in "_meta".',
    source: '2026-07-28, Base protocol, "_meta"',
    era: 'modern',
    check: ({ requests }) =>
      requests.flatMap((entry): RuleBreach[] => {
        const meta = metaOf(entry.message.params);
        if (typeof meta[META.protocolVersion] !== 'string')
          return [{ entry, why: `"${META.protocolVersion}" is missing` }];
        const key = 'io.modelcontextprotocol/clientCapabilities';
        return isObject(meta[key]) ? [] : [{ entry, why: `"${key}" is missing` }];
      }),
  },
  {
    id: 'server-asks-nothing',
    severity: 'error',
    sentence: 'A server sends no requests; it answers input_required instead.',
    source: '2026-07-28, Base protocol, "Messages"',
    era: 'modern',
    check: ({ requests }) =>
      requests
        .filter(({ from }) => from === 'server')
        .map((entry) => ({ entry, why: `it asks ${entry.message.method}` })),
  },
  {
    id: 'client-answers-nothing',
    severity: 'error',
    sentence: 'A client sends no responses.',
    source: '2026-07-28, Base protocol, "Messages"',
    era: 'modern',
    check: ({ responses }) =>
      responses.filter(({ from }) => from === 'client').map((entry) => ({ entry, why: 'it is a response' })),
  },
  {
    id: 'removed-method',
    severity: 'error',
    sentence: 'Methods that 2026-07-28 removed are not used.',
    source: '2026-07-28, changelog',
    era: 'modern',
    check: ({ requests, notifications }) =>
      [...requests, ...notifications]
        .filter(({ message }) => REMOVED.has(message.method))
        .map((entry) => ({ entry, why: `${entry.message.method} was removed` })),
  },
  {
    id: 'result-type',
    severity: 'error',
    sentence: 'Every result has its type in "resultType".',
    source: '2026-07-28, Base protocol, "Results"',
    era: 'modern',
    check: ({ responses }) =>
      responses
        .filter(
          ({ from, message }) =>
            from === 'server' && isObject(message.result) && typeof message.result.resultType !== 'string',
        )
        .map((entry) => ({ entry, why: '"resultType" is missing' })),
  },
  {
    id: 'cache-fields',
    severity: 'error',
    sentence:
      'Results of lists, of discovery and of reading a resource say how long, and for whom, they may be cached.',
    source: '2026-07-28, Utilities, "Caching"',
    era: 'modern',
    check: ({ responses, requestOf }) =>
      responses.flatMap((entry): RuleBreach[] => {
        const { result } = entry.message;
        const method = requestOf(entry)?.message.method ?? '';
        if (!isObject(result) || !CACHED.has(method) || result.resultType === 'input_required') return [];
        if (typeof result.ttlMs !== 'number') return [{ entry, why: '"ttlMs" is missing' }];
        const isScope = result.cacheScope === 'public' || result.cacheScope === 'private';
        return isScope ? [] : [{ entry, why: '"cacheScope" is neither public nor private' }];
      }),
  },
  {
    id: 'input-required',
    severity: 'error',
    sentence: 'Only answers to calls, prompts and reads ask for input. They list the input requests, or have a state.',
    source: '2026-07-28, Base protocol, "Multi round-trip requests"',
    era: 'modern',
    check: ({ responses, requestOf }) =>
      responses.flatMap((entry): RuleBreach[] => {
        const { result } = entry.message;
        if (!isObject(result) || result.resultType !== 'input_required') return [];
        const method = requestOf(entry)?.message.method ?? '';
        if (!MAY_ASK.has(method)) return [{ entry, why: `${method} may not ask for input` }];
        const asks = result.inputRequests !== undefined || result.requestState !== undefined;
        return asks ? [] : [{ entry, why: 'it has neither inputRequests nor requestState' }];
      }),
  },
  {
    id: 'request-state',
    severity: 'error',
    sentence: 'A client returns the state of a request unchanged.',
    source: '2026-07-28, Base protocol, "Multi round-trip requests"',
    era: 'modern',
    check({ requests, responses }) {
      const given = new Set(responses.map(({ message }) => resultOf(message).requestState));
      return requests
        .filter(({ message }) => {
          const state = paramsOf(message).requestState;
          return state !== undefined && !given.has(state);
        })
        .map((entry) => ({ entry, why: 'no answer has given this requestState' }));
    },
  },
  {
    id: 'subscription-id',
    severity: 'error',
    sentence:
      'Every message of a subscription has the id of its subscriptions/listen, and the first one acknowledges it.',
    source: '2026-07-28, "Subscriptions"',
    era: 'modern',
    check({ requests, notifications }) {
      const listens = requests.filter(({ message }) => message.method === LISTEN);
      const ids = new Set<unknown>(listens.map(({ message }) => message.id));
      const acknowledged = new Set<unknown>();
      return notifications.flatMap((entry): RuleBreach[] => {
        const { method, params } = entry.message;
        const isOfOne =
          /^notifications\/((tools|prompts|resources)\/list_changed|resources\/updated|subscriptions\/acknowledged|tasks)$/.test(
            method,
          );
        if (entry.from !== 'server' || !isOfOne) return [];
        const id = metaOf(params)[META.subscriptionId];
        if (!ids.has(id)) return [{ entry, why: `no subscription has the id ${jsonOf(id)}` }];
        if (method === 'notifications/subscriptions/acknowledged') acknowledged.add(id);
        return acknowledged.has(id) ? [] : [{ entry, why: 'the subscription was not acknowledged' }];
      });
    },
  },
  {
    id: 'subscription-filter',
    severity: 'warning',
    sentence: 'A subscription has only notifications that its subscriptions/listen asks for.',
    source: '2026-07-28, "Subscriptions"',
    era: 'modern',
    check({ requests, notifications }) {
      const listens = requests.filter(({ message }) => message.method === LISTEN);
      return notifications.flatMap((entry): RuleBreach[] => {
        const { method, params } = entry.message;
        const member = SUBSCRIPTION_FILTERS.get(method);
        const id = metaOf(params)[META.subscriptionId];
        const own = listens.filter(({ message }) => message.id === id);
        if (member === undefined || own.length === 0) return [];
        const { uri } = paramsOf(entry.message);
        const isWanted = own.some(({ message }) => {
          const filter = paramsOf(message).notifications;
          const wanted = isObject(filter) ? filter[member] : undefined;
          return wanted === true || (Array.isArray(wanted) && wanted.some((resource) => isWithin(uri, resource)));
        });
        return isWanted ? [] : [{ entry, why: `${subjectOf(method, params)} is not in the filter of ${jsonOf(id)}` }];
      });
    },
  },
  {
    id: 'log-requested',
    severity: 'warning',
    sentence: 'A server sends log messages only if the request that they belong to asks for them with a level.',
    source: '2026-07-28, Utilities, "Logging"',
    era: 'modern',
    check: ({ requests, notifications }) =>
      notifications.flatMap((entry): RuleBreach[] => {
        if (entry.message.method !== 'notifications/message') return [];
        const { stream } = entry.frame;
        const isAsked = requests.some(({ index, frame, message }) => {
          const asks = metaOf(message.params)[META.logLevel] !== undefined;
          return asks && index < entry.index && frame.stream === stream;
        });
        return isAsked ? [] : [{ entry, why: `no request before it has "${META.logLevel}"` }];
      }),
  },
];
