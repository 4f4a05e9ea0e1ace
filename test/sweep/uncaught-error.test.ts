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

  // Standard error of rustc 1.9x and of 1.7x, of a JVM 17, of go 1.2x, and of Ruby as its documentation has it.
  it.each([
    [
      '\nthread \'main\' (24670) panicked at p.rs:3:94:\nthe answer: "no answer 17"\nnote: run with `RUST_BACKTRACE=1`',
      'panic at p.rs:3',
    ],
    ["thread 'tokio-runtime-worker' panicked at src/main.rs:12:9:\nindex out of bounds\n", 'panic at src/main.rs:12'],
    ["thread 'main' panicked at 'no answer 17', src/main.rs:4:5\nnote: run with", 'panic at src/main.rs:4'],
    [
      'Exception in thread "main" java.lang.NumberFormatException: For input string: "x"\n\tat java.base/java.lang.Integer.parseInt(Integer.java:668)\n\tat J.answer(J.java:1)\n\tat J.main(J.java:6)\n',
      'java.lang.NumberFormatException at J.java:1',
    ],
    [
      'Exception in thread "main" J$Broken: request 17 failed\n\tat J.main(J.java:4)\nCaused by: java.lang.NumberFormatException: For input string: "17x"\n',
      'J$Broken at J.java:4',
    ],
    [
      'Exception in thread "worker-1" java.lang.IllegalStateException: no session 17\n',
      'java.lang.IllegalStateException: no session N',
    ],
    [
      "app.rb:3:in 'Integer#/': divided by 0 (ZeroDivisionError)\n\tfrom app.rb:3:in '<main>'\n",
      'ZeroDivisionError at app.rb:3',
    ],
    [
      "/app/server.rb:7:in `parse': no JSON (JSON::ParserError)\n\tfrom /app/server.rb:9:in `<main>'\n",
      'JSON::ParserError at /app/server.rb:7',
    ],
    [
      'fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [select (no cases)]:\nmain.main()\n',
      'fatal error: all goroutines are asleep - deadlock!',
    ],
  ])('of another runtime is known by its name and line: %j', (stderr, identity) => {
    expect(isUncaught(stderr)).toBe(true);
    expect(uncaughtErrorIdentity(stderr)).toBe(identity);
  });

  it.each([
    'the worker thread panicked at noon',
    'WARN Exception in thread pool: retried',
    'app.rb:3:in the log: retried (twice)',
    'fatal error: cannot connect\n',
  ])('is none in a line of a log: %s', (stderr) => {
    expect(isUncaught(stderr)).toBe(false);
  });

  it('is none where the program reports an error itself', () => {
    expect(uncaughtErrorIdentity('TypeError: no answer\n')).toBeUndefined();
    expect(isUncaught('TypeError: no answer\n')).toBe(false);
  });
});
