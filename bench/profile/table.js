/** Profiles as the rows of a table: what each contender takes for one of each workload, and of that what went where. */
import { profiled } from './watched.js';

/** These places come first, in this order, and all others by how much they take. */
const FIRST = ['writing to peers', "Node's streams", 'native, and reading from peers', 'the disk'];
const LAST = ['collecting garbage', 'other threads'];
/** What takes less than this share of every workload is not worth a line. */
const WORTH = 0.02;

/**
 * A column a workload, a block of rows a contender. `workloads` are `{ [column]: { units, run } }`, where `run(contender,
 * options)` starts the contender with these options of `node` and returns what `watched` did while it worked through `units`.
 */
export async function profileRows(rounds, contenders, workloads) {
  const costs = Object.fromEntries(contenders.map((contender) => [contender, {}]));
  for (const [column, { units, run }] of Object.entries(workloads)) {
    const sums = Object.fromEntries(contenders.map((contender) => [contender, new Map()]));
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        const places = await profiled((options) => run(contender, options));
        for (const [place, time] of places) add(sums[contender], place, time / units / rounds);
      }
    }
    for (const contender of contenders) costs[contender][column] = sums[contender];
  }
  return contenders.flatMap((contender) => block(contender, costs[contender]));
}

function add(sums, key, value) {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

function block(contender, costs) {
  const totals = mapColumns(costs, (cost) => [...cost.values()].reduce((sum, time) => sum + time, 0));
  const share = (place) =>
    Math.max(...Object.entries(costs).map(([column, cost]) => (cost.get(place) ?? 0) / totals[column]));
  const places = [...new Set(Object.values(costs).flatMap((cost) => [...cost.keys()]))]
    .filter((place) => share(place) >= WORTH)
    .sort((a, b) => rank(a) - rank(b) || share(b) - share(a));
  const unit = 'µs CPU';
  return [
    { what: `${contender}, in all`, unit, values: totals },
    ...places.map((place) => ({
      what: place,
      unit,
      values: mapColumns(costs, (cost) => cost.get(place)),
    })),
  ];
}

function rank(place) {
  if (FIRST.includes(place)) return FIRST.indexOf(place);
  return FIRST.length + 1 + LAST.indexOf(place);
}

function mapColumns(costs, map) {
  return Object.fromEntries(Object.entries(costs).map(([column, cost]) => [column, map(cost)]));
}
