/** `node cassette-load.js COUNT`: loads a cassette of so many events, and prints the CPU that it took, in ms. */
import { parseCassette } from '../dist/cassette/read/parse-cassette.js';
import { cassetteOf } from './cassettes.js';
import { call } from './line-client.js';
import { ownCpu } from './measure.js';

const count = Number(process.argv[2]);
const result = (n) => ({ content: [{ type: 'text', text: `hello ${n}` }] });
const cassette = Buffer.from(cassetteOf(count / 2, { params: call, result }));
const began = ownCpu();
const { events } = parseCassette(cassette, 'bench.yaml');
const worked = ownCpu() - began;
if (events.length < count) throw new Error(`${events.length} events of ${count}`);
console.log(worked / 1_000);
