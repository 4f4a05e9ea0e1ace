import { type Transcript, withoutClock } from '../session/transcript.ts';

/** What each step came to; what is heard beside depends on how streams interleave. */
export const outcomes = (told: Transcript) => {
  const text = JSON.stringify(withoutClock(told))
    .replace(/(?<=\bsession )[\da-f-]{36}/g, '<id>')
    // From 2026-07-28 on, clients wrap an error that came with a status of its own.
    .replace(/"Error POSTing to endpoint: .*?\\"message\\":\\"(.*?)\\"\}\}"/g, '"$1"');
  return (JSON.parse(text) as Transcript).map(({ step, outcome }) => ({ step, outcome }));
};
