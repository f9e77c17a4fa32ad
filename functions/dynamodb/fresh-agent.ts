import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';

/**
 * Milliseconds after its last use for which a connection is used again. A frozen instance does not
 * notice that an idle connection was closed, or forgotten on its way. A request sent by it would then
 * be reset, which uses up attempts (measured: 5 of 40 requests failed), or wait for its time limit.
 * A handshake takes some milliseconds.
 */
const freshFor = 2_000;

/** Keep-alive connections to one endpoint, none of which is used again when it is not fresh. */
interface FreshAgent {
  agent: http.Agent;
  /** Closes the connections that are no longer fresh. Call it before each request. */
  closeStale(): void;
}

/**
 * Creates an agent. Its first connection is opened at once, during init, so that no request waits
 * for its handshakes. A connection's age is seen when it is taken, because timers stand still while
 * an instance is frozen.
 */
export const freshAgent = (endpoint: URL, hostname: string): FreshAgent => {
  const { Agent } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  const usedAt = new WeakMap<Duplex, number>();
  // A clock that was set meanwhile may be behind.
  const isFresh = (connection: Duplex): boolean =>
    !connection.destroyed && Math.abs(Date.now() - (usedAt.get(connection) ?? 0)) <= freshFor;

  const open = agent.createConnection.bind(agent);
  let first = open(addressOf(endpoint, hostname));
  if (first) {
    usedAt.set(first, Date.now());
    // If it fails, the first request opens another, and handles the error if that fails, too.
    first.on('error', () => {});
  }
  agent.createConnection = (...request) => {
    const opened = first;
    first = undefined;
    if (opened && isFresh(opened)) {
      return opened;
    }
    opened?.destroy();
    return open(...request);
  };

  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (connection) => {
    usedAt.set(connection, Date.now());
    return keepSocketAlive(connection);
  };

  return {
    agent,
    // The agent takes the connection that was used last, and drops older ones that are destroyed.
    closeStale: () => {
      const idle = Object.values(agent.freeSockets).flatMap((sockets = []) => sockets);
      for (const connection of idle.filter((each) => !isFresh(each))) {
        connection.destroy();
      }
    },
  };
};

const addressOf = ({ protocol, port }: URL, hostname: string) => ({
  host: hostname,
  servername: hostname,
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
});
