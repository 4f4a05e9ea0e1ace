import type { Cassette } from '../../src/cassette/cassette.ts';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { replayPlanText } from '../../src/cli/io/replay-plan-text.ts';
import { har } from '../../src/convert/to/har.ts';
import { mermaid } from '../../src/convert/to/mermaid.ts';
import { ndjson } from '../../src/convert/to/ndjson.ts';
import { diffSessions } from '../../src/diff/diff-sessions.ts';
import { diffText } from '../../src/diff/format-session-diff.ts';
import { sessionText } from '../../src/diff/session-text.ts';
import { buildReport } from '../../src/html-report/data/build-report-data.ts';
import { reportPage } from '../../src/html-report/html-page.ts';
import { lint } from '../../src/lint/lint.ts';
import { redactCassette } from '../../src/record/redact-file/redact-cassette.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { CassetteSelector } from '../../src/replay/http/cassette-selector.ts';
import { httpCassette } from '../../src/replay/http/http-cassette.ts';
import { inferServerRequirements } from '../../src/replay/http/requests/infer-server-requirements.ts';
import { planClient } from '../../src/replay/plan/client-plan.ts';
import { planServer } from '../../src/replay/plan/server-plan.ts';
import { faultMatrix } from '../../src/sweep/client/fault-cases.ts';
import { outcomeText } from '../../src/text-report/check-outcome-text.ts';
import { junitXml } from '../../src/text-report/junit.ts';
import { sarif } from '../../src/text-report/sarif.ts';
import { timelineOf } from '../../src/text-report/timeline-rows.ts';
import { timelineText } from '../../src/text-report/timeline-text.ts';
import { compareSession } from '../../src/verify/compare/compare-session.ts';
import { live } from '../verify/live.ts';
import { selfPlay } from './self-play.ts';

const PROGRAM = { name: 'mcp-record', version: '0' };
const asIs = (text: string): string => text;
const PLAIN = { good: asIs, bad: asIs, dim: asIs, bold: asIs, hunk: asIs };
const FILE = 'cassette.yaml';

/** What every command that takes a cassette does with it, by the name of the command: in process, output and all. */
const LOOKS: Readonly<Record<string, (text: string, before: Cassette) => unknown>> = {
  show: (text) => timelineText(timelineOf(load(text)), { width: 120 }).join('\n'),
  'show --json': (text) => JSON.stringify(timelineOf(load(text))),
  'show --plan server': (text) => replayPlanText(planServer(load(text).events)),
  'show --plan client': (text) => replayPlanText(planClient(load(text).events)),
  'show --git': (text) => sessionText(load(text), text),
  'show --mermaid': (text) => mermaid(load(text)),
  'convert --to har': (text) => har(load(text), PROGRAM),
  'convert --to ndjson': (text) => ndjson(load(text)),
  report: (text) => reportPage(buildReport([load(text)]), { script: '', style: '' }),
  'report A B': (text, before) =>
    buildReport([before, load(text)], { differencesBetween: (a, b) => diffSessions(a, b).entries }),
  diff: (text, before) => diffText(diffSessions(before, load(text)), PLAIN),
  'diff, the other way': (text, before) => diffText(diffSessions(load(text), before), PLAIN),
  lint: (text) => lint(load(text)),
  redact: (text) => redactCassette(text, FILE, createRedactor({ env: {} })),
  replay: (text) => selfPlay(load(text)),
  'replay --http': (text) => {
    const cassette = httpCassette(load(text));
    inferServerRequirements([cassette]);
    return new CassetteSelector([cassette]).choose(cassette.plan.entries.flatMap(({ json }) => json ?? []));
  },
  sweep: (text) => faultMatrix(load(text), [{ name: 'stall' }, { name: 'drop' }, { name: 'error-reply' }]),
};

function load(text: string): Cassette {
  return parseCassette(text, FILE);
}

/** Looks at a cassette in every way; gives what was thrown, by the way. */
export function everyLook(text: string, before: Cassette): string[] {
  return Object.entries(LOOKS).flatMap(([name, look]) => thrownBy(name, () => look(text, before)));
}

/** Verifies a server that says what `before` says against the cassette `text`. */
export async function verified(text: string): Promise<string> {
  const { driven } = await live(load(text));
  const outcome = compareSession({ file: FILE, driven });
  return [...outcomeText(outcome), junitXml(outcome), sarif(outcome, '0')].join('\n');
}

function thrownBy(name: string, look: () => unknown): string[] {
  try {
    look();
    return [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.stack : error}`];
  }
}
