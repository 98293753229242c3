import fc from 'fast-check';

const SOUND = [
  '---\nname: pdf\ndescription: "Reads: PDF."\nmetadata:\n  tags: "a, b"\n---\n\n# PDF\n\n- one\n',
  '---\nname: pdf\ndescription: >-\n  Reads\n  PDF.\ntags: [a, b]\nallowed-tools:\n  - Read\n---\nbody',
  '---\r\nname: pdf\r\ndescription: Reads PDF. # why\r\nmetadata: {"acme": {"x": ["y"]}}\r\n---\r\n\r\nbody\r\n',
  '\uFEFF---\nname: pdf\ndescription: &d Reads PDF.\nlicense: *d\nparams:\n  path: {type: string}\n---\nbody\n',
];
const PIECES =
  '---|...|----|---js|\n|\r\n|\r|: |:|\uff1a|- |[|]|{|}|"|\'|&a |*a|!x |!!str |#| #|\t|  |%|@|`|>-|? |\u00a0|\uFEFF|\u2028|<!--|-->|name:|description:|metadata:|__proto__:|disable-model-invocation: true|数|\u001b'.split(
    '|',
  );

interface Mutation {
  readonly at: number;
  readonly cut: number;
  readonly piece: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  /** Where, in thousandths of the text. */
  at: fc.nat(999),
  cut: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(12)),
  piece: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...PIECES, '|', '|\n') },
    fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.toWellFormed()),
  ),
});

/** A sound skill into which somebody typed, pasted or from which somebody cut. */
export const mutatedText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...SOUND), fc.array(mutation, { minLength: 1, maxLength: 5 }))
  .map(([text, mutations]) => mutations.reduce(mutate, text));

function mutate(text: string, { at, cut, piece }: Mutation): string {
  const from = Math.floor((at * text.length) / 1000);
  return (text.slice(0, from) + piece + text.slice(from + cut)).toWellFormed();
}
