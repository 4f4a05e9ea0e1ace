import { expect, it } from 'vitest';
import { JsonBytes } from '../../../src/cassette/subset/json-bytes.ts';

it('text is put together of bytes and texts, however long, and taken out once', () => {
  const json = new JsonBytes();
  const name = Buffer.from('name');
  for (const long of ['x'.repeat(100_000), 'ключ']) {
    json.byte(0x7b);
    json.quoted(name, 0, 4);
    json.byte(0x3a);
    json.text(JSON.stringify(long));
    json.byte(0x2c);
    for (let n = 0; n < 20_000; n++) json.ascii(name, 0, 4);
    expect(json.take()).toBe(`{"name":"${long}",${'name'.repeat(20_000)}`);
  }
  expect(json.take()).toBe('');
});
