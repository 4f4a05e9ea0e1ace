// `cassette-task.js CONTENDER DEED CORPUS TIMES`: writes or loads a corpus so often, as often before that, and tells the span.
import { CORPORA, tasksOf } from '../cassette-tasks.js';
import { watched } from './watched.js';

const [, , contender, deed, corpus, times] = process.argv;
const task = tasksOf[deed](CORPORA[corpus]())[contender];
const work = async () => {
  for (let n = 0; n < Number(times); n++) task();
};
await work();
console.log(JSON.stringify(await watched(process.pid, work)));
