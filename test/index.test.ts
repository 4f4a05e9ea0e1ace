import { expect, it } from 'vitest';
import * as library from '../src/index.ts';

it('the library offers these names, and no others by accident', () => {
  expect(Object.keys(library).sort()).toEqual([
    'FORMAT',
    'JsonText',
    'McpRecordError',
    'correlate',
    'loadCassette',
    'openSession',
    'parseCassette',
    'streamCassette',
    'timelineOf',
    'timelineText',
  ]);
});
