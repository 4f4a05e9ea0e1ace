import { systemClock } from '../../kernel/clock.ts';
import { startProxy } from '../../transports/http/proxy.ts';
import { parseUpstream } from '../../transports/http/upstream.ts';
import { addressOf } from '../address.ts';
import { certificatesWith } from '../certificates.ts';
import { fallsShort, faultsOf } from '../faults.ts';
import { EXIT, say } from '../output.ts';
import { untilSignal } from '../signals.ts';
import { statusOf } from '../status.ts';
import { sayHowToEnd } from '../waiting.ts';
import type { Options } from './proxy.ts';

/** `mcp-record proxy --http URL`: a server that runs already, misbehaving on purpose, until we are told to stop. */
export async function run(url: string, options: Options): Promise<number> {
  const upstream = parseUpstream(url, process.env);
  const faults = await faultsOf(options, 'http');
  const ca = options.ca === undefined ? undefined : certificatesWith(options.ca);
  const way = {
    upstream,
    listen: addressOf(options.listen),
    allowed: options.allowHost,
    ...(ca && { ca }),
    clock: systemClock,
    trouble: (error: Error) => say(error.message),
  };
  const listening = (origin: string) => {
    const stopped = untilSignal();
    say(`listening on ${origin}${upstream.path} for ${upstream.origin}${upstream.path}`);
    sayHowToEnd();
    return stopped;
  };

  // Where nothing misbehaves, bytes pass before anybody looks at them.
  if (faults === undefined) {
    const proxy = await startProxy({ ...way, exchange: () => () => {} });
    await listening(proxy.origin);
    await proxy.close();
    process.exit(EXIT.ok);
  }
  const { proxyHttp } = await import('../../scenario/proxy-http.ts');
  const proxy = await proxyHttp({ ...way, faults });
  const status = await Promise.race([listening(proxy.origin), proxy.exited]);
  const short = fallsShort(faults, proxy.unfired(), options);
  await proxy.close();
  process.exit(short ? EXIT.fellShort : statusOf(status));
}
