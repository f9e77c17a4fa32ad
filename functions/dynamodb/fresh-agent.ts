import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';

/**
 * Milliseconds after its last use for which a connection is used again. A frozen instance does not
 * notice that an idle connection is closed. If it then sends an update by it, nobody can tell
 * whether that was applied. A handshake costs less than such an answer.
 */
const freshFor = 2_000;

/** What is known of a connection. */
interface Known {
  /** When it was last used, or opened. */
  usedAt: number;
  /** Whether its handshakes are done. Before, no byte of a request leaves. */
  wasOpened: boolean;
}

/** Keep-alive connections to one endpoint, none of which is used again when it is not fresh. */
interface FreshAgent {
  agent: http.Agent;
  /** Closes the connections that are no longer fresh. Call it before each request. */
  closeStale(): void;
  wasOpened(connection: Duplex | null): boolean;
}

/**
 * Creates an agent. Its first connection is opened at once, during init, so that no request waits
 * for its handshakes. A connection's age is seen when it is taken, because timers stand still while
 * an instance is frozen.
 */
export const freshAgent = (endpoint: URL, hostname: string): FreshAgent => {
  const isSecure = endpoint.protocol === 'https:';
  const agent = new (isSecure ? https : http).Agent({ keepAlive: true, maxSockets: 50 });
  const connections = new WeakMap<Duplex, Known>();
  const isFresh = (connection: Duplex): boolean =>
    !connection.destroyed && Date.now() - (connections.get(connection)?.usedAt ?? 0) <= freshFor;

  const createConnection = agent.createConnection.bind(agent);
  const open: typeof createConnection = (...request) => {
    const connection = createConnection(...request);
    if (connection) {
      const known = { usedAt: Date.now(), wasOpened: false };
      connections.set(connection, known);
      connection.once(isSecure ? 'secureConnect' : 'connect', () => {
        known.wasOpened = true;
      });
    }
    return connection;
  };

  let first = open(addressOf(endpoint, hostname));
  // If it fails, the first request opens another, and handles the error if that fails, too.
  first?.on('error', () => {});
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
    const known = connections.get(connection);
    if (known) {
      known.usedAt = Date.now();
    }
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
    wasOpened: (connection) => connection !== null && !!connections.get(connection)?.wasOpened,
  };
};

const addressOf = ({ protocol, port }: URL, hostname: string) => ({
  host: hostname,
  servername: hostname,
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
});
