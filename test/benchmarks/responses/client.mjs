// One client of bench:responses, in a process of its own: sending hundreds of megabytes holds a client's event loop too,
// and the other client is to wait for the coordinator alone. A message asks for one request; its answer goes back.
import { createReadStream, statSync } from 'node:fs';
import { request } from 'node:http';

process.on('message', ({ url, token, type, file, body }) => {
  const length = file === undefined ? Buffer.byteLength(body) : statSync(file).size;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type, 'Content-Length': length };
  // a connection of its own: one that was kept may have been closed by the server meanwhile
  const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => process.send({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
  });
  // a refusal may come before all is sent: what is left is not wanted then, and the answer is what counts
  sent.on('error', ({ message }) => process.send({ failure: message }));
  if (file === undefined) sent.end(body);
  else createReadStream(file, { highWaterMark: 2 ** 20 }).pipe(sent);
});
