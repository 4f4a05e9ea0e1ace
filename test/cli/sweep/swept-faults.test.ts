import { expect, it } from 'vitest';
import { sweptFaults } from '../../../src/cli/sweep/swept-faults.ts';

const defaults = ['cut', 'drop'];
const swept = (faults: string | undefined, ...point: string[]) => sweptFaults({ faults, point, defaults });

it.each([
  ['the defaults', undefined, [{ name: 'cut' }, { name: 'drop' }]],
  ['some', 'drop,latency', [{ name: 'drop' }, { name: 'latency' }]],
  ['the defaults and one more', '+latency', [{ name: 'cut' }, { name: 'drop' }, { name: 'latency' }]],
  [
    'one with parameters, among others',
    'cut, latency:delay=3000,jitter=5,drop',
    [{ name: 'cut' }, { name: 'latency', params: { delay: 3000, jitter: 5 } }, { name: 'drop' }],
  ],
  ['one as --fault takes it', 'latency::delay=3', [{ name: 'latency', params: { delay: 3 } }]],
  ['a default with parameters', '+cut:bytes=3', [{ name: 'cut', params: { bytes: 3 } }, { name: 'drop' }]],
])('--faults names %s', (_, text, faults) => {
  expect(swept(text)).toEqual(faults);
});

it('a point brings its fault along', () => {
  expect(swept('drop', 'latency@3', 'drop@1')).toEqual([{ name: 'drop' }, { name: 'latency' }]);
  expect(swept(undefined, 'cut@1')).toEqual([{ name: 'cut' }, { name: 'drop' }]);
});

it.each([
  ['twice', 'cut,cut:bytes=3', 'it has the fault "cut" twice'],
  ['unknown', 'ctu', 'Did you mean "cut"?'],
  ['unknown, with a parameter', 'ctu:bytes=3', 'there is no fault "ctu:bytes=3"'],
  ['with a method', 'latency:tools/call:delay=5', 'A sweep chooses the messages itself.'],
  ['with a value alone', 'latency:3000', 'Write --faults latency, or latency:parameter=value.'],
  ['after nothing', '+', 'there is no fault ""'],
])('a fault that is named %s is refused', (_, text, reason) => {
  expect(() => swept(text)).toThrow(reason);
});
