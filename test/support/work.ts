import { vi } from 'vitest';
import { collectMemory } from './collect-memory.ts';

/** How often `task` looks at a character of a text or at a member of a map: a measure of work that no machine sways. */
export function workOf(task: () => void): number {
  const spies = [
    vi.spyOn(String.prototype, 'charCodeAt'),
    vi.spyOn(Map.prototype, 'get'),
    vi.spyOn(Set.prototype, 'has'),
  ];
  task();
  const work = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return work;
}

/** Bytes that `task` leaves behind once all garbage is gone. */
export function leftBy(task: () => void): number {
  collectMemory();
  const before = process.memoryUsage().heapUsed;
  task();
  collectMemory();
  return process.memoryUsage().heapUsed - before;
}
