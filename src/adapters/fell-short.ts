import { McpRecordError } from '../kernel/errors.ts';
import type { Finding } from '../replay/finding.ts';

/** What it means for a test that its session did not go as the cassette has it. */
export function fellShort(cassette: string, { findings }: { findings: readonly Finding[] }): McpRecordError {
  const said = findings.map(({ text }) => `${text.trimEnd().replaceAll('\n', '\n  ')}\n  `).join('');
  const drawn = findings.find(({ kind, expected }) => kind === 'miss' && expected !== undefined);
  return new McpRecordError({
    code: 'SESSION_FELL_SHORT',
    ...headingOf(cassette, new Set(findings.map(({ kind }) => kind))),
    next: said + adviceFor(findings),
    ...(drawn && { expected: drawn.expected, actual: drawn.actual }),
  });
}

const WHY: readonly (readonly [Finding['kind'], string])[] = [
  ['miss', 'a request is not on the tape'],
  ['unused', 'not all of the tape was asked for'],
  ['leaked', 'something was left running'],
  ['unfired', 'not all of its faults happened'],
];

/** What is wrong, at a glance. */
function headingOf(cassette: string, kinds: ReadonlySet<Finding['kind']>): { what: string; why: string } {
  if (kinds.has('missing'))
    return { what: `Cannot record ${cassette}`, why: 'its server never said a message' };
  const why = WHY.flatMap(([kind, words]) => (kinds.has(kind) ? [words] : [])).join(', and ');
  return { what: `The session is not that of ${cassette}`, why: why || 'see below' };
}

function adviceFor(findings: readonly Finding[]): string {
  const has = (kind: Finding['kind']) => findings.some((finding) => finding.kind === kind);
  if (has('missing')) return 'See that the server starts and answers, and run the test again.';
  if (has('miss') || has('unused'))
    return 'Mend the test, or record what it does now: MCP_RECORD=new adds to the cassette, MCP_RECORD=record replaces it.';
  if (has('leaked')) return 'End what the test begins before it ends itself: await client.close().';
  if (has('unfired')) return 'Mend what the rule looks for, or leave it out: as it is it tests nothing.';
  return 'Mend the test, or record it anew.';
}
