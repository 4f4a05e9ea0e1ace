// `in-process-task.js CONTENDER TOGETHER CALLS TAPE`: makes so many calls in this process, as many before that, and tells the span.
import { callInBatches, connected } from '../in-process.js';
import { watched } from './watched.js';

const [, , contender, together, calls, cassette] = process.argv;
const client = await connected(contender, cassette);
const call = (first) => callInBatches(client, Number(calls), Number(together), first);
await call(0);
console.log(JSON.stringify(await watched(process.pid, () => call(Number(calls)))));
await client.close();
