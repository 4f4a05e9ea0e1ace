import { expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { encodeLine } from '../../../src/transports/stdio/encode-line.ts';

const server = { at: 0, from: 'server' } as const;

it('writes a message, a line and bytes with a newline, and a line that was cut off without', () => {
  const line = { ...server, kind: 'line', on: 'protocol' } as const;
  const written = [
    encodeLine({ ...server, kind: 'message', json: new JsonText('{"a":1.0}') }),
    encodeLine({ ...line, data: 'é' }),
    encodeLine({ ...line, data: new Uint8Array([0xff]) }),
    encodeLine({ ...line, data: 'cut', partial: true }),
  ].map((data) => Buffer.from(data!).toString('latin1'));
  expect(written).toEqual(['{"a":1.0}\n', 'Ã©\n', 'ÿ\n', 'cut']);
  expect(encodeLine({ ...server, kind: 'close' })).toBeUndefined();
});

it('writes a message on one line, however a body over HTTP had it', () => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'a\nb\r\n' } }, null, 2).replaceAll(
    '\n',
    '\r\n',
  );
  const written = Buffer.from(encodeLine({ ...server, kind: 'message', json: new JsonText(text) })!).toString();
  expect(written.indexOf('\n')).toBe(written.length - 1);
  expect(JSON.parse(written)).toEqual(JSON.parse(text));
});
