/** The sweep of one client over one transport. */
import { join } from 'node:path';
import { FIELD, install, mcpRecord, runJson } from './commands.js';
import { MARKS, outcomeOf } from './outcome.js';
import { GROUPS, pointsOver, sweptName } from './points.js';

/** Longer than a client that waits a minute for each of two answers. */
const DEADLINE = '200000';

/** Returns the command of some points, as it stands on the page. */
export function clientCommand({ name, client, transport, points, options = [] }) {
  const over = transport === 'http' ? ['--http'] : [];
  const named = points.flatMap((point) => ['--point', sweptName(point, callOf(client))]);
  const words = [...over, '--deadline', DEADLINE, ...named, ...options];
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
  const { client } = subject;
  const reached = points.filter((point) => point.endsWith('@open') || !client.callsNothing);
  const { results } =
    reached.length === 0
      ? { results: [] }
      : await runJson(clientCommand({ ...subject, points: reached, options: ['--json'] }));
  const resultOf = new Map(results.map((result) => [result.point.name, result]));
  return Object.fromEntries(
    points.map((point) => [point, outcomeOf(point, resultOf.get(sweptName(point, callOf(client))))]),
  );
}

/** Returns the position of the answer to the first call in the cassette of a client. */
const callOf = ({ hasProgress }) => (hasProgress ? 4 : 3);
