/**
 * How benches take their figures: contenders take turns (A B A B), and what counts is the median of their rounds, and of the ratios of
 * neighbours.
 */

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
  return Object.fromEntries(LATENCIES.map((name) => [name, quantile(times, Number(name.slice(1)) / 100) * 1_000]));
}

/** Each contender's median; where a round gives several figures, an object of their medians. */
export async function inTurns(rounds, contenders) {
  return mapValues(await sampled(rounds, contenders), medians);
}

/** The same as `values`, and beside that what `ratio` makes of the contenders: the median of what it makes of each round. */
export async function comparedInTurns(rounds, contenders, ratio) {
  return compared(await sampled(rounds, contenders), ratio);
}

/**
 * The same for contenders that stay between their turns, so that turns can be short and neighbours see the same machine. They are
 * opened anew `rounds` times: each is a function that promises `measure`, called for a turn, and `close`.
 */
export async function comparedInBatches({ rounds, turns }, contenders, ratio) {
  const samples = mapValues(contenders, () => []);
  for (let round = 0; round < rounds; round++) {
    const opened = {};
    for (const [name, open] of Object.entries(contenders)) opened[name] = await open();
    const more = await sampled(
      turns,
      mapValues(opened, ({ measure }) => measure),
    );
    for (const { close } of Object.values(opened)) await close();
    for (const [name, figures] of Object.entries(more)) samples[name].push(...figures);
  }
  return compared(samples, ratio);
}

/** What each contender measured, in the order of the rounds. */
async function sampled(rounds, contenders) {
  const samples = mapValues(contenders, () => []);
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of Object.entries(contenders)) samples[name].push(await measure());
  }
  return samples;
}

function compared(samples, ratio) {
  const rounds = Object.values(samples)[0].map((_, round) => mapValues(samples, (all) => all[round]));
  const ratios = rounds.map((round) => {
    const [any] = Object.values(round);
    return typeof any === 'number' ? ratio(round) : mapValues(any, (_, name) => ratio(figure(round, name)));
  });
  return { values: mapValues(samples, medians), ratio: medians(ratios) };
}

function medians(rounds) {
  if (typeof rounds[0] === 'number') return median(rounds);
  return mapValues(rounds[0], (_, name) => medians(rounds.map((figures) => figures[name])));
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
