import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/redact/redactor.ts';

const redacted = (text: string) => createRedactor({ env: {} }).text(text);

const SECRET = `apiVersion: v1
kind: Secret
metadata:
  name: db-credentials
  annotations:
    hash: 9f86d081884c7d65
data:
  extra: YWRtaW46cGFzc3dvcmQ=
  "quoted": "cGFzc3dvcmQx"
type: Opaque
`;

describe('a Secret of Kubernetes', () => {
  it('loses what stands in its data, and nothing else', () => {
    expect(redacted(SECRET)).toBe(
      SECRET.replace('YWRtaW46cGFzc3dvcmQ=', '[redacted:kubernetes-secret:1]').replace(
        'cGFzc3dvcmQx',
        '[redacted:kubernetes-secret:2]',
      ),
    );
  });

  it('may say what it is behind its data, and have other documents around it', () => {
    const map = 'kind: ConfigMap\ndata:\n  extra: b3BlbnNlc2FtZQ==\n';
    const secret = "stringData:\n\tlogin: 's3same-0pen'\nkind: 'secret'\n";
    expect(redacted(`${map}---\n${secret}---\n${map}`)).toBe(
      `${map}---\n${secret.replace('s3same-0pen', '[redacted:kubernetes-secret:1]')}---\n${map}`,
    );
  });

  it('that only has templates stays as it is', () => {
    const chart = 'kind: Secret\ndata:\n  key: {{ .Values.key | b64enc }}\n  other: $OTHER\n';
    expect(redacted(chart)).toBe(chart);
  });
});

describe('an environment variable of Kubernetes', () => {
  it('is named in the line before its value', () => {
    expect(redacted('- name: API_TOKEN\n  value: T7x4Lq9Z2m\n- name: REGION\n  value: T7x4Lq9Z2k\n')).toBe(
      '- name: API_TOKEN\n  value: [redacted:API_TOKEN:1]\n- name: REGION\n  value: T7x4Lq9Z2k\n',
    );
  });
});

describe('a value on the line after its name', () => {
  it('is found where it stands in quotes, as formatters of code break lines', () => {
    expect(redacted('const acmeApiKey =\n  "P5IS953T7OYL5KJG";')).toBe(
      'const acmeApiKey =\n  "[redacted:acmeApiKey:1]";',
    );
  });

  it('is another variable where it does not', () => {
    const env = 'API_KEY=\nREGION=eu-west-1\n';
    expect(redacted(env)).toBe(env);
  });
});
