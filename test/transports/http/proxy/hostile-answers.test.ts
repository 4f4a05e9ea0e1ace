import { describe, expect, it } from 'vitest';
import { get, wires } from '../wire.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const withFields = (...fields: string[]) => OK.replace('\r\n', `\r\n${fields.join('\r\n')}\r\n`);
const many = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n));

describe('an answer of a hostile server', () => {
  it.each([
    ['that is none', 'garbage\r\n\r\n'],
    ['without a status', 'HTTP/1.1 \r\n\r\n'],
    ['with letters for a status', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['with a status of two digits', 'HTTP/1.1 99 Low\r\n\r\n'],
    ['with a status of four digits', 'HTTP/1.1 2000 High\r\n\r\n'],
    ['of another version', 'HTTP/2 200 OK\r\n\r\n'],
    ['with a control character in its reason', 'HTTP/1.1 200 O\u0001K\r\n\r\n'],
    ['that switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['with a blank in the name of a header', withFields('bad name: x')],
    ['with a header without a name', withFields(': x')],
    ['with a header without a colon', withFields('x')],
    ['with a control character in a header', withFields('a: x\u0000y')],
    ['with a folded header', withFields('a: b', ' c')],
    ['with two lengths', withFields('Content-Length: 3')],
    ['with a length and chunks', withFields('Transfer-Encoding: chunked')],
    ['with a negative length', OK.replace('2', '-2')],
    ['with an endless head', `HTTP/1.1 200 OK\r\n${'x'.repeat(70_000)}`],
    ['with a flood of headers', withFields(...many(10_000, (n) => `x-${n}: ${n}`))],
  ])('%s is refused, and the next request is served', async (_what, text) => {
    await using line = await wires();
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(text);
    expect(await client.hears('\r\n\r\n')).toMatch(/^HTTP\/1.1 502 /);
    expect(line.troubles).toHaveLength(1);
    const next = line.client().says(get(line.port));
    using other = await line.far();
    await other.hears('\r\n\r\n');
    other.says(OK);
    expect(await next.hears('{}')).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each([
    ['with a thousand interim answers', `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)}${OK}`],
    ['with many short headers', withFields(...many(2_000, (n) => `x-${n}: ${n}`))],
    ['without a reason', OK.replace(' OK', '')],
    ['with a status that nobody knows', OK.replace('200', '799')],
    ['after empty lines', `${'\r\n'.repeat(10_000)}${OK}`],
  ])('%s reaches the client', async (_what, text) => {
    await using line = await wires();
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(text);
    expect(await client.hears('{}')).toMatch(/^HTTP\/1.1 (?:103|200|799)\b/);
    expect(line.troubles).toEqual([]);
  });
});
