import { overSse, overStreamableHttp } from './over-http.ts';
import { overStdio } from './over-stdio.ts';
import type { Transport, Wire } from './wire.ts';

export const WIRES: Readonly<Record<Transport, Wire>> = {
  stdio: overStdio,
  'Streamable HTTP': overStreamableHttp,
  'HTTP+SSE': overSse,
};
