import { lacksJsonRpcVersion } from '../../cassette/correlate/add-json-rpc-version.ts';
import type { Side } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';

const MESSAGES = 'Base protocol, "Messages"';
/** What a person writes into a cassette needs no version, but beside recorded messages it looks like theirs. */
const LACKS_VERSION = '"jsonrpc" is missing: if you wrote this message by hand, add jsonrpc: "2.0"';

/** Rules for message syntax and transport framing. */
export const MESSAGE_SHAPE_RULES: readonly LintRule[] = [
  {
    id: 'jsonrpc-version',
    severity: 'error',
    sentence: 'Every message has "jsonrpc": "2.0".',
    source: MESSAGES,
    check: ({ entries }) =>
      entries
        .filter(({ message, json }) => json !== undefined && (message as { jsonrpc?: unknown }).jsonrpc !== '2.0')
        .map((entry) => ({ entry, why: lacksJsonRpcVersion(entry) ? LACKS_VERSION : '"jsonrpc" is not "2.0"' })),
  },
  {
    id: 'message-kind',
    severity: 'error',
    sentence: 'A message is a request, a notification or a response.',
    source: MESSAGES,
    check: ({ entries, requests, notifications, responses }) => {
      const known = new Set([...requests, ...notifications, ...responses].map(({ index }) => index));
      return entries
        .filter(({ json, index }) => json !== undefined && !known.has(index))
        .map((entry) => ({ entry, why: 'it is none of the three' }));
    },
  },
  {
    id: 'id-type',
    severity: 'error',
    sentence: 'The id of a request is a string or an integer.',
    source: MESSAGES,
    check: ({ requests }) =>
      requests
        .filter(({ message: { id } }) => typeof id === 'number' && !Number.isInteger(id))
        .map((entry) => ({ entry, why: `the id is ${entry.message.id}` })),
  },
  {
    id: 'id-unique',
    severity: 'error',
    sentence:
      'A side uses each request id once in a session, or, from 2026-07-28 on, once among the requests in flight.',
    source: MESSAGES,
    check({ requests, links, modern, isOneClient }) {
      const isOneSession = isOneClient && !modern;
      const last = new Map<string, number>();
      return requests.flatMap((entry): RuleBreach[] => {
        const session = isOneSession ? '' : entry.frame.stream;
        const key = `${entry.from} ${session ?? ''} ${scalarKeyAt(entry.json!, ['id'])}`;
        const before = last.get(key);
        last.set(key, entry.index);
        if (before === undefined) return [];
        const answer = links.answerOf.get(before);
        if (modern && answer !== undefined && answer < entry.index) return [];
        return [{ entry, why: `the id ${scalarKeyAt(entry.json!, ['id'])} was used before` }];
      });
    },
  },
  {
    id: 'response-shape',
    severity: 'error',
    sentence: 'A response has either a result, which is an object, or an error with an integer code and a message.',
    source: MESSAGES,
    check: ({ responses }) =>
      responses.flatMap((entry): RuleBreach[] => {
        const { result, error } = entry.message as { result?: unknown; error?: unknown };
        if (result !== undefined && error !== undefined) return [{ entry, why: 'it has both' }];
        if (error === undefined) return isObject(result) ? [] : [{ entry, why: 'the result is not an object' }];
        const { code, message } = isObject(error) ? error : {};
        if (!Number.isInteger(code)) return [{ entry, why: 'the error has no integer code' }];
        return typeof message === 'string' ? [] : [{ entry, why: 'the error has no message' }];
      }),
  },
  {
    id: 'response-to-request',
    severity: 'error',
    sentence:
      'A response has the id of an open request of the other side, as the same JSON type. Each request gets one response.',
    source: MESSAGES,
    check: ({ responses, links }) =>
      responses
        .filter(({ index, json }) => !links.requestOf.has(index) && scalarKeyAt(json!, ['id']) !== undefined)
        .map((entry) => ({ entry, why: `no request with id ${scalarKeyAt(entry.json!, ['id'])} is open` })),
  },
  {
    id: 'batch',
    severity: 'error',
    sentence: 'Only 2025-03-26 has batches, and initialize is never in one.',
    source: 'Base protocol of 2025-03-26, "Batching"; changelog of 2025-06-18',
    check: ({ entries, revision }) =>
      entries.flatMap((entry): RuleBreach[] => {
        const { frame, message } = entry;
        if (frame.kind !== 'message' || !Array.isArray(frame.json.value)) return [];
        const isInitialize = isObject(message) && 'method' in message && message.method === 'initialize';
        if (isInitialize) return [{ entry, why: 'initialize is in a batch' }];
        const isFirst = elementsOf(frame.json)[0]?.text === entry.json?.text;
        const mayBatch = revision === undefined || revision === '2025-03-26';
        return mayBatch || !isFirst ? [] : [{ entry, why: `${revision} has no batches` }];
      }),
  },
  {
    id: 'only-messages',
    severity: 'error',
    sentence: 'Over stdio, standard output and input carry only messages. Logs belong to standard error.',
    source: 'Transports, "stdio"',
    check: ({ entries }) =>
      entries.flatMap((entry): RuleBreach[] => {
        const { frame } = entry;
        if (frame.kind !== 'line' || frame.on !== 'protocol' || frame.stream !== undefined) return [];
        const isEmpty = typeof frame.data === 'string' && frame.data.trim() === '';
        return isEmpty ? [] : [{ entry, why: `this line is not a message${STREAM[entry.from]}` }];
      }),
  },
];

const STREAM: Readonly<Record<Side, string>> = { client: '', server: ', and clients may fail on it' };
