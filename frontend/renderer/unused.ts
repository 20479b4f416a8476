import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which nothing was ever asked. Node counts them as busy: `closeIdleConnections`
 * leaves them, and a server that closes would wait for them.
 */
export class UnusedConnections {
  readonly #unused = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#unused.add(socket);
      socket.once('close', () => this.#unused.delete(socket));
    });
    server.on('request', ({ socket }) => this.#unused.delete(socket));
  }

  close() {
    for (const socket of this.#unused) socket.destroy();
  }
}
