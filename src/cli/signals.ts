const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves once we are told to stop. */
export function untilSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve(undefined));
  });
}
