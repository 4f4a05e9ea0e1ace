import type { OfferedFault } from '../../html-report/data/live/verification-and-mock-types.ts';
import type { EditReply } from '../../html-report/data/live-page-protocol.ts';
import type { Clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { unguessable } from '../../kernel/random.ts';
import { BodyObject, parseBody } from '../../mock/control/body-object.ts';
import { badValue, statusOf } from '../../mock/control/control-errors.ts';
import { writtenError } from '../../mock/control/written-error.ts';
import type { SessionList } from '../cassettes/watch-cassette-folder.ts';
import type { AnswerEditor } from '../edit/answer-editor.ts';
import { readEditRequest } from '../edit/read-edit-request.ts';
import { startServedFork } from '../served-fork/served-fork.ts';
import { restartedMock, type ServedMock, startServedMock } from '../served-mock/served-mock.ts';
import { type GivenAnswer, noQuestion } from '../verification/server-questions.ts';
import { shownProblem } from '../verification/shown-problem.ts';
import { Verification } from '../verification/verification.ts';
import type { ServerUnderTest } from '../verification/verified-server-types.ts';
import { WorkOfSession } from './verification-and-mock.ts';

/** Maximum length of an action's body, in bytes: an edit has a message that the page holds, its new value, and escapes. */
export const ACTION_BYTES_MAX: number = 4 * 1024 * 1024;

export interface PageActionsOptions {
  list: SessionList;
  editor: AnswerEditor;
  clock: Clock;
  /** The server of verifications and forks. Absent: none was named on the command line. */
  server?: ServerUnderTest | undefined;
}

/** An action with its parsed body, for one session. */
interface Asked {
  fields: BodyObject;
  name: string;
  work: WorkOfSession;
}

interface Action {
  /** Members of the body besides `session`. */
  members: readonly string[];
  /** Performs the action. Returns the body of the response. Undefined: the body is empty. */
  perform(asked: Asked): unknown;
}

/** Actions that pages request with POST. Actions run one at a time. */
export class PageActions {
  readonly #options: PageActionsOptions;
  readonly #works = new Map<string, WorkOfSession>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #actions: Readonly<Record<string, Action>> = {
    '/verify': { members: ['byHand'], perform: (asked) => this.#verify(asked) },
    '/verify/stop': { members: [], perform: ({ work }) => work.verification?.stop() },
    '/answer': { members: ['question', 'result', 'error', 'recorded'], perform: answerQuestion },
    '/edit': {
      members: ['line', 'part', 'before', 'text', 'version', 'save'],
      perform: (asked) => this.#edit(asked),
    },
    '/serve': { members: [], perform: (asked) => this.#serve(asked) },
    '/serve/stop': { members: [], perform: ({ work }) => work.mock?.stop() },
    '/fork': { members: ['line', 'withClient'], perform: (asked) => this.#fork(asked) },
    '/fork/stop': { members: [], perform: ({ work }) => work.fork?.stop() },
    '/faults/menu': { members: ['line'], perform: offeredFaults },
    '/faults/add': { members: ['line', 'fault'], perform: addFault },
    '/faults/remove': { members: ['rule'], perform: removeFault },
  };

  constructor(options: PageActionsOptions) {
    this.#options = options;
  }

  /** Returns the verification, mock server and fork of a session. */
  workOf(name: string): WorkOfSession {
    const work = this.#works.get(name) ?? new WorkOfSession();
    this.#works.set(name, work);
    return work;
  }

  /** Reports whether a path names an action. */
  has(path: string): boolean {
    return Object.hasOwn(this.#actions, path);
  }

  /** Performs an action after all earlier ones. Returns the status and the body of the response. */
  async perform(path: string, body: string): Promise<{ status: number; body: object }> {
    const performed = this.#last.then(() => this.#perform(this.#actions[path]!, body));
    this.#last = performed.catch(() => {});
    try {
      return { status: 200, body: (await performed) ?? {} };
    } catch (error) {
      return { status: statusOfError(error), body: { error: shownProblem(error) } };
    }
  }

  /** Ends everything that runs. */
  async stop(): Promise<void> {
    await Promise.all([...this.#works.values()].map((work) => work.stop()));
  }

  async #perform({ members, perform }: Action, body: string): Promise<object | undefined> {
    const fields = new BodyObject({ value: parseBody(body), path: [] }, ['session', ...members]);
    const name = fields.text('session');
    if (this.#options.list.row(name) === undefined) throw noSession(name);
    return (await perform({ fields, name, work: this.workOf(name) })) as object | undefined;
  }

  #verify({ fields, name, work }: Asked): void {
    const { list, clock, server } = this.#options;
    if (server === undefined) throw noServer('verify a server');
    const running = [...this.#works].find(([, { verification }]) => verification?.state === 'running');
    if (running) throw verifying(running[0]);
    work.verification = new Verification({
      file: list.fileOf(name),
      server,
      clock,
      isByHand: fields.flag('byHand'),
      isWatched: () => work.isWatched,
      changed: work.changed,
    });
    work.changed();
  }

  /** Edits an answer. A running mock server of the cassette is started again with the saved answer. */
  async #edit({ fields, name, work }: Asked): Promise<EditReply> {
    const reply = this.#options.editor.edit(name, readEditRequest(fields));
    if (!('saved' in reply)) return reply;
    work.verification?.outdate();
    if (work.mock?.isServing) {
      work.mock = await restartedMock(work.mock);
      work.changed();
    }
    return reply;
  }

  /** Starts the mock server of a cassette, unless that mock server is already running. */
  async #serve({ name, work }: Asked): Promise<void> {
    if (work.mock?.isServing) return;
    const { list, clock } = this.#options;
    work.mock = await startServedMock({ file: list.fileOf(name), clock, changed: work.changed });
    work.changed();
  }

  /** Starts a fork of a cassette. An earlier one ends. */
  async #fork({ fields, name, work }: Asked): Promise<void> {
    const { list, clock, server } = this.#options;
    if (server === undefined) throw noServer('go on with a server');
    await work.fork?.stop();
    work.fork = await startServedFork({
      ...{
        file: list.fileOf(name),
        line: fields.whole('line', { min: 1 }) ?? 0,
        withClient: fields.flag('withClient'),
      },
      ...{ prepare: server.prepareFork, redact: server.redactor().text, clock, newSession: unguessable },
      changed: work.changed,
    });
    work.changed();
  }
}

function answerQuestion({ fields, work }: Asked): void {
  const { questions } = work.verification ?? {};
  const id = fields.whole('question') ?? 0;
  if (questions === undefined) throw noQuestion(id);
  questions.answer(id, givenAnswer(fields));
}

function givenAnswer(fields: BodyObject): GivenAnswer {
  if (fields.flag('recorded')) return 'as-recorded';
  if (fields.has('error')) return { error: writtenError({ value: fields.members.error, path: fields.at('error') }) };
  const result = fields.object('result');
  if (result) return { result };
  throw badValue([], { why: 'it has no answer', next: 'Send "result": { … }, "error": { … } or "recorded": true.' });
}

async function offeredFaults({ fields, work }: Asked): Promise<{ faults: OfferedFault[] }> {
  const faults = await servedOf(work).faultsAt(fields.whole('line', { min: 1 }) ?? 0);
  return { faults: faults.map(({ name, doc }) => ({ name, doc })) };
}

async function addFault({ fields, work }: Asked): Promise<void> {
  const mock = servedOf(work);
  const [name, line] = [fields.text('fault'), fields.whole('line', { min: 1 }) ?? 0];
  const fault = (await mock.faultsAt(line)).find((one) => one.name === name);
  if (fault === undefined) {
    throw new McpRecordError({
      code: 'UI_FAULT_DOES_NOT_FIT',
      what: `Cannot add the fault ${JSON.stringify(name)}`,
      why: `it does not fit the message at line ${line}`,
      next: 'Choose one of the menu.',
    });
  }
  mock.inject(fault);
}

function removeFault({ fields, work }: Asked): void {
  const rule = fields.whole('rule') ?? 0;
  if (!servedOf(work).remove(rule)) throw notServing(`Cannot remove rule ${rule}`, 'the mock server does not have it');
}

/**
 * Returns the mock server of a session.
 * @throws McpRecordError UI_NOT_SERVING
 */
function servedOf({ mock }: WorkOfSession): ServedMock {
  if (mock?.isServing) return mock;
  throw notServing('Cannot use a fault', 'the session is not served');
}

function notServing(what: string, why: string): McpRecordError {
  return new McpRecordError({ code: 'UI_NOT_SERVING', what, why, next: 'Click Serve on the page of the session.' });
}

const INTERNAL_ERROR = 500;
const CONFLICT = 409;

function statusOfError(error: unknown): number {
  if (!(error instanceof McpRecordError)) return INTERNAL_ERROR;
  const status = STATUSES[error.code] ?? statusOf(error);
  return status === INTERNAL_ERROR ? CONFLICT : status;
}

const STATUSES: Readonly<Record<string, number>> = {
  UI_NO_SESSION: 404,
  UI_BAD_ANSWER: 400,
};

function noSession(name: string): McpRecordError {
  return new McpRecordError({
    code: 'UI_NO_SESSION',
    what: `Cannot use the session ${JSON.stringify(name)}`,
    why: 'the list does not have it',
    next: 'Open the list of sessions, and choose one.',
  });
}

function noServer(doing: string): McpRecordError {
  return new McpRecordError({
    code: 'UI_NO_SERVER',
    what: `Cannot ${doing}`,
    why: 'mcp-record ui was started without one, and a page must not name it',
    next: 'Start mcp-record ui again with the server: mcp-record ui FOLDER -- node server.js, or --http URL.',
  });
}

function verifying(name: string): McpRecordError {
  return new McpRecordError({
    code: 'UI_VERIFYING',
    what: 'Cannot verify now',
    why: `the server is being verified with ${JSON.stringify(name)}`,
    next: 'Wait until that run has ended, or stop it on its page.',
  });
}
