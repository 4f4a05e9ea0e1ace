/** An example of each fault, in the short form. */
const EXAMPLES = [
  'error-reply:tools/call:code=-32000',
  'http-status:tools/call:status=503',
  'latency:tools/call:delay=200',
  'drop:tools/call',
  'duplicate:tools/call:count=2',
  'stall:tools/call:for=5000',
  'cut:tools/call:bytes=20',
  'reset:tools/call',
  'down::for=5000',
  'coalesce::count=3',
  'corrupt:tools/call:kind=bad-json',
  'junk:tools/call:text=Ready',
  'oversize:tools/call:bytes=1000000',
  'wrong-id:tools/call:id=reused',
  'version::as=2020-01-01',
  'cancel:tools/call:at=1',
  'ignore-cancel',
  'progress::kind=storm',
  'clog:tools/call:for=500',
  'throttle::rate=1000',
  'slice::size=10',
  'slow-reader::rate=1000',
  'reorder::window=3',
  'late:tools/call',
  'slow-close::for=5000',
  'discover-timeout::for=5000',
  'truncate:tools/call:bytes=20',
  'end:tools/call',
  'exit:tools/call:status=SIGSEGV',
  'half-close:tools/call',
  'session-lost',
  'resume:tools/call:retry=500',
  'redeliver:tools/call',
  'stderr-flood:tools/call',
  'token-refused:tools/call:reason=revoked',
  'insufficient-scope::scope=files',
  'oauth-error:oauth/token',
  'wrong-issuer:oauth/authorize',
];

/** Examples that the short form cannot say: their parameters are mappings. */
export const LONG_EXAMPLES = ['{ do: patch, merge: { result: { isError: true } } }'];

/**
 * Returns the example of a fault.
 * @throws Error if it has none
 */
export function exampleOf(name: string): string {
  const short = EXAMPLES.find((example) => example.split(':')[0] === name);
  const example = short ?? LONG_EXAMPLES.find((one) => one.startsWith(`{ do: ${name},`));
  if (example === undefined) throw new Error(`${name} has no example: add one to test/faults/fault-examples.ts.`);
  return example;
}
