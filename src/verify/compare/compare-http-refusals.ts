import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification } from '../../protocol/message.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import type { Exchange, ServerRun } from '../run/run-recorded-client.ts';
import { type HttpFailure, httpFailureOf, refusalWords } from './classify-http-failure.ts';

/**
 * Returns the recorded and live JSON bodies of an HTTP error with the same status. Undefined if either side has no such
 * body.
 */
export function errorBodies({ recorded, refusal }: Exchange): { recorded: JsonText; live: JsonText } | undefined {
  const before = recorded && httpFailureOf(recorded.frame);
  if (before?.body === undefined || refusal?.body === undefined || before.status !== refusal.status) return undefined;
  return { recorded: before.body, live: refusal.body };
}

/** Compares an HTTP exchange without an answer on at least one side. Returns `undefined` if both sides have one. */
export function refusedStep({ recorded, refusal }: Exchange): Partial<Step> | undefined {
  const recordedFailure = recorded && httpFailureOf(recorded.frame);
  if (refusal === undefined && recordedFailure === undefined) return undefined;
  if (refusal === undefined)
    return {
      status: 'failed',
      headline: `answered, where the cassette has no answer but ${recordedFailure!.words}`,
    };
  if (recorded === undefined)
    return { status: 'skipped', headline: `was not answered in the cassette, nor now: ${refusal.words}` };
  const isSame =
    recordedFailure?.code === refusal.code &&
    recordedFailure.status === refusal.status &&
    (recordedFailure.body === undefined || refusal.body !== undefined);
  // A refusal may word its reason otherwise, if it is a text. A JSON body is compared like an answer. A successful response without a message has nothing but its words.
  if (isSame && (refusal.code !== 'HTTP_NOT_MCP' || recordedFailure.words === refusal.words))
    return { status: 'passed' };
  const instead = recordedFailure === undefined ? 'an answer' : recordedFailure.words;
  return {
    status: 'failed',
    headline: `${refusal.words}, instead of ${instead}`,
    details: [`[${refusal.code}] ${refusal.next}`],
  };
}

/**
 * Returns failed steps for notifications and answers of the client that the server refused over HTTP, and did not refuse
 * in the cassette: sending one fails in SDK clients.
 */
export function refusedMessageSteps({ refusedMessages, plan }: ServerRun): Step[] {
  return refusedMessages.flatMap(({ message, recorded, refusal }): Step[] =>
    failedUnlessRecorded(plan, recorded, {
      refusal,
      title: refusedTitle(message),
      headline: refusalWords(refusal),
    }),
  );
}

const OPENING = { GET: 'open a stream to listen', DELETE: 'end the session' };

/** Returns failed steps for requests without a message whose token the server refused, and did not in the cassette. */
export function refusedOpenSteps({ refusedOpens = [], plan }: ServerRun): Step[] {
  return refusedOpens.flatMap(({ method, stream, refusal }): Step[] => {
    const recorded = plan.entries.find(
      ({ frame }) => frame.kind === 'open' && stream !== undefined && frame.stream === stream,
    );
    const headline = `was refused with ${refusal.words}: clients fail to ${OPENING[method]}`;
    return failedUnlessRecorded(plan, recorded, { refusal, title: method, headline });
  });
}

/** Returns a failed step, unless the recorded server refused with the same status. */
function failedUnlessRecorded(
  { entries }: ServerRun['plan'],
  recorded: SessionEntry | undefined,
  { refusal, title, headline }: { refusal: HttpFailure; title: string; headline: string },
): Step[] {
  const stream = recorded?.frame.stream;
  const before = entries
    .filter(({ frame, from }) => from === 'server' && stream !== undefined && frame.stream === stream)
    .map(({ frame }) => httpFailureOf(frame))
    .find((failure) => failure !== undefined);
  if (before !== undefined && before.status === refusal.status) return [];
  const details = [`[${refusal.code}] ${refusal.next}`];
  return [{ title, ...(recorded && { line: recorded.line }), status: 'failed', headline, details }];
}

/** Names a refused message of the client. */
export function refusedTitle({ value }: JsonText): string {
  return isNotification(value) ? value.method : 'an answer to the server';
}
