import { describe, expect, it } from 'vitest';
import { isUncaught, uncaughtErrorIdentity } from '../../src/sweep/uncaught-error.ts';

const NODE = (message: string, id: number) => `file:///app/server.js:12
    throw error;
    ^

TypeError: ${message} of ${id}
    at JSON.parse (<anonymous>)
    at answer (file:///app/server.js:12:${id})
    at node:internal/main:5:1

Node.js v20.20.2
`;
const PYTHON = `Traceback (most recent call last):
  File "/app/client.py", line 3, in <module>
    main()
  File "/app/client.py", line 9, in main
    print(answer["text"])
KeyError: 'text'
`;

describe('an uncaught error', () => {
  it('of Node is known by its name and the line that threw it, and not by its message', () => {
    expect(uncaughtErrorIdentity(NODE('no answer', 3))).toBe('TypeError at file:///app/server.js:12');
    expect(uncaughtErrorIdentity(NODE('no answer', 3))).toBe(uncaughtErrorIdentity(NODE('nothing', 14)));
  });

  it('of Python is known by its name and the last line', () => {
    expect(uncaughtErrorIdentity(PYTHON)).toBe('KeyError at /app/client.py:9');
  });

  it('without a line is known by its message without numbers', () => {
    expect(uncaughtErrorIdentity('panic: request 17 of 20\n\ngoroutine 1 [running]:\n')).toBe('panic: request N of N');
    expect(uncaughtErrorIdentity('Error: answer 5\n\nNode.js v22.1.0\n')).toBe('Error: answer N');
    expect(uncaughtErrorIdentity('x\nNode.js v22.1.0\n')).toBe('an uncaught error: ');
  });

  it('is none where the program reports an error itself', () => {
    expect(uncaughtErrorIdentity('TypeError: no answer\n')).toBeUndefined();
    expect(isUncaught('TypeError: no answer\n')).toBe(false);
  });
});
