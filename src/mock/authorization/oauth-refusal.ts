/** An OAuth error response (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2). */
export class OAuthRefusal extends Error {
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }

  /** Body of the error response. */
  get body(): { error: string; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}
