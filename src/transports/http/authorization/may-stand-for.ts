import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../../protocol/loopback.ts';

const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6');
// Services that give programs of a cloud their credentials, at addresses that are none of the above.
LINK_LOCAL.addAddress('fd00:ec2::254', 'ipv6');
LINK_LOCAL.addAddress('100.100.100.200', 'ipv4');

const THIS_MACHINE = new BlockList();
THIS_MACHINE.addSubnet('127.0.0.0', 8, 'ipv4');
THIS_MACHINE.addAddress('0.0.0.0', 'ipv4');
THIS_MACHINE.addAddress('::1', 'ipv6');
THIS_MACHINE.addAddress('::', 'ipv6');

/** Names of the services of a cloud that give programs their credentials. */
const METADATA_NAMES = /^(?:metadata\.google\.internal|metadata|instance-data(?:\.ec2\.internal)?)\.?$/;

/**
 * Reports whether the proxy may stand for an origin that the server at `upstream` has named. A careful client requests
 * no address of its own machine or link for a server, but would not know it again behind the proxy.
 */
export function mayStandFor(origin: string, upstream: string): boolean {
  const { hostname } = new URL(origin);
  if (isIn(LINK_LOCAL, hostname) || METADATA_NAMES.test(hostname)) return false;
  return !isOfThisMachine(hostname) || isOfThisMachine(new URL(upstream).hostname);
}

function isOfThisMachine(hostname: string): boolean {
  return isLoopback(hostname) || /(?:^|\.)localhost\.?$/.test(hostname) || isIn(THIS_MACHINE, hostname);
}

function isIn(list: BlockList, hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
