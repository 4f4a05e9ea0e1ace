/** What a label of a corpus says is a secret, and what of it is one. */

const USER_INFO = /:\/\/[^/\s@]*?:([^\s]+)@/;
const PARAMETER = /[?&;](?:password|pwd|sig)=([^&;\s"']+)/i;
const EMAIL_ADDRESS = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const WITHOUT_CREDENTIALS = /^jdbc:(?![^@]*:[^@]*@)(?![\s\S]*(?:password|pwd)=)/i;

/** Returns the password or signature of a URL that is labelled as a whole, and any other label as it is. */
export function secretPart(label) {
  if (!/^\w[\w+.:-]*:\/\//.test(label)) return label;
  return (USER_INFO.exec(label) ?? PARAMETER.exec(label))?.[1] ?? label;
}

/** Whether a label is no secret: the address of a user, or of a database that asks for no password. */
export function isIdentifier(label) {
  return EMAIL_ADDRESS.test(label) || WITHOUT_CREDENTIALS.test(label);
}

/** Whether a label only shows where a secret belongs: `xxxxxxxx`, `1111-1111`, `username:password`. */
export function isFiller(label) {
  return /x{6}|\*{6}|(\w)\1{11}|x{5}\//i.test(label.replaceAll('-', '')) || label === 'password';
}
