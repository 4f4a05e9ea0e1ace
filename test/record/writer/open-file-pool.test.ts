import { expect, it } from 'vitest';
import { OpenFilePool } from '../../../src/record/writer/open-file-pool.ts';

const refusal = Object.assign(new Error('too many open files'), { code: 'EMFILE' });

function cassettes(...names: string[]) {
  const parked: string[] = [];
  return { parked, cassettes: names.map((name) => ({ park: () => void parked.push(name) })) };
}

it('beyond so many, the one that was used least recently is parked', () => {
  const { parked, cassettes: all } = cassettes('a', 'b', 'c');
  const [a, b, c] = all;
  const open = new OpenFilePool(2);
  open.use(a!);
  open.use(b!);
  open.use(a!);
  open.use(c!);
  expect(parked).toEqual(['b']);
  open.forget(a!);
  open.use(b!);
  expect(parked).toEqual(['b']);
});

it('where the system allows no more, one after the other is parked until it does', () => {
  const { parked, cassettes: all } = cassettes('a', 'b', 'c');
  const open = new OpenFilePool();
  for (const cassette of all) open.use(cassette);
  const opened = open.making(() => {
    if (parked.length < 2) throw refusal;
    return 'opened';
  });
  expect([opened, parked]).toEqual(['opened', ['a', 'b']]);
});

it('where none is left to park, and of any other trouble, it is said', () => {
  const { parked, cassettes: all } = cassettes('a');
  const open = new OpenFilePool();
  for (const cassette of all) open.use(cassette);
  const failing = (error: Error) => () =>
    open.making(() => {
      throw error;
    });
  expect(failing(new Error('no room'))).toThrow('no room');
  expect(parked).toEqual([]);
  expect(failing(refusal)).toThrow('too many open files');
  expect(parked).toEqual(['a']);
});
