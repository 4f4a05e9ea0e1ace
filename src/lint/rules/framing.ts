import type { Side } from '../../channel/frame.ts';
import { elementsOf } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import type { Breach, Rule } from '../lint-rule.ts';

const MESSAGES = 'Base protocol, "Messages"';

/** How messages look, and what carries them. */
export const FRAMING: readonly Rule[] = [
  {
    id: 'jsonrpc-version',
    severity: 'error',
    sentence: 'Every message has "jsonrpc": "2.0".',
    source: MESSAGES,
    check: ({ moves }) =>
      moves
        .filter(
          ({ message, json }) => json !== undefined && (message as { jsonrpc?: unknown }).jsonrpc !== '2.0',
        )
        .map((move) => ({ move, why: '"jsonrpc" is not "2.0"' })),
  },
  {
    id: 'message-kind',
    severity: 'error',
    sentence: 'A message is a request, a notification or a response.',
    source: MESSAGES,
    check: ({ moves, requests, notifications, responses }) => {
      const known = new Set([...requests, ...notifications, ...responses].map(({ index }) => index));
      return moves
        .filter(({ json, index }) => json !== undefined && !known.has(index))
        .map((move) => ({ move, why: 'it is none of them' }));
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
        .map((move) => ({ move, why: `the id is ${move.message.id}` })),
  },
  {
    id: 'id-unique',
    severity: 'error',
    sentence:
      'A side uses the id of a request once in a session, or, from 2026-07-28 on, not twice in flight.',
    source: MESSAGES,
    check({ requests, links, modern }) {
      const last = new Map<string, number>();
      return requests.flatMap((move): Breach[] => {
        const key = `${move.from} ${move.frame.stream ?? ''} ${tokenAt(move.json!, ['id'])}`;
        const before = last.get(key);
        last.set(key, move.index);
        if (before === undefined) return [];
        const answer = links.answerOf.get(before);
        if (modern && answer !== undefined && answer < move.index) return [];
        return [{ move, why: `the id ${tokenAt(move.json!, ['id'])} was used before` }];
      });
    },
  },
  {
    id: 'response-shape',
    severity: 'error',
    sentence:
      'A response has either a result, which is an object, or an error with an integer code and a message.',
    source: MESSAGES,
    check: ({ responses }) =>
      responses.flatMap((move): Breach[] => {
        const { result, error } = move.message as { result?: unknown; error?: unknown };
        if (result !== undefined && error !== undefined) return [{ move, why: 'it has both' }];
        if (error === undefined) return isObject(result) ? [] : [{ move, why: 'the result is no object' }];
        const { code, message } = isObject(error) ? error : {};
        if (!Number.isInteger(code)) return [{ move, why: 'the error has no integer code' }];
        return typeof message === 'string' ? [] : [{ move, why: 'the error has no message' }];
      }),
  },
  {
    id: 'response-to-request',
    severity: 'error',
    sentence:
      'A response has the id of a request of the other side that is open, type included, and there is one.',
    source: MESSAGES,
    check: ({ responses, links }) =>
      responses
        .filter(({ index, json }) => !links.requestOf.has(index) && tokenAt(json!, ['id']) !== undefined)
        .map((move) => ({ move, why: `no request with id ${tokenAt(move.json!, ['id'])} is open` })),
  },
  {
    id: 'batch',
    severity: 'error',
    sentence: 'Only 2025-03-26 has batches, and initialize is never in one.',
    source: 'Base protocol of 2025-03-26, "Batching"; changelog of 2025-06-18',
    check: ({ moves, revision }) =>
      moves.flatMap((move): Breach[] => {
        const { frame, message } = move;
        if (frame.kind !== 'message' || !Array.isArray(frame.json.value)) return [];
        const isInitialize = isObject(message) && 'method' in message && message.method === 'initialize';
        if (isInitialize) return [{ move, why: 'initialize is in a batch' }];
        const isFirst = elementsOf(frame.json)[0]?.text === move.json?.text;
        const mayBatch = revision === undefined || revision === '2025-03-26';
        return mayBatch || !isFirst ? [] : [{ move, why: `${revision} has no batches` }];
      }),
  },
  {
    id: 'only-messages',
    severity: 'error',
    sentence:
      'Over stdio nothing but messages is written to standard output or input; logs belong to standard error.',
    source: 'Transports, "stdio"',
    check: ({ moves }) =>
      moves.flatMap((move): Breach[] => {
        const { frame } = move;
        if (frame.kind !== 'noise' || frame.on !== 'protocol' || frame.stream !== undefined) return [];
        const isEmpty = typeof frame.data === 'string' && frame.data.trim() === '';
        return isEmpty ? [] : [{ move, why: `this line is no message${STREAM[move.from]}` }];
      }),
  },
];

const STREAM: Readonly<Record<Side, string>> = { client: '', server: ', and clients may stumble over it' };
