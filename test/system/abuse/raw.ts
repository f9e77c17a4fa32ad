import { connect } from 'node:net';

/**
 * Sends bytes on a connection of its own, as they are, and returns all that comes back until there is no more, and
 * the statuses of the responses in it.
 * @param drip sent every second from then on
 */
export const responsesTo = (
  baseUrl: string,
  bytes: string,
  drip?: string,
): Promise<{ text: string; statuses: number[] }> =>
  new Promise((resolve) => {
    const { port, hostname } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('latin1');
    socket.write(bytes, 'latin1');
    const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), 1_000);
    // Whatever the connection waits for, there will be no more of it.
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(dripping);
      const statuses = [...text.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status));
      resolve({ text, statuses });
    });
  });
