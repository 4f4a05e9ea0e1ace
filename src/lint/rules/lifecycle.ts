import { errorOf, isObject } from '../../protocol/message.ts';
import { isLater, isModern, REVISIONS } from '../../protocol/revisions.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';

const LIFECYCLE = 'Lifecycle, "Initialization"';
const MAY_PRECEDE = new Set(['initialize', 'ping', 'server/discover']);
const EARLY_FROM_SERVER = new Set(['ping', 'notifications/message']);

/** Rules for session initialization, up to 2025-11-25. */
export const LIFECYCLE_RULES: readonly LintRule[] = [
  {
    id: 'initialize-first',
    severity: 'error',
    sentence: 'The first interaction is initialize. Before its answer, a client sends only pings.',
    source: LIFECYCLE,
    era: 'legacy',
    check({ requests, initialize, isHandWritten, answer }) {
      if (initialize === undefined && isHandWritten) return [];
      const opened = initialize && answer(initialize);
      return requests
        .filter(({ from, message, index }) => {
          const isEarly = opened === undefined || index < opened.index;
          return from === 'client' && isEarly && !MAY_PRECEDE.has(message.method);
        })
        .map((entry) => ({ entry, why: `${entry.message.method} came before the answer to initialize` }));
    },
  },
  {
    id: 'initialize-once',
    severity: 'error',
    sentence: 'A session is initialized once.',
    source: LIFECYCLE,
    era: 'legacy',
    check: ({ requests, refusals, initialize, answer }) =>
      requests
        .filter((entry) => entry.message.method === 'initialize' && entry !== initialize)
        .filter(({ index }) => !refusals.has(index))
        .filter(() => initialize !== undefined && errorOf(answer(initialize)?.message) === undefined)
        .map((entry) => ({ entry, why: 'the session was initialized before' })),
  },
  {
    id: 'initialize-shape',
    severity: 'error',
    sentence:
      'initialize and its answer have a protocol version, capabilities, and the name and version of the sender.',
    source: LIFECYCLE,
    era: 'legacy',
    check({ initialize, answer }) {
      if (initialize === undefined) return [];
      const response = answer(initialize);
      const missing = (value: unknown, info: string) => {
        const fields = isObject(value) ? value : {};
        const { name, version } = isObject(fields[info]) ? fields[info] : {};
        if (typeof fields.protocolVersion !== 'string') return '"protocolVersion" is not text';
        if (!isObject(fields.capabilities)) return '"capabilities" is not an object';
        if (typeof name !== 'string' || typeof version !== 'string') return `"${info}" lacks a name or a version`;
        return undefined;
      };
      const asked = missing(initialize.message.params, 'clientInfo');
      const answered = response && !errorOf(response.message) && missing(response.message.result, 'serverInfo');
      return [
        ...(asked ? [{ entry: initialize, why: asked }] : []),
        ...(response && answered ? [{ entry: response, why: answered }] : []),
      ];
    },
  },
  {
    id: 'initialize-version',
    severity: 'error',
    sentence: 'initialize agrees on a revision that has a handshake: those before 2026-07-28.',
    source: LIFECYCLE,
    era: 'legacy',
    check({ initialize, answer, revision }) {
      const response = initialize && answer(initialize);
      if (response === undefined || revision === undefined) return [];
      if (isLater(revision))
        return [{ entry: response, why: `${revision} is later than 2026-07-28, which removed the handshake` }];
      if (isModern(revision)) return [{ entry: response, why: `${revision} has no handshake` }];
      const isKnown = (REVISIONS as readonly string[]).includes(revision);
      return isKnown ? [] : [{ entry: response, why: `there is no revision ${revision}` }];
    },
  },
  {
    id: 'initialized-follows',
    severity: 'error',
    sentence: 'After the answer to initialize, a client sends notifications/initialized before anything except pings.',
    source: LIFECYCLE,
    era: 'legacy',
    check({ initialize, initialized, isHandWritten, requests, answer }) {
      const opened = initialize && answer(initialize);
      if (opened?.message.result === undefined || (initialized === undefined && isHandWritten)) return [];
      const next = requests.find(
        ({ from, index, message }) => from === 'client' && index > opened.index && !MAY_PRECEDE.has(message.method),
      );
      if (initialized !== undefined && initialized.index < opened.index)
        return [{ entry: initialized, why: 'it came before the answer to initialize' }];
      if (next === undefined || (initialized !== undefined && initialized.index < next.index)) return [];
      return [{ entry: next, why: 'notifications/initialized had not been sent' }];
    },
  },
  {
    id: 'server-waits',
    severity: 'warning',
    sentence: 'Before notifications/initialized, a server sends only pings and logs.',
    source: LIFECYCLE,
    era: 'legacy',
    check({ requests, notifications, initialized, isHandWritten }) {
      if (initialized === undefined && isHandWritten) return [];
      const until = initialized?.index ?? Number.POSITIVE_INFINITY;
      return [...requests, ...notifications]
        .filter(({ from, index, message }) => {
          return from === 'server' && index < until && !EARLY_FROM_SERVER.has(message.method);
        })
        .map((entry) => ({ entry, why: `${entry.message.method} came before notifications/initialized` }));
    },
  },
  {
    id: 'initialize-not-cancelled',
    severity: 'error',
    sentence: 'initialize is not cancelled.',
    source: 'Utilities, "Cancellation"',
    check: ({ entries, links }) =>
      [...links.cancelledRequestOf].flatMap(([cancel, request]): RuleBreach[] => {
        const { message } = entries[request]!;
        const isIt = message !== undefined && 'method' in message && message.method === 'initialize';
        return isIt ? [{ entry: entries[cancel]!, why: 'it names initialize' }] : [];
      }),
  },
];
