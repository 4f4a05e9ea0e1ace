import { expect, it } from 'vitest';
import { isLoopback } from '../../src/protocol/loopback.ts';

it.each(['localhost', '127.0.0.1', '127.255.1.2', '[::1]'])('%s is this machine', (name) => {
  expect(isLoopback(name)).toBe(true);
});

it.each(['example.com', '127.0.0.1.example.com', 'localhost.example.com', '128.0.0.1', '[::2]', '0.0.0.0', ''])(
  '%j is not this machine',
  (name) => {
    expect(isLoopback(name)).toBe(false);
  },
);
