import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Dialog } from './Dialog';

afterEach(cleanup);

const content = (
  <>
    <p>Text</p>
    <a href="#here">The prices</a>
    <form method="dialog">
      <button type="submit">Close</button>
    </form>
  </>
);
const isOpen = () => screen.queryByRole('dialog') !== null;

test('opens while `open` is set', () => {
  const { rerender } = render(<Dialog>{content}</Dialog>);
  expect(isOpen()).toBe(false);
  rerender(<Dialog open>{content}</Dialog>);
  expect(isOpen()).toBe(true);
});

test.each([
  ['its backdrop', () => screen.getByRole('dialog'), true],
  ['its text', () => screen.getByText('Text'), false],
  ['a link', () => screen.getByText('The prices'), false],
])('a press on %s: closes %s', async (_, target, closes) => {
  const onClose = vi.fn();
  render(
    <Dialog open onClose={onClose}>
      {content}
    </Dialog>,
  );
  await userEvent.click(target());
  expect(isOpen()).toBe(!closes);
  expect(onClose).toHaveBeenCalledTimes(closes ? 1 : 0);
});

test('a link closes a dialog that is configured to close on links', async () => {
  render(
    <Dialog open closesOnLink>
      {content}
    </Dialog>,
  );
  await userEvent.click(screen.getByText('The prices'));
  expect(isOpen()).toBe(false);
});

test('its reference opens it again', () => {
  const dialog = createRef<HTMLDialogElement>();
  render(<Dialog ref={dialog}>{content}</Dialog>);
  dialog.current?.showModal();
  expect(isOpen()).toBe(true);
});
