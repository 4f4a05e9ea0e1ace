import { describe, expect, it } from 'vitest';
import { fillIn, templateProblem } from '../../../src/mock/file/response-template.ts';

const values = {
  request: {
    id: 7,
    method: 'tools/call',
    params: { name: 'add', arguments: { city: 'Oslo', days: 3, dry: false, near: ['Bergen'], 'a/b': 0, of: null } },
  },
  date: new Date('2026-02-28T23:30:00.500Z'),
  place: 'mock.yaml:5',
};

describe('a template', () => {
  it.each([
    ['a value of the request, with its type', '{{/params/arguments/days}}', 3],
    ['false', '{{/params/arguments/dry}}', false],
    ['null', '{{/params/arguments/of}}', null],
    ['zero under an escaped key', '{{ /params/arguments/a~1b }}', 0],
    ['a list', '{{/params/arguments/near}}', ['Bergen']],
    ['an item of a list', '{{/params/arguments/near/0}}', 'Bergen'],
    ['the id', '{{/id}}', 7],
    ['a text with several', '{{/params/arguments/city}}: {{/params/arguments/days}}', 'Oslo: 3'],
    ['an object in a text', 'near {{/params/arguments/near}}', 'near ["Bergen"]'],
    ['the time', '{{now}}', '2026-02-28T23:30:00.500Z'],
    ['a later time', '{{now + 1h}}', '2026-03-01T00:30:00.500Z'],
    ['an earlier day', '{{today-1d}}', '2026-02-27'],
    ['the day', 'on {{today}}', 'on 2026-02-28'],
    ['the braces themselves', 'Hello \\{{name}}', 'Hello {{name}}'],
    ['braces that are none', '{ {a} }', '{ {a} }'],
  ])('is filled in with %s', (_, written, filled) => expect(fillIn(written, values)).toEqual(filled));

  it('is filled in wherever it stands, and what it brings is not', () => {
    const echo = { ...values, request: { ...values.request, params: { said: '{{now}}' } } };
    const written = { content: [{ type: 'text', text: '{{/params/said}}' }], other: [1, null] };
    expect(fillIn(written, echo)).toEqual({ content: [{ type: 'text', text: '{{now}}' }], other: [1, null] });
  });

  it('that names a value which the request does not have is an error with its place', () => {
    for (const missing of ['{{/params/arguments/town}}', '{{/params/arguments/city/length}}', '{{/params/toString}}'])
      expect(() => fillIn(`a ${missing}`, values)).toThrow(
        expect.objectContaining({ code: 'TEMPLATE_NAMES_NOTHING', message: expect.stringContaining('mock.yaml:5') }),
      );
  });

  it.each([
    ['{{nwo}}', 'Did you mean {{now}}?'],
    ['{{params.city}}', 'Write {{/params/arguments/NAME}}'],
    ['{{/headers/x}}', 'Write {{/params/arguments/NAME}}'],
    ['{{/parms/arguments/a~1b}}', 'Did you mean {{/params/arguments/a~1b}}?'],
    ['{{/params/argumnets/city}}', 'Did you mean {{/params/arguments/city}}?'],
    ['{{/params/city}}', 'There are arguments, inputResponses, name'],
    ['{{/id/x}}', 'Write {{/id}}.'],
    ['{{/}}', 'Write {{/params/arguments/NAME}}'],
    ['{{now + 2 weeks}}', ''],
    ['{{process.exit()}}', ''],
    ['{{}}', ''],
  ])('%s can never be filled in', (written, next) => {
    expect(templateProblem({ returns: ['fine', written] }, ['answers', 0], 'tools/call')).toMatchObject({
      path: ['answers', 0, 'returns', 1],
      why: expect.stringContaining('names nothing'),
      next: expect.stringContaining(next),
    });
  });

  it('may name any param of a method that MCP does not define', () => {
    expect(templateProblem('{{/params/city}} {{/params}} {{/id}} {{/method}}', [], 'acme/search')).toBeUndefined();
  });
});
