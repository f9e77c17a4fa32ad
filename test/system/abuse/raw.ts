import { connect } from 'node:net';

/** Sends bytes on a connection of its own, as they are, and returns all that comes back until there is no more. */
export const sendBytes = (baseUrl: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('latin1');
    // Whatever the connection waits for, there will be no more of it.
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (text) => (received += text));
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(bytes, 'latin1');
  });

/** The statuses of the responses in a text of HTTP. */
export const statusesOf = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status));
