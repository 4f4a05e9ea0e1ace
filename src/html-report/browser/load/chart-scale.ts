import type { LoadPageInterval } from '../../data/load/load-page-data.ts';

/** Returns the values of about four ticks, from 0 to at least `highest`. */
export function valueTicks(highest: number): number[] {
  const step = roundStep(highest > 0 ? highest / 4 : 0.25);
  const count = Math.max(1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Returns the times of ticks from 0 to `duration`, in milliseconds. */
export function timeTicks(duration: number): number[] {
  const step = TIME_STEPS.find((one) => duration / one < 7) ?? roundStep(duration / 6);
  return Array.from({ length: Math.floor(duration / step) + 1 }, (_, index) => index * step);
}

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const TIME_STEPS = [
  ...[100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12, 24].map((hours) => hours * HOUR),
];

/** Formats a time of the axis: `0`, `500 ms`, `30 s`, `1:30 min`, `2:05 h`. */
export function axisTime(ms: number): string {
  const pair = (large: number, small: number) =>
    small === 0 ? `${large}` : `${large}:${String(small).padStart(2, '0')}`;
  if (ms === 0) return '0';
  if (ms < SECOND) return `${ms} ms`;
  if (ms < MINUTE) return `${ms / SECOND} s`;
  if (ms < HOUR) return `${pair(Math.floor(ms / MINUTE), (ms % MINUTE) / SECOND)} min`;
  return `${pair(Math.floor(ms / HOUR), (ms % HOUR) / MINUTE)} h`;
}

/** Returns 1, 2 or 5 times a power of ten, and not less than `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9))!;
}

/** Returns a figure of an interval. Undefined: the line has a gap there. */
export type FigureOf = (interval: LoadPageInterval) => number | undefined;

/** Size of a chart in pixels, and its ranges: `duration` maps to `width`, `highest` maps to `height`. */
export interface ChartBox {
  width: number;
  height: number;
  duration: number;
  highest: number;
}

/** Returns the path of a line with a level part for each interval. */
export function stepLine(intervals: readonly LoadPageInterval[], figure: FigureOf, box: ChartBox): string {
  let isDrawing = false;
  return intervals
    .map((interval) => {
      const value = figure(interval);
      const command = isDrawing ? 'L' : 'M';
      isDrawing = value !== undefined;
      if (value === undefined) return '';
      const [from, to] = [interval.at, interval.at + interval.duration].map((at) => (box.width * at) / box.duration);
      const y = box.height * (1 - Math.min(1, value / box.highest));
      return `${command}${fixed(from!)} ${fixed(y)}H${fixed(to!)}`;
    })
    .join('');
}

/** Returns the path of the areas below such a line. Intervals without a value, or with 0, have none. */
export function stepArea(intervals: readonly LoadPageInterval[], figure: FigureOf, box: ChartBox): string {
  return intervals
    .map((interval) => {
      const value = figure(interval);
      if (!value) return '';
      return `${stepLine([interval], figure, box)}V${fixed(box.height)}H${fixed((box.width * interval.at) / box.duration)}Z`;
    })
    .join('');
}

const fixed = (value: number): string => String(Math.round(value * 100) / 100);

/** Returns the position of a time on a logarithmic axis between two others, in percent. */
export function logPosition(value: number, { from, to }: { from: number; to: number }): number {
  return (100 * Math.log(Math.min(to, Math.max(from, value)) / from)) / Math.log(to / from);
}

/** Returns the powers of ten around these times. */
export function powersAround(times: readonly number[]): { from: number; to: number } {
  const positive = times.filter((time) => time > 0);
  if (positive.length === 0) return { from: 1, to: 10 };
  const from = 10 ** Math.floor(Math.log10(Math.min(...positive)));
  const to = 10 ** Math.ceil(Math.log10(Math.max(...positive)));
  return { from, to: to > from ? to : from * 10 };
}
