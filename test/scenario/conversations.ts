import { insufficientScope } from '../../src/faults/authorization/insufficient-scope.ts';
import { tokenRefused } from '../../src/faults/authorization/token-refused.ts';
import { redeliver } from '../../src/faults/connections/redeliver.ts';
import { resume } from '../../src/faults/connections/resume.ts';
import { sessionLost } from '../../src/faults/connections/session-lost.ts';
import type { Fault } from '../../src/faults/fault.ts';
import { cancel } from '../../src/faults/messages/cancel.ts';
import { ignoreCancel } from '../../src/faults/messages/ignore-cancel.ts';
import { patch } from '../../src/faults/messages/patch.ts';
import { version } from '../../src/faults/messages/version.ts';
import { wrongId } from '../../src/faults/messages/wrong-id.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import { discoverTimeout } from '../../src/faults/timing/discover-timeout.ts';
import { late } from '../../src/faults/timing/late.ts';
import { reorder } from '../../src/faults/timing/reorder.ts';
import { slowClose } from '../../src/faults/timing/slow-close.ts';
import { slowReader } from '../../src/faults/timing/slow-reader.ts';
import { faulty, hearing, observed, post } from './faulty.ts';
import { ANSWER, CALL, type Exchange, type Form, type Hearing, type Start } from './servers.ts';

const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
const SILENT: Exchange = { asked: CALL.replace('"add"', '"silent"'), says: [] };
const INITIALIZE: Exchange = {
  asked: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}',
  says: ['{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}'],
};
const DISCOVER: Exchange = {
  asked: '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}',
  says: [ANSWER],
};
const OTHER = CALL.replace('"id":1', '"id":2').replace('Token":1', 'Token":2');
const RESUMES =
  'GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nLast-Event-ID: mcp-record-1\r\nConnection: close\r\n\r\n';

const bearer = (token: string) => `Authorization: Bearer ${token}`;
/** A JWT with a scope, which nobody has signed. */
const scoped = (scope: string) => `e.${Buffer.from(JSON.stringify({ scope })).toString('base64url')}.e`;

interface Told {
  line: Awaited<ReturnType<typeof faulty>>;
  far: Hearing;
  /** Says a request over a connection of its own, and gives what it hears. */
  asks(text: string): Promise<string>;
}

/** What shows a fault that takes more than one request, or another than a call, and all that is observed of it. */
export interface Conversation {
  fault: string;
  form: Form;
  rules: readonly (Rule | Fault)[];
  exchanges?: readonly Exchange[];
  holds(told: Told): Promise<unknown>;
  observes: unknown;
}

export const conversations: readonly Conversation[] = [
  {
    fault: 'slow-reader',
    form: 'sse',
    rules: [slowReader({ rate: 100 })],
    async holds({ line }) {
      using client = line.client().says(post(CALL));
      await hearing(client, '200 sse «data: PROGRESS⏎⏎»');
      await line.passing(client.left);
      return observed(client);
    },
    observes: '200 sse «data: PROGRESS⏎⏎» «data: ANSWER⏎⏎» . end',
  },
  {
    fault: 'reorder',
    form: 'sse',
    rules: [reorder()],
    holds: ({ asks }) => asks(post(CALL)),
    observes: '200 sse «data: ANSWER⏎⏎» «data: PROGRESS⏎⏎» . end',
  },
  {
    fault: 'late',
    form: 'json',
    rules: [late()],
    async holds({ line, asks }) {
      using client = line.client().says(post(CALL));
      await line.firing(1);
      const before = client.heard;
      await asks(post(CANCEL));
      await line.passing(client.left);
      return [before, await observed(client)];
    },
    observes: ['', '200 json 47/47 ANSWER end'],
  },
  {
    fault: 'wrong-id',
    form: 'json',
    rules: [{ fault: wrongId({ id: 'reused' }), when: { nth: 2 } }],
    holds: async ({ asks }) => [await asks(post(CALL)), await asks(post(OTHER))],
    observes: ['200 json 47/47 ANSWER end', '200 json 47/47 ANSWER end'],
  },
  {
    fault: 'patch',
    form: 'json',
    rules: [patch({ merge: { result: { text: null, more: 1 } }, headers: { 'content-type': 'text/html' } })],
    holds: ({ asks }) => asks(post(CALL)),
    observes: '200 text/html 44/44 {"jsonrpc":"2.0","id":1,"result":{"more":1}} end',
  },
  {
    fault: 'slow-close',
    form: 'json',
    rules: [slowClose({ for: 100 })],
    exchanges: [SILENT],
    async holds({ line, far }) {
      using client = line.client().says(post(SILENT.asked));
      await far.hearing(1);
      client.socket.resetAndDestroy();
      await line.firing(1);
      await line.idle();
      const before = far.heard.length;
      line.clock.advance(100);
      await far.hearing(2);
      return [before, ...far.heard];
    },
    observes: [1, `POST ${SILENT.asked}`, 'left'],
  },
  {
    fault: 'session-lost',
    form: 'json',
    rules: [sessionLost({})],
    async holds({ asks, far }) {
      const told = [];
      for (const session of ['a', 'a', 'a', 'b']) told.push(await asks(post(CALL, `Mcp-Session-Id: ${session}`)));
      return [...told, far.heard.length];
    },
    observes: [
      '200 json 47/47 ANSWER end',
      '200 json 47/47 ANSWER end',
      '404 json 81/81 {"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null} end',
      '200 json 47/47 ANSWER end',
      3,
    ],
  },
  {
    fault: 'redeliver',
    form: 'sse',
    rules: [resume({ retry: 5 }), redeliver({ count: 1 })],
    holds: async ({ asks }) => [await asks(post(CALL)), await asks(RESUMES)],
    observes: [
      '200 sse «data: PROGRESS⏎⏎» «id: mcp-record-1⏎retry: 5⏎data: ⏎⏎» . end',
      '200 sse «data: PROGRESS⏎⏎» «data: ANSWER⏎⏎» . end',
    ],
  },
  {
    fault: 'version',
    form: 'json',
    rules: [version({})],
    exchanges: [INITIALIZE],
    holds: ({ asks }) => asks(post(INITIALIZE.asked)),
    observes: '200 json 66/66 {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1999-01-01"}} end',
  },
  {
    fault: 'discover-timeout',
    form: 'json',
    rules: [discoverTimeout({ for: 30 })],
    exchanges: [DISCOVER],
    async holds({ line }) {
      using client = line.client().says(post(DISCOVER.asked));
      await line.firing(1);
      const before = client.heard;
      await line.passing(client.left);
      return [before, await observed(client)];
    },
    observes: ['', '200 json 47/47 ANSWER end'],
  },
  {
    fault: 'cancel',
    form: 'json',
    rules: [cancel({ reason: 'why' })],
    async holds({ asks, far }) {
      const heard = await asks(post(CALL));
      await far.hearing(2);
      return [heard, ...far.heard.toSorted()];
    },
    observes: [
      '200 json 47/47 ANSWER end',
      `POST ${CALL}`,
      `POST ${CANCEL.replace('}}', ',"reason":"why"}}')}`,
    ].toSorted(),
  },
  {
    fault: 'ignore-cancel',
    form: 'json',
    rules: [ignoreCancel()],
    holds: async ({ asks, far }) => [await asks(post(CANCEL)), ...far.heard],
    observes: ['202 0/0 end'],
  },
  {
    fault: 'token-refused',
    form: 'json',
    rules: [tokenRefused()],
    async holds({ asks, far }) {
      const told = [await asks(post(CALL))];
      for (const token of ['a', 'a', 'b']) told.push(await asks(post(CALL, bearer(token))));
      return [...told, far.heard.length];
    },
    observes: [
      '200 json 47/47 ANSWER end',
      '401 json 72/72 {"error":"invalid_token","error_description":"The access token expired"} end',
      '401 json 72/72 {"error":"invalid_token","error_description":"The access token expired"} end',
      '200 json 47/47 ANSWER end',
      2,
    ],
  },
  {
    fault: 'insufficient-scope',
    form: 'json',
    rules: [{ fault: insufficientScope({ scope: 'b c' }), when: { nth: 1 } }],
    async holds({ asks, far }) {
      const told = [];
      for (const scope of ['a b', 'a b', 'a', 'c b']) {
        const answer = await asks(post(CALL, bearer(scoped(scope))));
        told.push([answer.slice(0, 3), /"scope":"([^"]*)"/.exec(answer)?.[1]]);
      }
      return [...told, far.heard.length];
    },
    observes: [['403', 'a b c'], ['403', 'a b c'], ['403', 'a b c'], ['200', undefined], 1],
  },
];

/** Holds a conversation through a proxy that misbehaves, before a server that lives or one of a cassette. */
export async function held(start: Start, { form, rules, exchanges, holds }: Conversation): Promise<unknown> {
  await using far = await start(form, exchanges);
  await using line = await faulty(far, rules);
  const asks = async (text: string) => {
    using client = line.client().says(text);
    return await observed(client);
  };
  return await holds({ line, far, asks });
}
