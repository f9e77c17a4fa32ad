import { generateKeyPairSync, sign } from 'node:crypto';

/** Returns a value in the encoding of certificates: its tag, its length, and what it holds. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x81, content.length];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const time = (text: string): Buffer => der(0x18, Buffer.from(text));

/**
 * Makes a key and a certificate that nobody has reason to trust: it is signed by itself, and names
 * nobody (RFC 5280, 4.1). Node reads certificates, but makes none.
 */
export const newCertificate = (): { key: string; cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const serialNumber = der(0x02, Buffer.from([1]));
  const algorithm = sequence(der(0x06, Buffer.from([0x2b, 0x65, 0x70])));
  const [issuer, subject] = [sequence(), sequence()];
  const validity = sequence(time('20200101000000Z'), time('99991231235959Z'));
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const signed = sequence(serialNumber, algorithm, issuer, validity, subject, subjectKey);
  const signature = der(0x03, Buffer.from([0]), sign(null, signed, privateKey));
  const certificate = sequence(signed, algorithm, signature).toString('base64');
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
};
