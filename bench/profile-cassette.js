/** Where the CPU goes that long texts take to be written to a cassette and loaded from it, beside JSON of the same message. */
import { spanOf } from './profile/own-process.js';
import { profileRows } from './profile/table.js';

export const name = 'profile-cassette';
export const isOnRequest = true;

export function run({ quick }) {
  const times = quick ? 10 : 100;
  const workload = (deed, corpus) => ({
    units: times,
    run: (contender, options) => spanOf(options, 'cassette-task.js', contender, deed, corpus, times),
  });
  return profileRows(quick ? 1 : 3, ['JSON', 'mcp-record'], {
    'write long texts': workload('write', 'long texts'),
    'load long texts': workload('load', 'long texts'),
    'load other scripts': workload('load', 'other scripts'),
  });
}
