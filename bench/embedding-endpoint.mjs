/**
 * An OpenAI-compatible `/embeddings` endpoint on loopback for `bench/scale.ts`: vectors of 768 numbers that follow from the
 * text and mean nothing. Prints its base URL; ends with its standard input.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const DIMENSIONS = 768;

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const data = [input].flat().map((text, index) => ({ index, embedding: vectorOf(text) }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
process.stdin.resume().on('end', () => process.exit(0));

function vectorOf(text) {
  let state = createHash('sha256').update(text).digest().readUInt32LE() || 1;
  return Array.from({ length: DIMENSIONS }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 31 - 1;
  });
}
