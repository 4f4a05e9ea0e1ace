import { McpRecordError } from '../../kernel/errors.ts';
import type { Finding } from '../../replay/findings/finding.ts';

/** Returns the error of a test whose session differs from its cassette. */
export function sessionFailedError(
  cassette: string,
  { findings: found, failures, kept, canAdd = false, canRecord = canAdd }: FellShort,
): McpRecordError {
  // Report-only findings did not fail the test.
  const findings = failures ?? found;
  const said = findings.map(({ text }) => `${text.trimEnd().replaceAll('\n', '\n  ')}\n  `).join('');
  const drawn = findings.find(({ expected }) => expected !== undefined);
  return new McpRecordError({
    code: 'SESSION_FELL_SHORT',
    ...headingOf(cassette, new Set(findings.map(({ kind }) => kind))),
    next: `${said}${adviceFor(findings, { canAdd, canRecord, isWithoutCassette: cassette === '' })}${kept === undefined ? '' : `\n  ${keptText(kept)}`}`,
    ...(drawn && { expected: drawn.expected, actual: drawn.actual }),
  });
}

interface Recordable {
  /** Whether MCP_RECORD=record has an effect on this session. */
  canRecord?: boolean | undefined;
  /** Whether MCP_RECORD=new has an effect, too. */
  canAdd?: boolean | undefined;
  isWithoutCassette?: boolean;
}

interface FellShort extends Recordable {
  findings: readonly Finding[];
  /** Findings that fail the test. Absent: all. */
  failures?: readonly Finding[];
  /** Path of a failed run's recording. */
  kept?: string;
}

function recordingAdvice({ canAdd = false, canRecord = false }: Recordable): string {
  if (canAdd) return 'what it does now: MCP_RECORD=new adds to the cassette, MCP_RECORD=record replaces it.';
  if (canRecord) return 'what it does now: MCP_RECORD=record replaces the cassette.';
  return 'the cassette anew, e.g. with npx mcp-record record -o FILE -- COMMAND.';
}

/** Returns the error about the recording of a failed test. */
export function recordingKept({ cassette, recording }: { cassette: string; recording: string }): McpRecordError {
  return new McpRecordError({
    code: 'RECORDING_KEPT',
    what: `Did not record ${cassette}`,
    why: 'the test failed, so that the cassette is as it was',
    next: keptText(recording),
  });
}

function keptText(recording: string): string {
  return `What the test recorded is kept until it passes: npx mcp-record show ${recording}`;
}

const WHY: readonly (readonly [Finding['kind'], string])[] = [
  ['miss', 'a request is not in the cassette'],
  ['unused', 'not all of the cassette was used'],
  ['differs', 'the client says something else than the recorded one'],
  ['unrecorded', 'the client says what is not in the cassette'],
  ['unanswered', 'the client does not answer what the recorded one answers'],
  ['stray', 'the client answers what nobody asked'],
  ['unanswerable', 'a request has no answer in the cassette'],
  ['leaked', 'something was left running'],
  ['unfired', 'not all of its faults happened'],
  ['uncalled', 'not all of its handlers were called'],
  ['thrown', 'a fault or a handler is wrong'],
  ['ended', 'an endpoint was used after its end'],
];

/** Reasons for a mock server without a cassette. */
const WITHOUT_CASSETTE: typeof WHY = [['miss', 'no handler answers a request']];

/** Returns the error's `what` and `why` for these kinds of findings. */
function headingOf(cassette: string, kinds: ReadonlySet<Finding['kind']>): { what: string; why: string } {
  if (kinds.has('missing')) return { what: `Cannot record ${cassette}`, why: 'its server never said a message' };
  const why = WHY.flatMap(([kind, words]) => (kinds.has(kind) ? [words] : [])).join(', and ');
  const what =
    cassette === '' ? 'The mock server was not used as it should be' : `The session is not that of ${cassette}`;
  return {
    what,
    why: (cassette === '' && WITHOUT_CASSETTE.find(([kind]) => kinds.has(kind))?.[1]) || why || 'see below',
  };
}

function adviceFor(findings: readonly Finding[], { canAdd, canRecord, isWithoutCassette = false }: Recordable): string {
  const has = (kind: Finding['kind']) => findings.some((finding) => finding.kind === kind);
  if (has('missing')) return 'See that the server starts and answers, and run the test again.';
  if (has('thrown')) return 'Mend the fault or the handler, and run the test again.';
  if (has('miss') && isWithoutCassette) return 'Mend the client, or add a handler.';
  if (has('miss') || has('unused')) return `Mend the test, or record ${recordingAdvice({ canAdd, canRecord })}`;
  if (has('differs') || has('unrecorded') || has('unanswered') || has('stray'))
    return `Mend the client, or record ${recordingAdvice({ canAdd: false, canRecord })} To let it differ: ignore: ['/result/…'], or onDifference: 'report'.`;
  if (has('ended')) return 'Close each client before finish(), and begin anew with reset() before each further test.';
  if (has('unanswerable')) return 'Write the missing answer into the cassette, or record it anew: MCP_RECORD=record.';
  if (has('leaked')) return 'Close every client before the test ends: await client.close().';
  if (has('uncalled'))
    return 'Mend the method or name of the handler, or remove the handler: as it is, it tests nothing.';
  if (has('unfired')) return 'Mend the condition of the rule, or remove the rule: as it is, it tests nothing.';
  return 'Mend the test, or record it anew.';
}
