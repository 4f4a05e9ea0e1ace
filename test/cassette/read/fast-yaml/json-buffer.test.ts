import { expect, it } from 'vitest';
import { JsonBytes } from '../../../../src/cassette/read/fast-yaml/json-buffer.ts';

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

const KEPT = 64 * 1024;
const source = Buffer.alloc(4 * KEPT, 'x');

it('what is kept is used to its last byte, and what is longer has room for itself', () => {
  const json = new JsonBytes();
  json.ascii(source, 0, KEPT);
  const { bytes } = json;
  expect(bytes).toHaveLength(KEPT);
  json.clear();
  json.ascii(source, 0, KEPT);
  expect(json.bytes).toBe(bytes);
  json.byte(0x79);
  json.ascii(source, 0, source.length);
  expect(json.take()).toBe(`${'x'.repeat(KEPT)}y${'x'.repeat(source.length)}`);
});

it('texts find room at the end of what is kept, however many bytes a character takes', () => {
  const json = new JsonBytes();
  json.ascii(source, 0, KEPT - 2);
  json.text('ключ');
  expect(json.take()).toBe(`${'x'.repeat(KEPT - 2)}ключ`);
});

it('only so much is kept', () => {
  const json = new JsonBytes();
  const { bytes } = json;
  json.byte(0x79);
  json.clear();
  expect(json.bytes).toBe(bytes);
  json.ascii(source, 0, KEPT + 1);
  json.clear();
  expect(json.bytes).toHaveLength(KEPT);
});

it.each(['x', 'é'])('whether all of it is ASCII is told of every %s, however many, until it is taken', (text) => {
  const json = new JsonBytes();
  for (const count of [1, 2_000]) {
    json.text(text.repeat(count));
    expect(json.isAscii).toBe(text === 'x');
    json.take();
    expect(json.isAscii).toBe(true);
  }
});
