// Enter pressed twice, and text typed while what an item leads to is fetched.
import { expect, test } from 'vitest';
import { createSingleAction } from '../../../src/extension/lookUp/singleAction.ts';

/** An action that ends when the test says so. */
function createAction() {
  const end = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const action = (signal: AbortSignal) => {
    signals.push(signal);
    return end.promise;
  };
  return { action, signals, end };
}

test('runs once while it is repeated, and again after its end', async () => {
  const single = createSingleAction();
  const { action, signals, end } = createAction();
  const first = single.run(action);
  await single.run(action);
  expect(signals).toHaveLength(1);
  end.resolve();
  await first;
  await single.run(action);
  expect(signals).toHaveLength(2);
});

test('is cancelled by other input, after which another one runs at once', async () => {
  const single = createSingleAction();
  const [old, next] = [createAction(), createAction()];
  const first = single.run(old.action);
  single.cancel();
  expect(old.signals[0]?.aborted).toBe(true);
  const second = single.run(next.action);
  expect(next.signals).toHaveLength(1);
  old.end.reject(new Error('cancelled'));
  await first;
  await single.run(old.action);
  expect(old.signals).toHaveLength(1);
  next.end.resolve();
  await second;
});

test('rejects with its fault, and can be repeated', async () => {
  const single = createSingleAction();
  await expect(single.run(() => Promise.reject(new Error('no node')))).rejects.toThrow('no node');
  const { action, signals } = createAction();
  void single.run(action);
  expect(signals).toHaveLength(1);
});
