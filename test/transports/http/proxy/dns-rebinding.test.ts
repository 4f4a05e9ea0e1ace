import { describe, expect, it } from 'vitest';
import { rebindingViolation } from '../../../../src/transports/http/proxy/dns-rebinding.ts';

/** protocol: "Validate Origin (present and not allowed → 403) and Host; bind 127.0.0.1". */
describe('who may ask (§14)', () => {
  it.each([
    [['Host', '127.0.0.1:8080']],
    [['Host', 'localhost']],
    [['Host', 'localhost:']],
    [['Host', '[::1]:8080', 'Origin', 'http://localhost:6274']],
    [['Host', 'devbox:9', 'Origin', 'https://devbox']],
    [['Host', 'devbox:9', 'Origin', 'https://devbox', 'Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'cors']],
    [['Host', 'localhost', 'Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate']],
    [['Host', 'localhost', 'Sec-Fetch-Site', 'same-site', 'Sec-Fetch-Mode', 'no-cors']],
  ])('%j is let in', (headers) => {
    expect(rebindingViolation(headers, { allowed: ['devbox'] })).toBeUndefined();
  });

  it.each([
    [[]],
    [['Host', 'evil.example']],
    [['Host', '127.0.0.1.evil.example:8080']],
    [['Host', 'evil@127.0.0.1']],
    [['Host', '127.0.0.1:8080/x']],
    [['Host', '127.0.0.1', 'Host', 'evil.example']],
    [['Host', '127.0.0.1:8080', 'Origin', 'https://evil.example']],
    [['Host', '127.0.0.1:8080', 'Origin', 'null']],
    [['Host', '127.0.0.1:8080', 'Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'no-cors']],
    [['Host', '127.0.0.1:8080', 'Sec-Fetch-Site', 'cross-site']],
  ])('%j is turned away', (headers) => {
    expect(rebindingViolation(headers, { allowed: ['devbox'] })).toMatch(/^(Host|Origin) is |^it comes from a page /);
  });
});
