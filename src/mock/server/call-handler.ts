import type { Side } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { isError, messageOf } from '../../kernel/errors.ts';
import { isAwaitable } from '../../kernel/platform/other-realms.ts';
import type { Params, Request } from '../../protocol/message.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { ResultOrError } from '../../replay/match/protocol-generation.ts';
import type { CallContext } from '../handler-context.ts';
import {
  failureReply,
  failureToAnswer,
  INTERNAL_ERROR,
  isProgrammingError,
  PeerFailure,
} from '../handler-error-reply.ts';
import type { HandlerList } from '../handler-list.ts';
import type { OpenCall } from '../open-handler-call.ts';
import { convertHandlerResult } from '../results/convert-handler-result.ts';
import { completeResult } from '../serialize-message.ts';
import { isNoAnswer } from './ask-timeout.ts';
import { checkedArguments, invalidArguments, invalidFinding } from './validate-call-arguments.ts';

export interface CallHandlerOptions {
  handlers: HandlerList;
  report(finding: Finding): void;
  clock: Clock;
  /** Same option as {@link HandlerSessionOptions.progressGap}. */
  progressGap?: Milliseconds | undefined;
  /** Same option as {@link HandlerSessionOptions.resultProblem}. */
  resultProblem?(request: Request, result: Params): string | undefined;
}

/** Returns the answer of a call's handler, after a check of the arguments. Mistakes of the handler are reported. */
export async function callHandler(
  call: OpenCall,
  context: CallContext,
  options: CallHandlerOptions,
): Promise<ResultOrError> {
  const reply = await replyOf(call, context, options);
  const { clock, progressGap } = options;
  if (progressGap !== undefined && call.hasProgress)
    await new Promise<void>((resolve) => void clock.after(progressGap, resolve));
  return reply;
}

async function replyOf(
  call: OpenCall,
  context: CallContext,
  { handlers, report, resultProblem }: CallHandlerOptions,
): Promise<ResultOrError> {
  const { handler, request, isModern: modern } = call;
  try {
    const source = handlers.checkSource(handler, 'checkArguments');
    const checking = checkedArguments(source, context.request.params);
    // Awaits promises only. Otherwise a refused use would be given back after the next request of a batch.
    const checked = isAwaitable(checking) ? await checking : checking;
    if (checked.problem !== undefined) {
      call.isRefused = true;
      handlers.release(handler);
      report(invalidFinding(call, { problem: checked.problem, place: source?.argumentsPlace ?? source?.place ?? '' }));
      return invalidArguments(call, checked.problem);
    }
    const value = await handler.answer(context, checked.args);
    const checkOutput = handlers.checkSource(handler, 'checkOutput')?.checkOutput;
    const returned = { handler, request, modern, value, checkOutput, resultProblem };
    const checkedReturn = convertHandlerResult(returned);
    const { result, problem } = isAwaitable(checkedReturn) ? await checkedReturn : checkedReturn;
    if (problem === undefined) return { result: completeResult(result, request.method, modern) };
    return brokenReply(call, problem, report);
  } catch (error) {
    const thrown = isError(error) ? error : new Error(messageOf(error));
    const failure = failureToAnswer(thrown, context.capabilities);
    const isPeers = thrown instanceof PeerFailure || isNoAnswer(thrown);
    // Nobody answers a handler whose call was cancelled, or whose session a fault has ended.
    if (isPeers && call.isCancelled) return failureReply(failure, call);
    if (isPeers) report(peerFinding(call, failure));
    else if (isProgrammingError(failure)) brokenReply(call, `threw ${failure}`, report);
    return failureReply(failure, call);
  }
}

/** Returns the finding for a handler that let the failure of its request to the peer pass uncaught. */
function peerFinding(call: OpenCall, failure: Error): Finding {
  const why = isNoAnswer(failure) ? failure.problem.what : failure.message.replace(/\.$/, '');
  const text = `${why}. ${call.title} had asked, and did not catch the error.`;
  return { kind: 'unanswered', text, changesAnswer: true };
}

/** Reports a mistake of a call's handler, or another cause (`kind`), and returns the answer for the client. */
export function brokenReply(
  call: OpenCall,
  what: string,
  report: (finding: Finding) => void,
  kind: Finding['kind'] = 'thrown',
): ResultOrError {
  // Error messages may already end with a full stop.
  const message = `${call.title} ${what}`.replace(/(?<![.?!])$/, '.');
  report({ kind, text: message });
  return { error: { code: INTERNAL_ERROR, message } };
}

/** Reports a call that is open at the end of its session, and returns the answer for the client. */
export function unfinishedReply(
  call: OpenCall,
  { report, peer = 'client' }: { report(finding: Finding): void; peer?: Side },
): ResultOrError {
  const [asked] = call.asking;
  return asked === undefined
    ? brokenReply(
        call,
        "has not answered, and the client has not cancelled the call (notifications/cancelled). Await the call, and mend the handler. If it is silent on purpose, the client needs a timeout that is shorter than the test's",
        report,
        'unfinished',
      )
    : brokenReply(call, `still waits for the ${peer}'s answer to ${asked}`, report, 'unanswered');
}
