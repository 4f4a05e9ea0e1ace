/**
 * What stands where a secret could and is none: names of types, answers, and the words that everybody's examples and
 * defaults are made of. Compared in lower case.
 */
const WORDS: ReadonlySet<string> = new Set(
  `
  true false yes no on off null nil none undefined void empty unset default auto any all never always
  string number integer boolean object array list map bytes text str int bool char varchar uuid date datetime optional
  required readonly nullable unknown missing invalid valid expired revoked active inactive enabled disabled hidden
  masked redacted removed omitted present absent provided secret secrets token tokens password passwords passwd
  passphrase key keys apikey api_key api-key credential credentials auth authorization authentication authenticate
  cookie cookies bearer basic digest negotiate oauth oauth2 jwt saml openid apitoken access_token refresh_token id_token
  client_secret client_credentials client_secret_basic client_secret_post private_key_jwt authorization_code
  include same-origin same-site anonymous public private internal external localhost loopback hostname username
  username@example.com example example.com changeme change-me change_me placeholder sample testing test development
  production staging postgres postgresql mysql mariadb mongodb redis rabbitmq elasticsearch memcached administrator
  admin root guest user users system service services database application application/json text/plain keychain keyring
  environment variable variables config configuration settings options header headers query body param params
  please enter here this that with from your value values name names type types description title self
  `
    .trim()
    .split(/\s+/),
);

/** Whether a value is one of them. */
export function isCommonWord(value: string): boolean {
  return WORDS.has(value.toLowerCase());
}
