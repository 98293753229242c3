/** The body of an answer, unpacked; undefined where it is longer than `most` bytes, of which no more is kept. */
export async function boundedBody(response: Response, most: number): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  if (response.body !== null)
    for await (const piece of response.body as AsyncIterable<Uint8Array>) {
      bytes += piece.length;
      if (bytes > most) return undefined;
      pieces.push(piece);
    }
  return Buffer.concat(pieces);
}
