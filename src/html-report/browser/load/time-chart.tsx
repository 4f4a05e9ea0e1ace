import type { Signal } from '@preact/signals';
import type { LoadPageInterval } from '../../data/load/load-page-data.ts';
import { axisTime, type ChartBox, type FigureOf, stepArea, stepLine, timeTicks, valueTicks } from './chart-scale.ts';

/** A figure that a chart draws over time. */
export interface DrawnFigure {
  /** Name in the legend, and class of its colour. */
  name: string;
  of: FigureOf;
  isArea?: boolean;
}

/** Threshold drawn as a level line. */
export interface DrawnLimit {
  text: string;
  value: number;
  holds: boolean;
}

interface TimeChartProps {
  title: string;
  intervals: readonly LoadPageInterval[];
  duration: number;
  figures: readonly DrawnFigure[];
  limits?: readonly DrawnLimit[];
  /** Formats a value of the axis. */
  text(value: number): string;
  /** Index of the interval under the pointer. */
  pointed: Signal<number | undefined>;
}

const SIZE = { width: 1_000, height: 200 };
/** A limit this many times above all figures is not drawn: they would be flat. */
const LIMIT_FACTOR_MAX = 3;

/** Chart of figures over the time of a load. Assistive technology reads the same figures from a table. */
export function TimeChart({ title, intervals, duration, figures, limits = [], text, pointed }: TimeChartProps) {
  const most = Math.max(0, ...intervals.flatMap((interval) => figures.map(({ of }) => of(interval) ?? 0)));
  const shown = limits.filter(({ value }) => value <= most * LIMIT_FACTOR_MAX);
  const ticks = valueTicks(Math.max(most, ...shown.map(({ value }) => value)));
  const box: ChartBox = { ...SIZE, duration, highest: ticks.at(-1)! };
  const point = (event: PointerEvent & { currentTarget: Element }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = (duration * (event.clientX - left)) / width;
    pointed.value = intervals.findIndex((one) => at < one.at + one.duration);
    if (pointed.value < 0) pointed.value = intervals.length - 1;
  };
  const current = intervals[pointed.value ?? -1];
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        <ul class="legend">
          {figures.map(({ name }) => (
            <li key={name} class={`figure-${name}`}>
              {name}
            </li>
          ))}
          {shown.map(({ text, holds }) => (
            <li key={text} class={holds ? 'figure-limit' : 'figure-limit is-missed'}>
              {text}
            </li>
          ))}
        </ul>
      </figcaption>
      <div
        class="plot"
        aria-hidden="true"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => (pointed.value = undefined)}
      >
        <svg aria-hidden="true" viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} preserveAspectRatio="none">
          {figures.map(({ name, of, isArea }) => (
            <path
              key={name}
              class={`figure-${name}${isArea ? ' is-area' : ''}`}
              d={(isArea ? stepArea : stepLine)(intervals, of, box)}
            />
          ))}
        </svg>
        {shown.map(({ text, value, holds }) => (
          <i key={text} class={holds ? 'limit' : 'limit is-missed'} style={{ bottom: percent(value / box.highest) }} />
        ))}
        {current && (
          <i
            class="pointed"
            style={{ left: percent(current.at / duration), width: percent(current.duration / duration) }}
          />
        )}
        {ticks.map((value) => (
          <span key={value} class="value-tick" style={{ bottom: percent(value / box.highest) }}>
            {text(value)}
          </span>
        ))}
        {timeTicks(duration).map((at) => (
          <span key={at} class="time-tick" style={{ left: percent(at / duration) }}>
            {axisTime(at)}
          </span>
        ))}
      </div>
    </figure>
  );
}

const percent = (part: number): string => `${100 * part}%`;
