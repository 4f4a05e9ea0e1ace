import { shellWord } from '../../../text-report/shell-word.ts';
import type { LoadPageRun } from '../../data/load/load-page-data.ts';
import { count } from '../format.ts';
import { axisTime } from './chart-scale.ts';

/** Describes what was run: the server, the shape of the load, the date and the version. */
export function runFacts(run: LoadPageRun): string[] {
  const { version, date, url, command = [], clients, rate, for: time, ramp, workers } = run;
  const many = `${count(clients)} client${clients === 1 ? '' : 's'}`;
  const shape = rate === undefined ? many : `${count(rate)} sessions a second, at most ${many}`;
  return [
    url ?? command.map(shellWord).join(' '),
    `${shape}, for ${axisTime(time)}`,
    ...(ramp > 0 ? [`ramp of ${axisTime(ramp)}`] : []),
    ...(workers > 1 ? [`${count(workers)} workers`] : []),
    `${date.slice(0, 16).replace('T', ' ')} UTC`,
    `mcp-record ${version}`,
  ];
}
