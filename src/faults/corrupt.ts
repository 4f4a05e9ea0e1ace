import type { Random } from '../kernel/random.ts';
import { type DefinedFault, defineFault } from './fault.ts';
import { count, or, type WithFallback, word } from './param.ts';

type Kind = 'flip' | 'invalid-utf8' | 'bad-json' | 'not-json-rpc';

type Takes = { kind: WithFallback<Kind>; bytes: WithFallback<number> };

const params: Takes = {
  kind: or(word<Kind>('how', 'flip', 'invalid-utf8', 'bad-json', 'not-json-rpc'), 'flip'),
  bytes: or(count('how many bytes are damaged, by flip and invalid-utf8'), 1),
};

/** A message that arrives, and is none. */
export const corrupt: DefinedFault<Takes> = defineFault({
  name: 'corrupt',
  doc: 'The message arrives damaged: bits flipped, bytes that are no UTF-8, JSON that does not end, JSON that is no JSON-RPC.',
  grounds: ['stdio', 'http'],
  params,
  start({ kind, bytes }, { write, encode, random }) {
    return {
      hit(frame) {
        const data = Buffer.from(encode(frame));
        const end = data.at(-1) === NEWLINE ? data.length - 1 : data.length;
        if (kind === 'flip') damage(data, end, { bytes, random, by: (byte) => flipped(byte) });
        if (kind === 'invalid-utf8') damage(data, end, { bytes, random, by: () => 0xff });
        if (kind === 'bad-json') return write(Buffer.concat([data.subarray(0, end - 1), data.subarray(end)]));
        if (kind === 'not-json-rpc') return write(Buffer.concat([NOT_JSON_RPC, data.subarray(end)]));
        write(data);
      },
    };
  },
});

const NEWLINE = 0x0a;
const NOT_JSON_RPC = Buffer.from('{"mcp-record":"not JSON-RPC"}');

/** Flips the lowest bit, but never makes or breaks a line. */
function flipped(byte: number): number {
  return (byte ^ 1) === NEWLINE ? byte ^ 2 : byte ^ 1;
}

interface Damage {
  bytes: number;
  random: Random;
  by(byte: number): number;
}

function damage(data: Buffer, end: number, { bytes, random, by }: Damage): void {
  for (let n = 0; n < bytes && end > 0; n++) {
    const at = Math.floor(random() * end);
    data[at] = by(data[at]!);
  }
}
