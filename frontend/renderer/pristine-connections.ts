import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections that have not received a request yet. Node treats them as busy:
 * `closeIdleConnections` skips them, and `close` would wait for them.
 */
export class PristineConnections {
  readonly #pristine = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#pristine.add(socket);
      socket.once('close', () => this.#pristine.delete(socket));
    });
    server.on('request', ({ socket }) => this.#pristine.delete(socket));
  }

  close() {
    for (const socket of this.#pristine) socket.destroy();
  }
}
