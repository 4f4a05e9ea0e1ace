/** The sweep of one client over one transport. */
import { join } from 'node:path';
import { FIELD, install, mcpRecord, runJson } from './commands.js';
import { MARKS, outcomeOf } from './outcome.js';
import { GROUPS, pointOptions, pointsOver, sweepsOf, sweptName } from './points.js';

/** Longer than a client that waits a minute for each of two answers. */
const DEADLINE = '200000';

/** Returns the command of some points, as it stands on the page. */
export function clientCommand({ name, client, transport, points, options = [] }) {
  const over = transport === 'http' ? ['--http'] : [];
  const words = [...over, '--deadline', DEADLINE, ...pointOptions(points, answersOf(client, transport)), ...options];
  const cassette = `bench/field/${client.hasProgress ? 'cassette' : 'cassette-without-progress'}.yaml`;
  const address = transport === 'http' ? '{url}' : '{server}';
  return mcpRecord('sweep', ...words, cassette, '--', 'node', `bench/field/clients/${name}.mjs`, address);
}

/** Returns the outcome of each point. One that is bad, or whose fault never came, has come twice: a busy machine makes such outcomes, too. */
export async function sweepClient({ points, ...subject }) {
  const { name, client, transport } = subject;
  await install(join(FIELD, 'clients', name), client.packages);
  const all = points ?? GROUPS.flatMap((group) => pointsOver(transport, group));
  const outcomes = await sweepAll({ ...subject, points: all });
  const doubtful = all.filter((point) => MARKS[outcomes[point].mark].isBad || outcomes[point].mark === '-');
  const again = await sweepAll({ ...subject, points: doubtful });
  for (const point of doubtful) if (again[point].mark !== outcomes[point].mark) outcomes[point] = again[point];
  return outcomes;
}

async function sweepAll({ points, ...subject }) {
  const { client, transport } = subject;
  const answers = answersOf(client, transport);
  const outcomes = {};
  for (const some of sweepsOf(points.filter((point) => isReached(point, answers)))) {
    const command = clientCommand({ ...subject, points: some, options: ['--json'] });
    const { results } = await runJson(command);
    const resultOf = new Map(results.map((result) => [result.point.name, result]));
    for (const point of some) outcomes[point] = outcomeOf(point, resultOf.get(sweptName(point, answers)));
  }
  return Object.fromEntries(points.map((point) => [point, outcomes[point] ?? outcomeOf(point, undefined)]));
}

/**
 * A client that opens a session for each call gets no answer to a call at a position of its own. `version` is a fault of the first message alone.
 */
const isReached = (point, answers) =>
  answers[point.endsWith('@open') ? 0 : 1] !== undefined && (point !== 'version@open' || answers[0] === 1);

const answersOf = ({ hasProgress, answers }, transport) => answers?.[transport] ?? [1, hasProgress ? 4 : 3];
