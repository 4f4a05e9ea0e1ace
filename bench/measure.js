/** How benches take their figures: contenders take turns (A B A B), and what counts is the median of their rounds. */

export function median(values) {
  return quantile(values, 0.5);
}

/** The value that `share` of all are below. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const LATENCIES = ['p50', 'p95', 'p99'];

/** What is usual, what is slow, and what is rare, of times in ms; in µs. */
export function latencies(times) {
  return Object.fromEntries(
    LATENCIES.map((name) => [name, quantile(times, Number(name.slice(1)) / 100) * 1_000]),
  );
}

/** Each contender's median; where a round gives several figures, an object of their medians. */
export async function inTurns(rounds, contenders) {
  const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(contenders)) samples[name].push(await measure());
  }
  return mapValues(samples, medians);
}

function medians(rounds) {
  if (typeof rounds[0] === 'number') return median(rounds);
  return mapValues(rounds[0], (_, name) => median(rounds.map((figures) => figures[name])));
}

/** One of the figures of each contender. */
export const figure = (values, name) => mapValues(values, (figures) => figures[name]);

export function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

/** What this process has worked since it began, in µs: who else is on the machine does not count. */
export function ownCpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
