import type { JsonText } from '../protocol/json-text.ts';
import type { Id, Params, Request, Response } from '../protocol/message.ts';
import { subjectOf } from '../protocol/method-table.ts';
import { clientResultProblem } from '../protocol/results/client-result-problem.ts';
import type { Finding } from '../replay/findings/finding.ts';
import { type Result, RpcFailure } from './handler.ts';
import { PeerFailure } from './handler-error-reply.ts';
import { type OpenCall, settle, type Waiting } from './open-handler-call.ts';
import { messageText } from './serialize-message.ts';

export interface OwnRequestOptions {
  /** Live exchange that carries the request. Absent: outside of every exchange. */
  stream?: number | undefined;
  /** Signal that cancels the request. */
  signal?: AbortSignal | undefined;
  /** Call whose handler sends the request. While the call is open, a missing answer is reported with the call. */
  call?: Pick<OpenCall, 'isOver' | 'isCancelled'> | undefined;
}

/** Type of request ids. */
export type RequestIds = 'number' | 'string';

/** Sends requests to the peer, and matches their responses. */
export class OwnRequests {
  /** Pending requests by id, as JSON token. */
  readonly #open = new Map<string, Waiting & { asked: string; call?: OwnRequestOptions['call'] }>();
  readonly #say: (json: JsonText, stream: number | undefined) => void;
  readonly #report: (finding: Finding) => void;
  readonly #ids: RequestIds;
  #next: number;

  /** `first`: number of the first request. */
  constructor(
    say: (json: JsonText, stream: number | undefined) => void,
    report: (finding: Finding) => void,
    { ids, first }: { ids: RequestIds; first: number },
  ) {
    this.#say = say;
    this.#report = report;
    this.#ids = ids;
    this.#next = first;
  }

  /**
   * Sends a request, and resolves with its result. Reports a client's result that violates the specification or the
   * schema in the request.
   * @throws RpcFailure if the peer answers with an error
   */
  send(method: string, params: Params | undefined, { stream, signal, call }: OwnRequestOptions): Promise<Result> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId();
    const key = JSON.stringify(id);
    return new Promise((resolve, reject) => {
      this.#open.set(key, {
        asked: subjectOf(method, params),
        call,
        resolve: reportingBad({ id, method, params }, this.#report, resolve),
        reject: (error) => reject(error instanceof RpcFailure ? new PeerFailure(method, error) : error),
      });
      signal?.addEventListener('abort', () => {
        if (!this.#open.has(key)) return;
        this.#open.set(key, ABANDONED);
        this.#say(messageText({ method: 'notifications/cancelled', params: { requestId: id } }), stream);
        reject(signal.reason);
      });
      this.#say(messageText({ id, method, params }), stream);
    });
  }

  #nextId(): Id {
    const number = this.#next++;
    return this.#ids === 'number' ? number : `mcp-record:mock:${number}`;
  }

  /** Settles the pending request of a response. Returns whether the request was pending. */
  settle(id: string | undefined, response: Response): boolean {
    return settle(this.#open, id, response);
  }

  /** Titles of the pending requests, except those of open or cancelled calls. */
  get unanswered(): string[] {
    const isOwn = ({ call }: Pick<OwnRequestOptions, 'call'>) =>
      call === undefined || (call.isOver && !call.isCancelled);
    return [...this.#open.values()].flatMap((one) => (one.asked === '' || !isOwn(one) ? [] : [one.asked]));
  }

  /** Rejects all pending requests, because a side has left. */
  rejectAll(why: string): void {
    for (const [key, { reject }] of this.#open) {
      reject(new Error(why));
      this.#open.set(key, ABANDONED);
    }
  }
}

/** Request that nobody waits for any more. Its response may be on its way, and is no mistake (MCP, "Cancellation"). */
const ABANDONED = { asked: '', resolve() {}, reject() {} };

/** Returns a function that resolves with a result of the peer, and reports a result that does not fit the request. */
export function reportingBad(
  request: Request,
  report: (finding: Finding) => void,
  resolve: (result: Result) => void,
): (result: Result) => void {
  return (result) => {
    const problem = clientResultProblem(request, result);
    const text = `The client has answered ${request.method} with a bad result: ${problem}.`;
    if (problem !== undefined) report({ kind: 'differs', text, breaksProtocol: true });
    resolve(result);
  };
}

const SHOWN_LENGTH_MAX = 200;

/** Returns the finding for a response without an open request. */
export function strayResponse({ text }: JsonText): Finding {
  return { kind: 'stray', text: `A response came to no open request: ${text.slice(0, SHOWN_LENGTH_MAX)}` };
}
