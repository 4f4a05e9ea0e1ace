import type { LoadPageCall } from '../../data/load/load-page-data.ts';
import { count, latency } from '../format.ts';
import { Text } from '../text-and-badges.tsx';
import { axisTime, logPosition, powersAround } from './chart-scale.ts';

/** Table of the kinds of requests, with the percentiles of their times on a common axis. */
export function CallTable({ calls }: { calls: readonly LoadPageCall[] }) {
  const axis = powersAround(calls.flatMap(({ took }) => (took ? [took.p50, took.max] : [])));
  const isFailing = calls.some(({ failed }) => failed > 0);
  return (
    <section class="scrolled" aria-label="Kinds of requests" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">what</th>
            <th scope="col">answers</th>
            {isFailing && <th scope="col">failed</th>}
            {['p50', 'p95', 'p99', 'max'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col" class="times">
              <span>{axisTime(axis.from)}</span>
              <span>p50 to p95, p99, max</span>
              <span>{axisTime(axis.to)}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {calls.map(({ what, answers, failed, took }) => (
            <tr key={what}>
              <th scope="row">
                <Text of={what} />
              </th>
              <td>{count(answers)}</td>
              {isFailing && <td class={failed > 0 ? 'is-error' : ''}>{failed > 0 ? `✗ ${count(failed)}` : ''}</td>}
              {([took?.p50, took?.p95, took?.p99, took?.max] as const).map((time, index) => (
                <td key={index}>{time === undefined ? '' : latency(time)}</td>
              ))}
              <td class="times">{took && <Times took={took} axis={axis} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Times({ took, axis }: { took: NonNullable<LoadPageCall['took']>; axis: { from: number; to: number } }) {
  const [p50, p95, p99, max] = [took.p50, took.p95, took.p99, took.max].map((time) => logPosition(time, axis));
  return (
    <div class="range" aria-hidden="true">
      <i class="line" style={{ left: `${p50}%`, right: `${100 - max!}%` }} />
      <i class="bar" style={{ left: `${p50}%`, right: `${100 - p95!}%` }} />
      <i class="mark" style={{ left: `${p99}%` }} />
    </div>
  );
}
