import { expect, test } from 'vitest';
import { createPause, hearSignals, NO_PAUSE } from '../src/pause.ts';

const aborted = expect.objectContaining({ code: 'aborted', message: 'reading the library: stopped' });

test('work goes on without waiting until a signal came, and ends then', async () => {
  const controller = new AbortController();
  const pause = createPause(controller.signal, 'reading the library');
  expect(pause()).toBeUndefined();
  controller.abort();
  await expect(pause()).rejects.toEqual(aborted);
  expect(NO_PAUSE()).toBeUndefined();
});

test('a signal that came while nobody could hear it is heard', async () => {
  const controller = new AbortController();
  await hearSignals(controller.signal, 'reading the library');
  setImmediate(() => controller.abort());
  await expect(hearSignals(controller.signal, 'reading the library')).rejects.toEqual(aborted);
});
