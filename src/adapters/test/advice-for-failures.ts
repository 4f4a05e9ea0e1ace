import { quoted } from '../../modes/reword-ignore-advice.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { shellWord } from '../../text-report/shell-word.ts';
import { recordedBy } from '../test-end/how-cassette-was-recorded.ts';

/** What can be recorded again. */
export interface Recordable {
  /** Whether `MCP_RECORD=record` affects this session. */
  canRecord?: boolean | undefined;
  /** Whether `MCP_RECORD=new` affects this session. */
  canAdd?: boolean | undefined;
  /** Path of the cassette. Empty for a mock without a cassette. */
  cassette?: string;
}

function recordingAdvice({ canAdd = false, canRecord = false, cassette = '' }: Recordable): string {
  const { transport, isForked } = recordedBy(cassette);
  if (isForked)
    return `fork the first session again, since a recording of its own lacks the state before: npx mcp-record fork -o ${shellWord(cassette)} FIRST.yaml:LINE -- COMMAND. Delete the old file first.`;
  if (canAdd) return 'record what it does now: MCP_RECORD=new adds to the cassette, MCP_RECORD=record replaces it.';
  if (canRecord) return 'record what it does now: MCP_RECORD=record replaces the cassette.';
  if (transport === undefined) return 'write what it does now into the cassette.';
  const again = `run the test that records it with ${process.env.VITEST ? 'npx vitest -u' : 'MCP_RECORD=record'}`;
  const recorder = `npx mcp-record record -o ${shellWord(cassette)}`;
  return transport === 'http'
    ? `record the cassette anew: ${again}, or delete it, run ${recorder} --http URL, and give the client the printed URL in place of the server's.`
    : `record the cassette anew: ${again}, or delete it, and let the client start ${recorder} -- COMMAND in place of the server's COMMAND.`;
}

/** Returns the advice for the failures of a mock client. */
export function adviceForClient(findings: readonly Finding[]): string {
  const has = (kind: Finding['kind']) => findings.some((finding) => finding.kind === kind);
  if (has('thrown') || has('unfinished') || has('stray'))
    return 'Mend the server or the handler, and run the test again.';
  // A missing handler fails the test with any `onDifference`.
  if (has('miss')) return 'Add a handler, or mend the server.';
  if (areUnawaited(findings)) return UNAWAITED;
  return has('differs') ? "Mend the server. If it is meant: onDifference: 'report'." : UNCALLED;
}

/** Advice for what the specification forbids: a new recording and rules to ignore do not help. */
const FORBIDDEN = "Mend the client. To let it differ: onDifference: 'report'.";

const UNCALLED = 'Mend the method or name of the handler, or remove the handler: as it is, it tests nothing.';

const UNFIRED =
  'If the client did too little, mend the client. Else mend the condition or the parameters of the rule, or remove the rule: as it is, it tests nothing.';

const ENDED = 'Close each client before finish(), and begin anew with reset() before each further test.';

const REFUSED = "Mend what the client sends to the authorization server. If it is meant: onDifference: 'report'.";

const LEAKED = 'Close every client before the test ends: await client.close().';

const UNAWAITED = 'Then run the test again.';

function areUnawaited(findings: readonly Finding[]): boolean {
  return findings.length > 0 && findings.every(({ kind }) => kind === 'unawaited');
}

const MAY_STAY_AWAY =
  "If the client may leave it out: match: { optional: true } beside it in the cassette, or onUnused: 'report'.";

/** Returns the advice for the failures of a session or mock server. */
export function adviceFor(findings: readonly Finding[], recordable: Recordable): string {
  const { canRecord, cassette = '' } = recordable;
  const has = (kind: Finding['kind']) => findings.some((finding) => finding.kind === kind);
  if (areUnawaited(findings)) return UNAWAITED;
  if (has('missing')) return 'See that the server starts and answers, and run the test again.';
  if (has('unconnected')) return 'Connect a client in the test, or remove what starts the server.';
  const isHandlerWrong = has('thrown') || has('unfinished');
  if (isHandlerWrong && findings.some(({ breaksProtocol }) => breaksProtocol))
    return 'Mend the client, and run the test again: the handler may have failed because of what the client sent.';
  if (isHandlerWrong) return 'Mend the handler or the fault, and run the test again.';
  if (has('miss') && cassette === '') return 'Mend the client, or add a handler.';
  if (has('invalid') && !has('miss')) return "Mend the client, or the schema. If it is meant: onMiss: 'report'.";
  if (has('unretried') && !has('miss')) return "Let the client try again. If it need not: onUnused: 'report'.";
  if (has('unauthorized') && !has('miss'))
    return "Let the client get a token, and make the request again. If it may give up: onUnused: 'report', without onDifference: 'fail'.";
  if (has('refused') && !has('miss')) return REFUSED;
  if (cassette === '') return adviceWithoutCassette(has);
  // MCP_RECORD=new only adds requests: one that never came stays in the cassette, and fails again.
  if (has('unused')) return `Mend the test, or ${recordingAdvice({ ...recordable, canAdd: false })} ${MAY_STAY_AWAY}`;
  if (has('miss')) return `Mend the test, or ${recordingAdvice(recordable)}`;
  if (findings.every(({ breaksProtocol }) => breaksProtocol)) return FORBIDDEN;
  if (has('differs') || has('unrecorded') || has('unanswered') || has('stray'))
    return `Mend the client, or ${recordingAdvice({ ...recordable, canAdd: false })} ${differenceAdvice(findings, recordable)}`;
  if (has('ended')) return ENDED;
  if (has('unanswerable'))
    return `Write the missing answer into the cassette${canRecord ? ', or record it anew: MCP_RECORD=record' : ''}.`;
  if (has('leaked')) return LEAKED;
  if (has('uncalled')) return UNCALLED;
  if (has('unfired')) return UNFIRED;
  return `Mend the test, or ${recordingAdvice(recordable)}`;
}

/** Returns the advice for a client that may differ, with ignore rules for the places where it does. */
function differenceAdvice(findings: readonly Finding[], { canAdd, cassette = '' }: Recordable): string {
  const pointers = [...new Set(findings.flatMap(({ differsAt = [] }) => differsAt))];
  const ignore = pointers.length === 0 ? '' : `ignore: [${pointers.map(quoted).join(', ')}], or `;
  const isOfAnswer = pointers.some((pointer) => /^\/(?:result|error)(?:\/|$)/.test(pointer));
  // A session that records has no handlers: a mock server on the same cassette has them.
  const where = canAdd ? `: mcp.server(${quoted(cassette)}, { handlers }) in place of mcp.connect` : '';
  const then = isOfAnswer
    ? ` The server goes on as it was recorded: to have it do something else, give its tool a handler${where}.`
    : '';
  return `To let it differ: ${ignore}onDifference: 'report'.${then}`;
}

/** Returns the advice for a mock server without a cassette. Rules to ignore differences are about recorded messages. */
function adviceWithoutCassette(has: (kind: Finding['kind']) => boolean): string {
  if (has('differs') || has('unrecorded') || has('unanswered') || has('stray')) return FORBIDDEN;
  if (has('ended')) return ENDED;
  if (has('leaked')) return LEAKED;
  if (has('uncalled')) return UNCALLED;
  return has('unfired') ? UNFIRED : 'Mend the test or the client.';
}
