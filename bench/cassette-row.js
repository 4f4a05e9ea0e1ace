// `cassette-row.js DEED CORPUS SHARE`: what each contender takes for a corpus in a process of its own, in µs of CPU, as the median of
// rounds that take turns, and the ratio of neighbours. A round does its task as often as takes a while, so that each pays for
// collecting what it leaves; where it was done once, every other round paid for two. SHARE of all rounds are made.

import { CORPORA, tasksOf } from './cassette-tasks.js';
import { comparedInTurns, mapValues, ownCpu } from './measure.js';

/** A round takes so long, and there are so many; in µs. */
const WHILE = 60_000;
const ROUNDS = 11;

const [, , deed, corpus, share] = process.argv;
const lines = CORPORA[corpus]();
const contenders = mapValues(tasksOf[deed](lines), (task) => {
  const took = (times) => {
    const before = ownCpu();
    for (let n = 0; n < times; n++) task();
    return (ownCpu() - before) / times;
  };
  took(3);
  const times = Math.ceil(WHILE / took(3));
  took(times);
  return () => took(times) / lines.length;
});
const rounds = Math.ceil(ROUNDS * Number(share));
const ratio = (took) => took['mcp-record'] / took.JSON;
console.log(JSON.stringify(await comparedInTurns(rounds, contenders, ratio)));
