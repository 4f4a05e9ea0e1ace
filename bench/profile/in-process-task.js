// `in-process-task.js CONTENDER TOGETHER CALLS TAPE [BEFORE]`: makes BEFORE calls in this process (CALLS, if not given), then CALLS, and tells the span of these.
import { callInBatches, connected } from '../in-process.js';
import { watched } from './watched.js';

const [, , contender, ...words] = process.argv;
const [together, calls] = words.slice(0, 2).map(Number);
const [, , cassette, before = calls] = words;
const client = await connected(contender, cassette);
await callInBatches(client, Number(before), together);
console.log(JSON.stringify(await watched(process.pid, () => callInBatches(client, calls, together, Number(before)))));
await client.close();
