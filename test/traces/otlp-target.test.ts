import { describe, expect, it } from 'vitest';
import { otlpTarget } from '../../src/traces/otlp-target.ts';

describe('the address', () => {
  const of = (given: string | true, env: Record<string, string> = {}) => otlpTarget(given, env).url;
  const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/base/' };

  it('is that of a collector on this machine, if nothing names another', () => {
    expect(of(true)).toBe('http://localhost:4318/v1/traces');
    expect(of(true, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBe('http://localhost:4318/v1/traces');
  });

  it('is that of the option before that of the environment', () => {
    expect(of('http://127.0.0.1:1', BASE)).toBe('http://127.0.0.1:1/v1/traces');
    expect(of('http://127.0.0.1:1/v1/traces/')).toBe('http://127.0.0.1:1/v1/traces');
    expect(of('http://127.0.0.1:1/otlp?tenant=a')).toBe('http://127.0.0.1:1/otlp/v1/traces?tenant=a');
  });

  it('has the path for traces added, unless it is that of traces alone', () => {
    expect(of(true, BASE)).toBe('https://collector.example/base/v1/traces');
    const own = { ...BASE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces.example/own' };
    expect(of(true, own)).toBe('http://traces.example/own');
  });

  it.each(['node', 'ftp://127.0.0.1', 'localhost:4318', ''])('is refused: %s', (given) => {
    expect(() => of(given)).toThrow('[USAGE_BAD_OTLP_URL]');
    expect(() => of(true, { OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' })).toThrow('OTEL_EXPORTER_OTLP_ENDPOINT');
  });

  it('is shown without its secrets', () => {
    const { shown, url, headers } = otlpTarget('http://me:pass%2F@127.0.0.1:1/?key=planted', {});
    expect(shown).toBe('http://127.0.0.1:1/v1/traces');
    expect(url).toBe('http://127.0.0.1:1/v1/traces?key=planted');
    expect(headers).toEqual({ authorization: `Basic ${Buffer.from('me:pass/').toString('base64')}` });
    expect(() => otlpTarget('ftp://me:planted@127.0.0.1/?key=planted', {})).not.toThrow('planted');
  });

  it('is refused where the environment speaks gRPC, unless the option names another', () => {
    const env = { ...BASE, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect(() => of(true, env)).toThrow('[USAGE_OTLP_PROTOCOL]');
    expect(of('http://127.0.0.1:1', env)).toBe('http://127.0.0.1:1/v1/traces');
    expect(of(true, { ...env, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' })).toContain('collector.example');
  });
});

describe('the headers', () => {
  const of = (env: Record<string, string>) => otlpTarget(true, env).headers;

  it('are those of the environment, where traces may have their own', () => {
    expect(
      of({
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, x-team = one=1 ,',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'X-Key=c',
      }),
    ).toEqual({ 'x-key': 'c', 'x-team': 'one=1' });
  });

  it.each(['planted', 'x-key=a,planted', 'x key=planted', 'x-key=planted%0Aother', 'x-key=planted%'])(
    'are refused without their value: %s',
    (text) => {
      expect(() => of({ OTEL_EXPORTER_OTLP_HEADERS: text })).toThrow('[USAGE_BAD_OTLP_HEADERS]');
      expect(() => of({ OTEL_EXPORTER_OTLP_HEADERS: text })).not.toThrow('planted');
    },
  );
});

it('has the name of the service, if the environment has one', () => {
  expect(otlpTarget(true, { OTEL_SERVICE_NAME: 'weather' }).service).toBe('weather');
  expect(otlpTarget(true, {})).not.toHaveProperty('service');
});
