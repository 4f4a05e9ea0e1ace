import { expect, it } from 'vitest';
import { traceParentOf } from '../../../src/convert/otlp/trace-parent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const of = (traceparent: unknown, tracestate?: unknown) => traceParentOf({ _meta: { traceparent, tracestate } });

it('is the trace, the span of the sender, and its flags', () => {
  expect(of(`00-${TRACE}-${SPAN}-01`, 'rojo=1')).toEqual({ traceId: TRACE, spanId: SPAN, flags: 1, state: 'rojo=1' });
  expect(of(`00-${TRACE}-${SPAN}-00`)).toEqual({ traceId: TRACE, spanId: SPAN, flags: 0 });
});

it('may be of a later version, which can have more', () => {
  expect(of(`cc-${TRACE}-${SPAN}-03-more`)?.flags).toBe(3);
});

it.each([
  undefined,
  7,
  '',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01\n`,
  '{token}',
])('is none: %j', (traceparent) => {
  expect(of(traceparent)).toBeUndefined();
});

it.each([undefined, null, [], {}, { _meta: null }, { _meta: 'x' }])('is none in %j', (params) => {
  expect(traceParentOf(params)).toBeUndefined();
});

it('leaves out a state that is no text, or longer than has to be passed on', () => {
  expect(of(`00-${TRACE}-${SPAN}-01`, 7)).not.toHaveProperty('state');
  expect(of(`00-${TRACE}-${SPAN}-01`, 'x'.repeat(513))).not.toHaveProperty('state');
});
