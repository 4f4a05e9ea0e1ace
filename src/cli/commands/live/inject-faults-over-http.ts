import { systemClock } from '../../../kernel/clock.ts';
import { startReverseProxy } from '../../../transports/http/proxy/reverse-proxy.ts';
import { parseUpstream } from '../../../transports/http/upstream/parse-upstream.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { EXIT, say } from '../../io/output.ts';
import { untilSignal } from '../../io/signals.ts';
import { sayHowToEnd } from '../../io/waiting-for-client-hint.ts';
import { fallsShort, faultsOf } from '../../options/fault-options.ts';
import { parseListenAddress } from '../../options/listen-address.ts';
import { trustedCertificates } from '../../options/trusted-certificates.ts';
import type { Options } from './proxy.ts';

/** Runs `mcp-record proxy --http URL`: injects faults before a running server, until a signal. */
export async function run(url: string, options: Options): Promise<number> {
  const upstream = parseUpstream(url, process.env);
  const faults = await faultsOf(options, 'http');
  const ca = options.ca === undefined ? undefined : trustedCertificates(options.ca);
  const way = {
    upstream,
    listen: parseListenAddress(options.listen),
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

  // Without faults, bytes pass without being parsed.
  if (faults === undefined) {
    const proxy = await startReverseProxy({ ...way, exchange: () => () => {} });
    await listening(proxy.origin);
    await proxy.close();
    process.exit(EXIT.ok);
  }
  const { httpFaultProxy } = await import('../../../fault-proxy/http-fault-proxy.ts');
  const proxy = await httpFaultProxy({ ...way, env: process.env, faults });
  const status = await Promise.race([listening(proxy.origin), proxy.exited]);
  const short = fallsShort(faults, proxy.unfired(), options);
  await proxy.close();
  process.exit(short ? EXIT.fellShort : childExitStatus(status));
}
