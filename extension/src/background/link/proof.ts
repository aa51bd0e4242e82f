// Proves to each end of the link that the other one has the token, which is never sent (gasoline_bridge/chrome/proof.py).

type Role = 'server' | 'client' | 'welcome';

/** The part of Web Crypto that is used; a test passes its own. */
export type Crypto = Pick<globalThis.Crypto, 'subtle' | 'getRandomValues'>;

/** What follows from a server's proof: `shown` is for the subprotocol, `welcome` what its first message must prove. */
export type Exchange = { shown: string; welcome: string };

const HEX_DIGITS = /^[0-9a-f]{64}$/;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** One question to the program on a port: has it the token? */
export class Question {
  readonly nonce: string;
  #crypto;
  #token;
  #port;

  constructor(crypto: Crypto, token: string, port: number) {
    this.#crypto = crypto;
    this.#token = token;
    this.#port = port;
    this.nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  }

  /** Read the answer to GET /proof; null where it proves nothing. */
  async answered(answer: unknown): Promise<Exchange | null> {
    const { nonce, proof } = (answer ?? {}) as Record<string, unknown>;
    if (typeof nonce !== 'string' || !HEX_DIGITS.test(nonce)) return null;
    if (!isSame(proof, await this.#prove('server', nonce))) return null;
    const [client, welcome] = await Promise.all([this.#prove('client', nonce), this.#prove('welcome', nonce)]);
    return { shown: `${this.nonce}.${nonce}.${client}`, welcome };
  }

  async #prove(role: Role, nonce: string): Promise<string> {
    const { subtle } = this.#crypto;
    const encoder = new TextEncoder();
    const key = await subtle.importKey('raw', encoder.encode(this.#token), HMAC, false, ['sign']);
    const text = encoder.encode(`gasoline.v1 ${role} ${this.#port} ${this.nonce} ${nonce}`);
    return hex(new Uint8Array(await subtle.sign('HMAC', key, text)));
  }
}

/** Compare in a time that does not depend on where they differ. */
export function isSame(shown: unknown, wanted: string): boolean {
  if (typeof shown !== 'string' || shown.length !== wanted.length) return false;
  let difference = 0;
  for (let i = 0; i < wanted.length; i++) difference |= shown.charCodeAt(i) ^ wanted.charCodeAt(i);
  return difference === 0;
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
