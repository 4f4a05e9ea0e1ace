import { type Signal, useSignal } from '@preact/signals';
import type {
  LoadPageCheck,
  LoadPageData,
  LoadPageFailure,
  LoadPageFigures,
  LoadPageInterval,
} from '../../data/load/load-page-data.ts';
import { count, latency } from '../format.ts';
import { Text } from '../text-and-badges.tsx';
import { CallTable } from './call-table.tsx';
import { axisTime } from './chart-scale.ts';
import { runFacts } from './load-run-settings.ts';
import { type DrawnFigure, type DrawnLimit, TimeChart } from './time-chart.tsx';

const SECOND = 1_000;
/** Maximum number of characters that are shown of a value. */
const VALUE_MAX = 5_000;

const perSecond = ({ answers, duration }: LoadPageInterval): number => (answers * SECOND) / duration;
const RATES: readonly DrawnFigure[] = [
  { name: 'answers', of: perSecond, isArea: true },
  {
    name: 'failed',
    of: ({ failed, duration }) => (failed === 0 ? undefined : (failed * SECOND) / duration),
    isArea: true,
  },
];
const TIMES: readonly DrawnFigure[] = [
  { name: 'p99', of: ({ took }) => took?.p99 },
  { name: 'p95', of: ({ took }) => took?.p95 },
  { name: 'p50', of: ({ took }) => took?.p50 },
];
/** Thresholds that are levels of a drawn time. */
const DRAWN_METRICS: ReadonlySet<string> = new Set(['p50', 'p95', 'p99', 'mean', 'max']);

/** Page of a load: summary, rate and times, kinds of requests, and failures. */
export function LoadPage({ data: { figures, checks } }: { data: LoadPageData }) {
  const pointed = useSignal<number | undefined>(undefined);
  const { files, duration, intervals, calls, failures, notes } = figures;
  return (
    <main class="load">
      <Head figures={figures} checks={checks} files={files} />
      <ul class="checks" aria-label="Checks">
        {checks.map((check, index) => (
          <Check key={index} check={check} />
        ))}
      </ul>
      <Pointed intervals={intervals} pointed={pointed} />
      <div class="charts">
        <TimeChart
          title="Answers a second"
          {...{ intervals, duration, pointed }}
          figures={figures.failed > 0 ? RATES : RATES.slice(0, 1)}
          text={count}
        />
        <TimeChart
          title="Time to an answer"
          {...{ intervals, duration, pointed }}
          figures={TIMES}
          limits={limitsOf(figures)}
          text={latency}
        />
      </div>
      {notes.length > 0 && <h2>Notes</h2>}
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>
              <Text of={note} />
            </li>
          ))}
        </ul>
      )}
      <h2>Kinds of requests, the slowest p95 first</h2>
      <CallTable calls={calls} />
      {failures.length > 0 && <h2>Failures</h2>}
      {failures.map((failure, index) => (
        <Failure key={index} failure={failure} sessions={figures.sessions} />
      ))}
      <IntervalTable intervals={intervals} />
    </main>
  );
}

interface HeadProps {
  figures: LoadPageFigures;
  checks: readonly LoadPageCheck[];
  files: readonly string[];
}

function Head({ figures, checks, files }: HeadProps) {
  const {
    answers,
    duration,
    sessions,
    failedSessions,
    failed,
    checks: compared,
    lostStreams,
    resumedStreams,
  } = figures;
  const lost = checks.filter(({ status }) => status === 'failed').length;
  const tiles: [name: string, value: string, isError?: boolean][] = [
    ['answers a second', count(Math.round((answers * SECOND) / duration))],
    ['answers', count(answers)],
    ['sessions', count(sessions)],
    ['failed sessions', count(failedSessions), failedSessions > 0],
    [`of ${count(compared)} checks failed`, count(failed), failed > 0],
  ];
  if (lostStreams > 0)
    tiles.push([`lost streams, ${count(resumedStreams)} resumed`, count(lostStreams), lostStreams > resumedStreams]);
  return (
    <header class="head">
      <div class="title">
        <h1>
          Load of <Text of={files.join(', ')} />
        </h1>
        <p class={lost > 0 ? 'verdict is-error' : 'verdict fine'} role="status">
          {lost > 0 ? `✗ failed: ${count(lost)} of ${count(checks.length)}` : '✓ passed'} in{' '}
          {(duration / SECOND).toFixed(1)} s
        </p>
      </div>
      <p class="note run">
        <Text of={runFacts(figures.run).join(' · ')} />
      </p>
      <dl class="tiles">
        {tiles.map(([name, value, isError]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={isError ? 'is-error' : ''}>{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

function Check({ check: { title, status, headline } }: { check: LoadPageCheck }) {
  const isFailed = status === 'failed';
  return (
    <li class={isFailed ? 'is-error' : 'fine'}>
      {isFailed ? '✗' : '✓'} <Text of={headline === undefined ? title : `${title}: ${headline}`} />
    </li>
  );
}

/** Figures of the interval under the pointer. */
function Pointed({
  intervals,
  pointed,
}: {
  intervals: readonly LoadPageInterval[];
  pointed: Signal<number | undefined>;
}) {
  const interval = intervals[pointed.value ?? -1];
  if (interval === undefined) return <p class="reading">Point at a chart for its figures.</p>;
  const { took, failed, sessions } = interval;
  const parts = [
    `${count(Math.round(perSecond(interval)))} answers a second`,
    `${count(sessions)} sessions ended`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(took ? (['p50', 'p95', 'p99', 'max'] as const).map((name) => `${name} ${latency(took[name])}`) : []),
  ];
  return (
    <p class="reading">
      <b>{spanOf(interval)}:</b> {parts.join(', ')}
    </p>
  );
}

function spanOf({ at, duration }: LoadPageInterval): string {
  const [from, to] = [at, at + duration].map((time) => axisTime(Math.round(time / 100) * 100));
  return `${from} to ${to}`;
}

function limitsOf({ thresholds }: LoadPageFigures): DrawnLimit[] {
  return thresholds.filter(({ what, metric }) => what === undefined && DRAWN_METRICS.has(metric));
}

function Failure({
  failure: { step, count: times, session },
  sessions,
}: {
  failure: LoadPageFailure;
  sessions: number;
}) {
  const place = step.line === undefined ? step.file : `${step.file}:${step.line}`;
  const often = times === 1 ? 'once' : `${count(times)} times`;
  return (
    <section class="failure">
      <h3>
        <Text of={step.title} />
      </h3>
      <p>
        <Text of={step.headline ?? 'failed'} />
      </p>
      <p class="note">
        {often}, first in session {count(session)} of {count(sessions)}
        {place !== undefined && (
          <>
            , <Text of={place} />
          </>
        )}
      </p>
      {(step.recorded !== undefined || step.live !== undefined) && (
        <details>
          <summary>Values of the first one</summary>
          <Value name="recorded" value={step.recorded} />
          <Value name="live" value={step.live} />
        </details>
      )}
    </section>
  );
}

function Value({ name, value }: { name: string; value: unknown }) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value, null, 2);
  const shown = text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}… (${count(text.length)} characters)` : text;
  return (
    <>
      <h4>{name}</h4>
      <pre tabIndex={0} aria-label={`${name} value`}>
        <Text of={shown} />
      </pre>
    </>
  );
}

/** All figures over time as a table. */
function IntervalTable({ intervals }: { intervals: readonly LoadPageInterval[] }) {
  const names = ['p50', 'p95', 'p99', 'max'] as const;
  return (
    <details class="intervals">
      <summary>All figures over time</summary>
      <section class="scrolled" aria-label="Figures over time" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {['time', 'answers a second', 'answers', 'failed', 'sessions', ...names].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {intervals.map((interval) => (
              <tr key={interval.at}>
                <th scope="row">{spanOf(interval)}</th>
                <td>{count(Math.round(perSecond(interval)))}</td>
                <td>{count(interval.answers)}</td>
                <td class={interval.failed > 0 ? 'is-error' : ''}>{count(interval.failed)}</td>
                <td>{count(interval.sessions)}</td>
                {names.map((name) => (
                  <td key={name}>{interval.took ? latency(interval.took[name]) : ''}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
