'use strict';
const fs = require('node:fs');
const http = require('node:http');

/**
 * Answers calls of `methods` on a Unix socket: POST `{method, params}`, answered by `{result}` or
 * `{error}`. A socket of an earlier extension host (a reloaded page) is taken over.
 *
 * @returns {{dispose(): void}}
 */
function serve(socket, methods) {
  fs.rmSync(socket, { force: true });
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      let reply;
      try {
        const { method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        if (!Object.hasOwn(methods, method)) throw new Error(`no method ${method}`);
        reply = { result: (await methods[method](params ?? {})) ?? null };
      } catch (error) {
        reply = { error: String(error?.message ?? error) };
      }
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(reply));
    });
  });
  server.listen(socket);
  return { dispose: () => server.close() };
}

module.exports = { serve };
